import type { Codec } from "../core/table.js";
import { type Decimal, formatDecimal, unitsAt } from "../notation/decimal.js";
import { idCodec } from "../notation/ids.js";
import type { Notation } from "../notation/notation.js";
import { canonical, numberNotation } from "../notation/numbers.js";
import { temporalNotation } from "../notation/temporal.js";
import { choice, decimal, isObject, noMisplaced, onlyMembers, shown, wrong } from "../notation/validate.js";
import { booleans, type CategoryDomain, listed, MOST_CATEGORIES } from "./categories.js";
import { type Bins, type Grid, makeGrid, valueAt } from "./grid.js";
import { fits, lacking, textOf, type ValueType } from "./value-type.js";

export type FieldType = (typeof TYPES)[number];
export type Role = (typeof ROLES)[number];

export type Domain = CategoryDomain | Grid;

/** One column of the schema. */
export interface Field {
  readonly name: string;
  readonly type: FieldType;
  readonly role: Role;
  /** Whether missing is not among the field's values. */
  readonly required: boolean;
  /** The field's place among the modelled ones. */
  readonly attribute?: number;
  /** The values of a modelled field. */
  readonly domain?: Domain;
  /** How a modelled number, date or time is spelled. */
  readonly notation?: Notation;
  /** How the rows' numbers, from 0 up, read in an `id` field. */
  readonly id?: Codec;
}

const MISPLACED = [
  ...["role", "other", "granularity", "bins", "provenance", "unit"],
  ...["enum", "minimum", "maximum", "required", "min", "max", "constrains", "missingValues"],
];
/** The constraints that the format allows. Only `required`, `enum`, `minimum` and `maximum` have an effect. */
const CONSTRAINTS = [
  ...["required", "unique", "enum", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"],
  ...["minLength", "maxLength", "pattern", "jsonSchema"],
];
const TYPES = ["string", "integer", "number", "boolean", "date", "datetime", "time", "year"] as const;
const ROLES = ["model", "id", "drop"] as const;
const BOUNDS = ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"] as const;
const PROVENANCES = ["declared", "paid", "read"] as const;

/**
 * Reads one field of a schema. Every value that a modelled field states (categories, `other`, bounds, including
 * exclusive ones, and bin edges) must be of its type.
 * @param at its place, for fields without a name
 * @param attribute its place among the modelled fields, if it is one
 * @throws {StandinError} `schema/…`
 */
export function parseField(given: unknown, at: number, missingValues: readonly string[], attribute: number): Field {
  if (!isObject(given) || typeof given.name !== "string")
    throw wrong("field", `Field number ${at + 1} has no name.`, "Give it the name that it has in the table's header.");
  const where = `The field "${given.name}"`;
  noMisplaced(given, where, MISPLACED);
  const block = given.standin ?? {};
  onlyMembers(block, `${where}, in its standin block,`, [
    "role",
    "other",
    "granularity",
    "bins",
    "format",
    "provenance",
  ]);
  const role = choice(block.role ?? "model", ROLES, `${where} has the role`, "schema/unknown-role");
  // A dropped column may have any type, because its cells are not read.
  const stated = given.type ?? "string";
  const type =
    role === "drop" && typeof stated === "string" && !TYPES.some((known) => known === stated)
      ? "string"
      : choice(stated, TYPES, `${where} has the type`, "schema/unknown-type");
  const constraints = given.constraints ?? {};
  onlyMembers(constraints, `${where}, in its constraints,`, CONSTRAINTS);
  const required = constraints.required ?? false;
  if (typeof required !== "boolean")
    throw wrong("constraints", `${where} has a "required" that is not true or false.`, "Use true.");
  const field = { name: given.name, type, role, required: required || !missingValues.length };
  if (role === "drop") return field;
  if (role === "id") return { ...field, id: idCodec(where, type, given, block.format) };
  const notation = notationOf(where, type, given, constraints, block);
  const domain = domainOf(where, type, notation, { given, constraints, block, missingValues });
  return { ...field, attribute, domain, notation };
}

function notationOf(
  where: string,
  type: FieldType,
  given: Record<string, unknown>,
  constraints: Record<string, unknown>,
  block: Record<string, unknown>,
): Notation | undefined {
  if (type === "integer" || type === "number" || type === "year")
    return numberNotation(where, type, given, block.format);
  if (block.format !== undefined)
    throw wrong(
      "format",
      `${where} has a standin.format, which has no effect for a modelled ${type}.`,
      "Categories are written as they are listed; dates and times have their format next to their type.",
    );
  if (type === "string" || type === "boolean") return undefined;
  const categories = constraints.enum;
  const first = Array.isArray(categories) ? String(categories[0]) : constraints.minimum;
  return temporalNotation(where, type, given.format, first);
}

interface FieldDescriptor {
  readonly given: Record<string, unknown>;
  readonly constraints: Record<string, unknown>;
  readonly block: Record<string, unknown>;
  readonly missingValues: readonly string[];
}

function domainOf(
  where: string,
  type: FieldType,
  notation: Notation | undefined,
  { given, constraints, block, missingValues }: FieldDescriptor,
): Domain {
  const truth = type === "boolean" ? booleans(where, given, missingValues) : undefined;
  const kind = { type, notation, format: given.format, spellings: [...(truth?.spellings.keys() ?? [])] };
  const limits = limitsOf(where, kind, constraints, block.bins);
  if (constraints.enum !== undefined) return listed(where, kind, constraints.enum, block.other, missingValues);
  if (block.other !== undefined)
    throw wrong(
      "other",
      `${where} names a category for unlisted values but lists none.`,
      "Give it an enum, or drop standin.other.",
    );
  if (truth) return truth;
  if (!notation)
    throw wrong(
      "no-categories",
      `${where} is modelled but has no categories: constraints.enum is missing.`,
      'List its categories from a code book (reading them from the rows would leak), or give it the role "drop" or "id".',
    );
  return gridOf(where, type, notation, limits, block);
}

/** The ordered values that a field states. */
interface Limits {
  /** The stated bounds, by name. */
  readonly bounds: ReadonlyMap<string, Decimal | undefined>;
  /** The bin edges; empty if `bins` is not a list. */
  readonly edges: readonly (Decimal | undefined)[];
}

/** The bounds and edges of any field, all of its type, as exact numbers if the type has any. */
function limitsOf(where: string, kind: ValueType, constraints: Record<string, unknown>, bins: unknown): Limits {
  const stated = BOUNDS.filter((name) => constraints[name] !== undefined);
  const bound = (name: string) => `${name.startsWith("e") ? "an" : "a"} ${name}`;
  return {
    bounds: new Map(stated.map((name) => [name, limit(where, kind, constraints[name], bound(name), "bounds")])),
    edges: Array.isArray(bins) ? bins.map((edge) => limit(where, kind, edge, "a bin edge", "bins")) : [],
  };
}

function limit(where: string, kind: ValueType, value: unknown, what: string, code: string): Decimal | undefined {
  const { type, notation } = kind;
  const number = notation?.stated(value, `${where} has ${what}`);
  if (number && !fits(number, type))
    throw wrong(
      code,
      `${where} is ${oneOf(type)} with ${what} that is not whole: ${shown(value)}.`,
      "Give a whole number.",
    );
  if (!notation && textOf(value, kind, where) === undefined)
    throw wrong(
      code,
      `${where} has ${what} that is ${lacking(kind)}: ${shown(value)}.`,
      `Take it out: ${oneOf(type)} has no order.`,
    );
  return number;
}

const oneOf = (type: string) => `${type === "integer" ? "an" : "a"} ${type}`;

function gridOf(
  where: string,
  type: FieldType,
  notation: Notation,
  { bounds, edges }: Limits,
  block: Record<string, unknown>,
): Grid {
  const [minimum, maximum] = [bounds.get("minimum"), bounds.get("maximum")];
  if (!minimum || !maximum)
    throw wrong(
      "no-bounds",
      `${where} is modelled but has no ${minimum ? "" : "minimum"}${minimum || maximum ? "" : " and no "}${maximum ? "" : "maximum"}.`,
      "Declare minimum and maximum from a code book or a law; reading them from the rows would leak.",
    );
  const scale = Math.max(minimum.scale, maximum.scale);
  if (unitsAt(minimum, scale) > unitsAt(maximum, scale))
    throw wrong("bounds", `${where} has a minimum above its maximum.`, "Swap minimum and maximum.");
  const step = stepOf(where, notation, minimum, maximum, block.granularity);
  if (!fits(step, type))
    throw wrong(
      "granularity",
      `${where} is ${oneOf(type)} with a granularity that is not whole: ${shown(block.granularity)}.`,
      "Give a whole step.",
    );
  if (notation.unit === "") checkOnGrid(where, minimum, step);
  const grid = makeGrid(where, minimum, maximum, step, parseBins(where, block.bins, edges as readonly Decimal[]));
  checkReadable(where, notation, grid);
  return grid;
}

function stepOf(where: string, notation: Notation, minimum: Decimal, maximum: Decimal, granularity: unknown): Decimal {
  if (granularity === undefined) return notation.step(minimum, maximum);
  const step = decimal(granularity, `${where} has a granularity`, false);
  if (step.units > 0n) return step;
  throw wrong(
    "granularity",
    `${where} has a granularity that is not above 0: ${shown(granularity)}.`,
    "Use a step such as 0.1.",
  );
}

/** Grids of numbers pass through 0, so their values are round. Grids of dates and times start at their minimum. */
function checkOnGrid(where: string, minimum: Decimal, step: Decimal): void {
  const scale = Math.max(minimum.scale, step.scale);
  if (unitsAt(minimum, scale) % unitsAt(step, scale) !== 0n)
    throw wrong(
      "bounds",
      `${where} has a minimum that is not a multiple of its granularity ${formatDecimal(step)}.`,
      "Change the minimum, or state a finer granularity (standin.granularity).",
    );
}

/**
 * A written value must read back as the same point. A format may be coarser than the steps, or end before the last of
 * them.
 */
function checkReadable(where: string, notation: Notation, grid: Grid): void {
  for (const point of [0, Math.min(1, grid.points - 1), grid.points - 1]) {
    const value = valueAt(grid, point);
    const text = notation.write(value);
    const read = notation.read(text);
    if (!read || canonical(read) !== canonical(value))
      throw wrong(
        "format",
        `${where} has values that cannot be written: ${JSON.stringify(text)} would be read as ${read ? "another value" : "no value"}.`,
        "State a coarser granularity (standin.granularity), other bounds, or a more precise format.",
      );
  }
}

function parseBins(where: string, bins: unknown, edges: readonly Decimal[]): Bins | undefined {
  if (bins === undefined || bins === "tree") return bins;
  if (typeof bins === "number" && Number.isInteger(bins) && bins >= 1 && bins <= MOST_CATEGORIES) return bins;
  if (edges.length) return edges;
  throw wrong(
    "bins",
    `${where} has bins that are neither a number, nor a list of edges, nor "tree".`,
    "Try [0, 18, 65] or 20.",
  );
}

/** A fact whose provenance is `read`. */
export interface ReadFact {
  /** As messages name it: `field: fact`, or `schema: fact` if it is about the table as a whole. */
  readonly text: string;
  readonly isOfTable: boolean;
  /** The values that are stated for it; of one provenance for a whole field or schema, its members. */
  readonly values: readonly unknown[];
}

/** Every fact of a descriptor whose provenance is `read`. @throws {StandinError} `schema/provenance` */
export function factsRead(descriptor: Record<string, unknown>): ReadFact[] {
  const fields = descriptor.fields as Record<string, unknown>[];
  const { fields: _, ...ofTable } = descriptor;
  return [...readOf("schema", ofTable, true), ...fields.flatMap((field) => readOf(String(field.name), field, false))];
}

function readOf(owner: string, holder: Record<string, unknown>, isOfTable: boolean): ReadFact[] {
  const { constraints, standin, name: _, ...members } = holder;
  const { provenance, ...block } = isObject(standin) ? standin : {};
  if (provenance === undefined) return [];
  const facts = isObject(provenance) ? Object.entries(provenance) : [["all facts", provenance] as const];
  for (const [, source] of facts) choice(source, PROVENANCES, `${owner} has the provenance`, "schema/provenance");
  const stated = [members, constraints, block].filter(isObject);
  return facts
    .filter(([, source]) => source === "read")
    .map(([fact]) => ({
      text: `${owner}: ${fact}`,
      isOfTable,
      values: isObject(provenance)
        ? stated.filter((holder) => Object.hasOwn(holder, fact)).map((holder) => holder[fact])
        : [Object.assign({}, ...stated)],
    }));
}
