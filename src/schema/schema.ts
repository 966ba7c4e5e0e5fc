import { parseConstraints } from "../constraints/constraints.js";
import { type Linked, linkColumns } from "../constraints/linked.js";
import { StandinError } from "../core/errors.js";
import { host } from "../core/host.js";
import { hintForText } from "../core/json.js";
import { deepCopy, deepFreeze } from "../core/plain.js";
import type { Attribute } from "../domain/attribute.js";
import { type Field, factsRead, parseField } from "../domain/field.js";
import { choice, isObject, noMisplaced, onlyMembers, strings } from "../notation/validate.js";

export type { CategoryDomain } from "../domain/categories.js";
export type { Domain, Field } from "../domain/field.js";

/** How the table's file is written, as far as the schema states it. */
export interface Dialect {
  readonly delimiter?: string;
  readonly skipLines?: number;
  readonly encoding?: string;
}

/** A table's public facts. They do not change after parsing, and plans depend on that. */
export interface Schema {
  readonly fields: readonly Field[];
  /** The modelled fields, in schema order. */
  readonly attributes: readonly Attribute[];
  /** Spellings of a missing cell, of which the first is written. If empty, nothing can be missing. */
  readonly missingValues: readonly string[];
  readonly dialect: Dialect;
  /** The protected unit: one row, or one person with up to `maxRows` rows. */
  readonly unit: "row" | { readonly column?: string; readonly maxRows: number };
  /** The constraints between cells of a row, grouped by the columns that they link. @internal */
  readonly linked: readonly Linked[];
  /** The facts that were read from the rows, such as `age: minimum`. */
  readonly readFacts: readonly string[];
  /** The descriptor as it was given. */
  toJSON(): Descriptor;
}

/** A Frictionless Table Schema with `standin` blocks. */
export type Descriptor = { readonly fields: readonly object[] } & Readonly<Record<string, unknown>>;

/** @throws {StandinError} `schema/unparsed` for anything but a schema returned by `parseSchema` */
export function expectSchema(schema: Schema): void {
  if (!Array.isArray(schema?.attributes))
    throw new StandinError(
      "schema/unparsed",
      "Expected a schema that parseSchema has read.",
      "Call parseSchema first.",
    );
}

/**
 * Reads a schema: an object, or JSON text. The values that a modelled field states (categories, `other`, bounds, bin
 * edges) must be of its type. `missingValues` are always texts, whatever the types: spellings that a file has in place
 * of a value.
 * @throws {StandinError} `schema/…` naming the field, what was expected, what was found and what to do
 * @example
 * const schema = parseSchema({
 *   fields: [
 *     { name: "sex", type: "string", constraints: { enum: ["F", "M"] } },
 *     { name: "age", type: "integer", constraints: { minimum: 0, maximum: 99, required: true } },
 *   ],
 * });
 * schema.attributes.map(({ name, size }) => `${name}: ${size}`); // → ["sex: 3", "age: 100"]
 */
export function parseSchema(source: unknown): Schema {
  const descriptor = typeof source === "string" ? parseJson(source) : deepCopy(source);
  if (!isObject(descriptor) || !Array.isArray(descriptor.fields) || !descriptor.fields.length)
    throw new StandinError(
      "schema/fields",
      "The schema has no list of fields.",
      'A schema is an object such as { "fields": [{ "name": "age", "type": "integer", "constraints": { "minimum": 0, "maximum": 99 } }] }.',
    );
  const missingValues =
    descriptor.missingValues === undefined ? [""] : strings(descriptor.missingValues, "missingValues of the schema");
  noMisplaced(descriptor, "The schema", ["unit", "spent", "missing_values", "missingvalues"]);
  const block = descriptor.standin ?? {};
  onlyMembers(block, "The schema's standin block", ["unit", "spent", "constraints", "provenance"]);
  refuseSpent(block);
  const { fields, attributes } = parseFields(descriptor.fields, missingValues);
  const modelled = fields.filter(({ domain }) => domain);
  const stated = deepFreeze(descriptor) as Descriptor;
  return Object.freeze({
    fields: Object.freeze(fields),
    attributes: deepFreeze(attributes),
    missingValues: deepFreeze(missingValues),
    dialect: deepFreeze(parseDialect(descriptor)),
    unit: deepFreeze(parseUnit(block.unit, fields)),
    linked: Object.freeze(linkColumns(parseConstraints(block.constraints, fields), modelled)),
    readFacts: deepFreeze(factsRead(descriptor).map(({ text }) => text)),
    toJSON: () => stated,
  });
}

/** The fields of a descriptor, and the attributes that queries see of the modelled ones. @throws as in `parseSchema` */
export function parseFields(
  given: readonly unknown[],
  missingValues: readonly string[],
): { fields: readonly Field[]; attributes: readonly Attribute[] } {
  const fields: Field[] = [];
  const attributes: Attribute[] = [];
  for (const descriptor of given) {
    const field = parseField(descriptor, fields.length, missingValues, attributes.length);
    if (fields.some(({ name }) => name === field.name))
      throw new StandinError(
        "schema/duplicate-field",
        `Two fields are named "${field.name}".`,
        "Give each field a name of its own.",
      );
    fields.push(field);
    if (field.domain) {
      const { domain, required } = field;
      const values = domain.kind === "grid" ? domain.starts.length : domain.labels.length;
      const ordered = domain.kind === "grid";
      const tree = ordered && domain.tree;
      attributes.push({ name: field.name, size: values + (required ? 0 : 1), tree, missing: !required, ordered });
    }
  }
  return { fields, attributes };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new StandinError(
      "schema/json",
      "The schema is not JSON: it cannot be parsed.",
      hintForText(text, "Check commas, quotes and brackets."),
    );
  }
}

/**
 * Part of the format that this version does not support is refused, because ignoring it would break what it promises.
 */
function refuseSpent({ spent }: Record<string, unknown>): void {
  if (spent !== undefined)
    throw new StandinError(
      "schema/unsupported",
      "The schema's standin.spent is not supported by this version.",
      "Take it out of the schema.",
    );
}

/** How a descriptor says that its table's file is written. @throws {StandinError} `schema/dialect` */
export function parseDialect({ dialect = {}, encoding }: Record<string, unknown>): Dialect {
  if (!isObject(dialect))
    throw new StandinError("schema/dialect", "The schema's dialect is not an object.", 'Write { "delimiter": ";" }.');
  const { delimiter, quoteChar = '"', skipLines, encoding: inside = encoding } = dialect;
  if (delimiter !== undefined && !isDelimiter(delimiter))
    throw new StandinError(
      "schema/dialect",
      "The dialect's delimiter is not one mark or blank.",
      'Use "," or ";" or "\\t" or "|".',
    );
  if (quoteChar !== '"')
    throw new StandinError("schema/dialect", "The dialect's quoteChar is not supported.", "Quotes are double quotes.");
  if (skipLines !== undefined && !(Number.isSafeInteger(skipLines) && (skipLines as number) >= 0))
    throw new StandinError(
      "schema/dialect",
      "The dialect's skipLines is not a whole number of at least 0.",
      "Count the lines above the header.",
    );
  if (inside !== undefined && !isEncoding(inside))
    throw new StandinError(
      "schema/dialect",
      `The dialect's encoding is ${JSON.stringify(inside)}, which cannot be read here.`,
      'Use a name such as "utf-8", "utf-16le" or "latin1".',
    );
  return { delimiter, skipLines, encoding: inside } as Dialect;
}

/** Whether a value can separate cells: one ASCII punctuation mark or blank, but not a quote. */
export function isDelimiter(value: unknown): value is string {
  return typeof value === "string" && /^[\t !#-/:-@[-`{-~]$/.test(value);
}

const isEncoding = (name: unknown): boolean => typeof name === "string" && host().encoding(name) !== undefined;

function parseUnit(unit: unknown, fields: readonly Field[]): Schema["unit"] {
  if (unit === undefined || unit === "row") return "row";
  onlyMembers(unit, "standin.unit", ["column", "maxRows"]);
  const { column, maxRows } = unit;
  if (!(Number.isSafeInteger(maxRows) && (maxRows as number) >= 1 && (maxRows as number) <= 65535))
    throw new StandinError(
      "schema/unit",
      maxRows === undefined ? "standin.unit lacks maxRows." : `standin.unit has maxRows ${JSON.stringify(maxRows)}.`,
      "State the most rows one person may have in the result, from 1 to 65,535.",
    );
  if (column !== undefined) {
    const names = fields.map((field) => field.name);
    choice(column, names, "standin.unit names the column", "schema/unit");
    if (fields.find(({ name }) => name === column)?.role === "model")
      throw new StandinError(
        "schema/unit",
        `The field "${column}" identifies persons (standin.unit) and is never modelled, but it has the role "model".`,
        'Give it the role "id" or "drop".',
      );
  }
  return { ...(column === undefined ? {} : { column: column as string }), maxRows: maxRows as number };
}
