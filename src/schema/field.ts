import { StandinError } from "../core/errors.js";
import type { Value } from "../core/table.js";
import { type Decimal, formatDecimal, parseDecimal, trimmed } from "./decimal.js";
import { type Bins, type Grid, makeGrid } from "./grid.js";
import { choice, isObject, noMisplaced, onlyMembers, strings } from "./validate.js";

export type FieldType = "string" | "integer" | "number" | "boolean" | "date" | "datetime" | "time" | "year";
export type Role = "model" | "id" | "drop";

/** A finite list of values: code c is `labels[c]`. */
export interface CategoryDomain {
  readonly kind: "category";
  /** The text that is written for each code. */
  readonly labels: readonly string[];
  /** The value for each code. */
  readonly values: readonly Value[];
  /** More spellings that are read as a code (booleans, numbers written differently). */
  readonly spellings: ReadonlyMap<string, number>;
  /** The code of unlisted values, where the schema names one. */
  readonly other: number | undefined;
}

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
  /** How numbers are written. */
  readonly decimalChar: string;
  readonly groupChar: string;
  /** Whether a number may carry other text, such as a currency sign. */
  readonly bareNumber: boolean;
}

const MISPLACED = [
  ...["role", "other", "granularity", "bins", "provenance", "unit"],
  ...["enum", "minimum", "maximum", "required", "min", "max", "constrains", "missingValues"],
];
/** What the format's constraints may be; only `required`, `enum`, `minimum` and `maximum` are acted on. */
const CONSTRAINTS = [
  ...["required", "unique", "enum", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"],
  ...["minLength", "maxLength", "pattern", "jsonSchema"],
];
const TYPES = ["string", "integer", "number", "boolean", "date", "datetime", "time", "year"] as const;
const ROLES = ["model", "id", "drop"] as const;
const PROVENANCES = ["declared", "paid", "read"] as const;
/** Codes are u16, and the last two stay free for "missing" and "none". */
const MOST_CATEGORIES = 65_534;

/**
 * Reads one field of a schema.
 * @param at its place, for fields without a name
 * @param attribute its place among the modelled fields, should it be one
 * @throws {StandinError} `schema/…`
 */
export function parseField(given: unknown, at: number, missingValues: readonly string[], attribute: number): Field {
  if (!isObject(given) || typeof given.name !== "string")
    throw wrong("field", `Field number ${at + 1} has no name.`, "Give it the name that the table's header has.");
  const where = `The field "${given.name}"`;
  noMisplaced(given, where, MISPLACED);
  const type = choice(given.type ?? "string", TYPES, `${where} has the type`, "schema/unknown-type");
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
  const constraints = given.constraints ?? {};
  onlyMembers(constraints, `${where}, in its constraints,`, CONSTRAINTS);
  const required = constraints.required ?? false;
  if (typeof required !== "boolean")
    throw wrong("constraints", `${where} has a "required" that is not true or false.`, "Use true.");
  const field = {
    name: given.name,
    type,
    role,
    required: required || !missingValues.length,
    decimalChar: mark(given.decimalChar, ".", `${where} has a decimalChar`),
    groupChar: mark(given.groupChar, "", `${where} has a groupChar`),
    bareNumber: given.bareNumber !== false,
  };
  if (field.decimalChar === field.groupChar)
    throw wrong("number", `${where} has the same decimalChar and groupChar.`, "Use two different characters.");
  if (role !== "model") return field;
  return { ...field, attribute, domain: parseDomain(where, field, given, constraints, block, missingValues) };
}

/** Every fact of a descriptor whose provenance is `read`, as `field: fact`. @throws {StandinError} `schema/provenance` */
export function factsRead(descriptor: Record<string, unknown>): string[] {
  const read = (owner: string, provenance: unknown): string[] => {
    if (provenance === undefined) return [];
    const facts: [string, unknown][] = isObject(provenance) ? Object.entries(provenance) : [["all facts", provenance]];
    for (const [, source] of facts) choice(source, PROVENANCES, `${owner} has the provenance`, "schema/provenance");
    return facts.flatMap(([fact, source]) => (source === "read" ? [`${owner}: ${fact}`] : []));
  };
  const provenanceOf = (holder: unknown) =>
    isObject(holder) && isObject(holder.standin) ? holder.standin.provenance : undefined;
  const fields = descriptor.fields as Record<string, unknown>[];
  return [
    ...read("schema", provenanceOf(descriptor)),
    ...fields.flatMap((field) => read(String(field.name), provenanceOf(field))),
  ];
}

type Plain = Pick<Field, "name" | "type" | "required" | "decimalChar" | "groupChar">;

function parseDomain(
  where: string,
  field: Plain,
  given: Record<string, unknown>,
  constraints: Record<string, unknown>,
  block: Record<string, unknown>,
  missingValues: readonly string[],
): Domain {
  const { type } = field;
  if (constraints.enum !== undefined) return listed(where, field, constraints.enum, block.other, missingValues);
  if (type === "boolean") return booleans(where, given, missingValues);
  if (block.other !== undefined)
    throw wrong(
      "other",
      `${where} names a category for unlisted values but lists none.`,
      "Give it an enum, or drop standin.other.",
    );
  if (type === "string")
    throw wrong(
      "no-categories",
      `${where} is modelled but has no categories: constraints.enum is missing.`,
      'List its categories from a code book (reading them from the rows would leak), or give it the role "drop" or "id".',
    );
  if (type !== "integer" && type !== "number")
    throw wrong(
      "unsupported-type",
      `${where} has the type ${type}, which this version cannot model without an enum.`,
      'Give it the role "drop" or "id", or list its values (constraints.enum).',
    );
  const bound = (name: "minimum" | "maximum") => decimal(constraints[name], `${where} has a ${name}`);
  const [minimum, maximum] = [bound("minimum"), bound("maximum")];
  if (!minimum || !maximum)
    throw wrong(
      "no-bounds",
      `${where} is modelled but has no ${minimum ? "" : "minimum"}${minimum || maximum ? "" : " and no "}${maximum ? "" : "maximum"}.`,
      "Declare minimum and maximum from a code book or a law; reading them from the rows would leak.",
    );
  const granularity = decimal(block.granularity, `${where} has a granularity`);
  return makeGrid(where, type === "integer", minimum, maximum, granularity, parseBins(where, block.bins));
}

function parseBins(where: string, bins: unknown): Bins | undefined {
  if (bins === undefined || bins === "tree") return bins;
  if (typeof bins === "number" && Number.isInteger(bins) && bins >= 1 && bins <= MOST_CATEGORIES) return bins;
  if (Array.isArray(bins) && bins.length) return bins.map((edge) => decimal(edge, `${where} has a bin edge`)!);
  throw wrong(
    "bins",
    `${where} has bins that are neither a number, nor a list of edges, nor "tree".`,
    "Try [0, 18, 65] or 20.",
  );
}

function decimal(value: unknown, sentence: string): Decimal | undefined {
  if (value === undefined) return undefined;
  const parsed = typeof value === "number" || typeof value === "string" ? parseDecimal(String(value)) : undefined;
  if (!parsed) throw wrong("number", `${sentence} that is no number: ${JSON.stringify(value)}.`, "Give a number.");
  return trimmed(parsed);
}

function listed(
  where: string,
  field: Plain,
  given: unknown,
  other: unknown,
  missingValues: readonly string[],
): CategoryDomain {
  if (
    !Array.isArray(given) ||
    !given.length ||
    !given.every((entry) => ["string", "number", "boolean"].includes(typeof entry))
  )
    throw wrong(
      "enum",
      `${where} has an enum that is no list of categories, or is empty.`,
      "List at least one category.",
    );
  if (other !== undefined && typeof other !== "string")
    throw wrong("other", `${where} names a category for unlisted values that is no text.`, 'Write "other": "Other".');
  const labels = given.map(String);
  const seen = new Set<string>();
  const twice = labels.find((label) => seen.size === seen.add(label).size);
  if (twice !== undefined)
    throw wrong("enum", `${where} lists the category ${JSON.stringify(twice)} twice.`, "List each category once.");
  if (other !== undefined && !labels.includes(other)) labels.push(other);
  tooMany(where, labels.length);
  notMissing(where, labels, missingValues);
  const numeric = field.type === "integer" || field.type === "number";
  const spellings = new Map<string, number>();
  const values = labels.map((label, code): Value => {
    const number = numeric ? parseDecimal(label) : undefined;
    if (!number) return label;
    // Numbers are also known by their value, whatever their zeros and signs.
    const spelling = canonical(number);
    if (spellings.has(spelling))
      throw wrong("enum", `${where} lists the number ${spelling} twice.`, "List each category once.");
    spellings.set(spelling, code);
    return numberOf(trimmed(number));
  });
  return {
    kind: "category",
    labels,
    values,
    spellings,
    other: other === undefined ? undefined : labels.indexOf(other),
  };
}

/** A number's one spelling: no leading or trailing zeros, no plus sign. */
export function canonical(number: Decimal): string {
  const { units, scale } = trimmed(number);
  return formatDecimal(units, scale);
}

/** A decimal as JavaScript's number, or as bigint where it is an integer beyond 2^53. */
export function numberOf({ units, scale }: Decimal): number | bigint {
  if (scale === 0) return Number.isSafeInteger(Number(units)) ? Number(units) : units;
  return Number(formatDecimal(units, scale));
}

function booleans(where: string, given: Record<string, unknown>, missingValues: readonly string[]): CategoryDomain {
  const trues = strings(given.trueValues ?? ["true", "True", "TRUE", "1"], `trueValues of the field "${given.name}"`);
  const falses = strings(
    given.falseValues ?? ["false", "False", "FALSE", "0"],
    `falseValues of the field "${given.name}"`,
  );
  const both = trues.find((value) => falses.includes(value));
  if (!trues.length || !falses.length || both !== undefined)
    throw wrong(
      "boolean",
      `${where} has trueValues and falseValues that are empty or overlap.`,
      'Use ["yes"] and ["no"].',
    );
  notMissing(where, [...trues, ...falses], missingValues);
  const spellings = new Map([...falses.map((text) => [text, 0] as const), ...trues.map((text) => [text, 1] as const)]);
  return { kind: "category", labels: [falses[0], trues[0]], values: [false, true], spellings, other: undefined };
}

function notMissing(where: string, labels: readonly string[], missingValues: readonly string[]): void {
  const both = labels.find((label) => missingValues.includes(label));
  if (both !== undefined)
    throw wrong(
      "missing",
      `${where} lists ${JSON.stringify(both)}, which missingValues says means missing.`,
      "Take it out of one of the two.",
    );
}

function tooMany(where: string, categories: number): void {
  if (categories > MOST_CATEGORIES)
    throw wrong(
      "too-many-categories",
      `${where} has ${categories} categories, more than ${MOST_CATEGORIES}.`,
      "List the common ones and name a category for the rest (standin.other).",
    );
}

function mark(value: unknown, fallback: string, sentence: string): string {
  if (value === undefined) return fallback;
  if (typeof value === "string" && value.length === 1 && !/[\d+\-eE]/.test(value)) return value;
  throw wrong("number", `${sentence} that is not one character.`, 'Use "," or "." or " ".');
}

function wrong(code: string, message: string, hint: string): StandinError {
  return new StandinError(`schema/${code}`, message, hint);
}
