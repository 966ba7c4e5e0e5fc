import { thousands } from "../core/thousands.js";
import type { CategoryDomain } from "../domain/categories.js";
import type { Field } from "../domain/field.js";
import { type Grid, pointOf, valueAt } from "../domain/grid.js";
import { missingCode } from "../domain/stored.js";
import { canonical } from "../notation/numbers.js";
import { isObject, onlyMembers, wrong } from "../notation/validate.js";
import { parseConstraintText } from "./constraint-text.js";

/** A constraint of the schema on several cells of one row. `columns`: places among the modelled columns. */
export type Constraint = {
  /** Its name in messages. */
  readonly text: string;
  readonly columns: readonly number[];
} & (
  | /** The first column's number is at most the second's, if both have one. */ { readonly kind: "order" }
  | /** The first column's number is the sum of the others', if all have one. */ { readonly kind: "sum" }
  | {
      readonly kind: "combinations";
      /** Stored codes, in the columns' order. */
      readonly combinations: readonly (readonly number[])[];
      /**
       * For each column the missing code, if a missing cell there exempts a row from the list: if no combination has
       * it. Otherwise missing is a value like any other.
       */
      readonly exempt: readonly (number | undefined)[];
    }
);

const HINT =
  'A constraint is "a <= b", "a = b + c" or { "columns": ["city", "country"], "allowed": [["Lyon", "France"]] }.';

/**
 * Reads a schema's `standin.constraints`: a list of `"a <= b"`, `"a = b + c"` and `{ "columns": [two or more names],
 * "allowed": [[one value per column], …] }`. A value is one that the column's schema states, or `null` for missing.
 * @throws {StandinError} `schema/constraint` for anything else; `schema/constraint-column` for columns that a
 *   constraint cannot have; `schema/constraint-value` for a listed value that its column does not have
 */
export function parseConstraints(stated: unknown, fields: readonly Field[]): Constraint[] {
  if (stated === undefined) return [];
  if (!Array.isArray(stated)) throw wrong("constraint", "The schema's standin.constraints is not a list.", HINT);
  return stated.map((entry) => {
    if (typeof entry === "string") return parseText(entry, fields);
    if (isObject(entry)) return parseList(entry, fields);
    throw wrong("constraint", `The schema's standin.constraints has ${JSON.stringify(entry)}.`, HINT);
  });
}

function parseText(text: string, fields: readonly Field[]): Constraint {
  const where = `The constraint ${JSON.stringify(text)}`;
  const { kind, names } = parseConstraintText(text);
  const columns = columnsNamed(names, where, fields);
  const kinds = columns.map((column) => [column.name, comparedAs(column)] as const);
  const [, first] = kinds[0];
  for (const [name, compared] of kinds) {
    if (compared === undefined)
      throw wrong(
        "constraint-column",
        `${where} has "${name}", whose values have no order.`,
        "Only numbers, dates, datetimes and times can be compared.",
      );
    if (kind === "sum" && compared !== "number")
      throw wrong("constraint-column", `${where} adds up "${name}", a ${compared}.`, "Only numbers can be added up.");
    if (compared !== first)
      throw wrong(
        "constraint-column",
        `${where} compares "${names[0]}", a ${first}, with "${name}", a ${compared}.`,
        "Both must be numbers, or both of the same type of date or time.",
      );
  }
  return { kind, text, columns: columns.map(({ attribute }) => attribute!) };
}

/** How a column's values are compared; `undefined` if they have no order. */
function comparedAs({ type, notation }: Field): string | undefined {
  return notation && (notation.unit === "" ? "number" : type);
}

function parseList(entry: Record<string, unknown>, fields: readonly Field[]): Constraint {
  onlyMembers(entry, "A constraint of the schema", ["columns", "allowed"]);
  const { columns: names, allowed } = entry;
  if (!Array.isArray(names) || names.length < 2)
    throw wrong("constraint", "A list of combinations has fewer than two columns.", HINT);
  const where = `The list of combinations of ${names.map((name) => JSON.stringify(name)).join(", ")}`;
  const columns = columnsNamed(names, where, fields);
  if (!Array.isArray(allowed) || !allowed.length)
    throw wrong("constraint", `${where} allows nothing: "allowed" is not a list or is empty.`, HINT);
  const readers = columns.map((column) => statedReader(column, where));
  const rows = allowed.map((row, at) => {
    if (Array.isArray(row) && row.length === columns.length) return readers.map((read, index) => read(row[index]));
    throw wrong(
      "constraint",
      `${where} has, as combination ${at + 1}, ${JSON.stringify(row)}, which is not a list of ${columns.length} values.`,
      "Give each combination one value per column, null for missing.",
    );
  });
  return {
    kind: "combinations",
    text: `${names.join(", ")}: one of ${thousands(rows.length)} combinations`,
    columns: columns.map(({ attribute }) => attribute!),
    combinations: rows,
    exempt: columns
      .map(missingCode)
      .map((missing, at) => (rows.some((row) => row[at] === missing) ? undefined : missing)),
  };
}

function columnsNamed(names: readonly unknown[], where: string, fields: readonly Field[]): Field[] {
  return names.map((name, at) => {
    const field = fields.find((candidate) => candidate.name === name);
    if (!field)
      throw wrong(
        "constraint-column",
        `${where} has ${JSON.stringify(name)}, which is not a field of the schema.`,
        `Fields: ${fields.map((candidate) => JSON.stringify(candidate.name)).join(", ")}.`,
      );
    if (!field.domain)
      throw wrong(
        "constraint-column",
        `${where} has "${field.name}", which has the role "${field.role}".`,
        "Only modelled columns can be constrained.",
      );
    if (names.indexOf(name) < at)
      throw wrong("constraint-column", `${where} has "${field.name}" twice.`, "Name each column once.");
    return field;
  });
}

/**
 * Returns a function from a value that a list states for a column to its stored code.
 * @throws {StandinError} `schema/constraint-value`, when called, for a value that the column does not have
 */
function statedReader(field: Field, where: string): (value: unknown) => number {
  const { name, domain } = field;
  const missing = missingCode(field);
  const read = domain!.kind === "grid" ? pointReader(field, domain!, where) : categoryReader(field, domain!, where);
  return (value) => {
    const stored = value === null ? missing : read(value);
    if (stored !== undefined) return stored;
    throw wrong(
      "constraint-value",
      `${where} has ${JSON.stringify(value)}, which is not a value of "${name}".`,
      value === null
        ? `"${name}" can never be missing.`
        : "Write values as the column's enum lists them, or points of its grid between its bounds.",
    );
  };
}

function pointReader({ notation }: Field, grid: Grid, where: string): (value: unknown) => number | undefined {
  return (value) => {
    const number = notation!.stated(value, `${where} has a value`);
    const point = pointOf(grid, number);
    return canonical(valueAt(grid, point)) === canonical(number) ? point : undefined;
  };
}

function categoryReader(
  { type, notation }: Field,
  { labels, spellings }: CategoryDomain,
  where: string,
): (value: unknown) => number | undefined {
  const codes = new Map(labels.map((label, code) => [label, code]));
  return (value) => {
    const numeric = typeof value === "number" && notation?.unit === "";
    if (!numeric && typeof value !== "string" && !(typeof value === "boolean" && type === "boolean")) return undefined;
    const text = String(value);
    const number = numeric ? notation.stated(value, `${where} has a value`) : notation?.read(text);
    return codes.get(text) ?? spellings.get(number ? canonical(number) : text);
  };
}
