import { forUsers } from "../core/option-text.js";
import { thousands } from "../core/thousands.js";
import { compareDecimals, unitsAt } from "../notation/decimal.js";
import type { ColumnProfile, TypedColumn } from "./column-profile.js";
import type { FieldFacts } from "./recognise.js";

/** A field as a descriptor states it, and notes about it for its owner. */
export interface ProposedField {
  readonly field: object;
  readonly notes: readonly string[];
}

/** Names of identifiers. */
const ID_NAME =
  /(?:^|[^a-z])(?:id|ids|uuid|guid|e-?mail|phone|tel|mobile|ssn|iban|passport|serialno)(?:[^a-z]|$)|[a-z](?:Id|ID)$/i;
const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;
const UUID = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i;
/** The longest text, and the largest number of words, of an identifier. */
const ID_LENGTH = 64;
const ID_WORDS = 2;
/** One number with decimals, or a text with a time of day: a measurement, whether or not a type can read it. */
const MEASURE = /^\D{0,5}\d{1,3}(?:[,.' ]?\d{3})*[.,]\d{1,2}\D{0,5}$|(?:^|\D)\d{1,2}:\d\d(?!\d)/;
/** The shortest run of distinct consecutive whole numbers that is taken for a numbering of the rows. */
const NUMBERING = 20;
/**
 * Number of points beyond which a grid becomes a tree, whose leaves mix values. A few values that repeat are better
 * listed.
 */
const LISTED_BEYOND = 128n;
const LISTED_TIMES = 5;

/**
 * A field for a column. Every fact has the provenance `read`.
 * @param missing spellings of missing cells, in all columns
 * @param maxCategories the largest number of distinct texts that are listed as categories
 */
export function proposeField(
  profile: ColumnProfile,
  missing: ReadonlySet<string>,
  maxCategories: number,
): ProposedField {
  const { name } = profile;
  const typed = profile.typed();
  const [values, strays] = told(profile.values(missing), typed);
  const quoted = JSON.stringify(name);
  const one = (field: object, note: string) => ({ field, notes: [note] });
  if (!values.length) return one(fieldOf(name, TEXT, "drop"), `${quoted} is empty: it will be left out.`);
  const format = [UUID, EMAIL].findIndex((pattern) => !typed && values.every((text) => pattern.test(text.trim())));
  if (format >= 0 || isIdentifier(profile, typed, values, maxCategories)) {
    const type = typed ? typed.facts.members.type : "string";
    const members = { type, ...(format < 0 ? {} : { format: ["uuid", "email"][format] }) };
    const pattern = type === "string" && format < 0 ? patternOf(values) : undefined;
    const facts = { members, ...(pattern === undefined ? {} : { block: { format: { pattern } } }) };
    return one(fieldOf(name, facts, "id"), noteOnId(quoted, values.length, profile));
  }
  const notes = notesOn(quoted, values.length, strays.length, typed);
  const isCode = !typed || typed.facts.members.type === "integer";
  if (isCode && profile.repeated && ID_NAME.test(name))
    notes.push(
      `${quoted} has the name of an identifier, and its values repeat. If they identify persons (or other units) with several rows each, give it the role "id". ${unitNote(quoted)}`,
    );
  if (typed && !isListed(profile, typed, values, maxCategories)) return { field: fieldOf(name, typed.facts), notes };
  if (values.length <= maxCategories && !profile.forgotten) {
    const members = { ...typed?.facts.members, type: typed?.facts.members.type ?? "string" };
    return {
      field: fieldOf(name, { members, constraints: { enum: typed ? ascending(values, typed) : values } }),
      notes,
    };
  }
  const count = profile.forgotten ? `more than ${thousands(values.length)}` : thousands(values.length);
  return one(
    fieldOf(name, TEXT, "drop"),
    `${quoted} has ${count} different texts, more than ${forUsers("maxCategories", "--max-categories")} ${maxCategories}: it will be left out.`,
  );
}

const TEXT: FieldFacts = { members: { type: "string" } };

/**
 * A column's texts that are values of its type, and those that may mean "missing" but are not a spelling of it in this
 * table.
 */
function told(
  texts: readonly string[],
  typed: TypedColumn | undefined,
): [values: readonly string[], strays: readonly string[]] {
  const isValue = (text: string) => !typed || typed.recogniser.read(text.trim()) !== undefined;
  return [texts.filter(isValue), texts.filter((text) => !isValue(text))];
}

function noteOnId(quoted: string, values: number, { repeated, forgotten }: ColumnProfile): string {
  if (repeated)
    return `${quoted} repeats, so rows belong to persons (or other units) that it identifies. It will be made anew for each row. ${unitNote(quoted)}`;
  return forgotten
    ? `${quoted} seems to identify rows (its first ${thousands(values)} values are all different): it will be made anew.`
    : `${quoted} identifies rows: it will be made anew.`;
}

/** What the owner of a table with several rows for one person has to declare. */
const unitNote = (quoted: string) =>
  `A guarantee covers one row only, unless the schema's standin block has "unit": { "column": ${quoted}, "maxRows": K }, with K the most rows that one of them may have.`;

function notesOn(quoted: string, values: number, strays: number, typed: TypedColumn | undefined): string[] {
  const notes: string[] = [];
  if (values === 1) notes.push(`${quoted} has only one value.`);
  else if (typed?.doubtful)
    notes.push(`${quoted} can be read in more than one way: it was taken as ${spelled(typed)}.`);
  if (strays)
    notes.push(
      `${quoted} has ${strays === 1 ? "a text that is" : `${thousands(strays)} texts that are`} neither of its type nor listed as missing: such cells will be read as missing.`,
    );
  return notes;
}

function spelled({ facts: { members } }: TypedColumn): string {
  const { type, ...others } = members;
  return `${type} ${JSON.stringify(others)}`;
}

/**
 * The form of more than half of the texts, with # in place of digits. A # in a text itself would be taken for a digit.
 */
function patternOf(values: readonly string[]): string | undefined {
  const times = new Map<string, number>();
  for (const text of values) {
    const form = text.includes("#") ? "" : text.replace(/\d/g, "#");
    times.set(form, (times.get(form) ?? 0) + 1);
  }
  return [...times].find(([form, count]) => form.includes("#") && 2 * count > values.length)?.[0];
}

function isIdentifier(
  profile: ColumnProfile,
  typed: TypedColumn | undefined,
  values: readonly string[],
  maxCategories: number,
): boolean {
  const many = values.length > maxCategories;
  const different = !profile.repeated;
  if (typed && typed.facts.members.type !== "integer") return false;
  if (ID_NAME.test(profile.name) && (different || (many && !typed))) return true;
  if (typed) return different && (isNumbering(typed, profile.cells) || isBeyondMeasure(typed));
  const short = profile.longest <= ID_LENGTH && profile.words <= ID_WORDS;
  return different && many && short && !values.every((text) => MEASURE.test(text));
}

function isNumbering({ seen: { minimum, maximum } }: TypedColumn, cells: number): boolean {
  return cells >= NUMBERING && maximum.units - minimum.units + 1n === BigInt(cells);
}

/** No measurement counts beyond 2^53. */
const isBeyondMeasure = ({ seen }: TypedColumn) => seen.maximum.units > Number.MAX_SAFE_INTEGER;

/** Whether numbers are better listed than put on a grid: few of them, far apart, and each of them frequent. */
function isListed(
  profile: ColumnProfile,
  { recogniser, seen: { minimum, maximum, decimals }, facts }: TypedColumn,
  values: readonly string[],
  maxCategories: number,
): boolean {
  if (facts.members.type !== "integer" && facts.members.type !== "number") return false;
  if (profile.forgotten || values.length > maxCategories || profile.cells < LISTED_TIMES * values.length) return false;
  const scale = Math.max(minimum.scale, maximum.scale, decimals);
  const points = (unitsAt(maximum, scale) - unitsAt(minimum, scale)) / 10n ** BigInt(scale - decimals);
  const numbers = new Set(values.map((text) => unitsAt(recogniser.read(text.trim())!, scale)));
  return points > LISTED_BEYOND && numbers.size === values.length;
}

/** Texts in the order of their values. */
function ascending(values: readonly string[], { recogniser }: TypedColumn): string[] {
  const read = (text: string) => recogniser.read(text.trim())!;
  return values.toSorted((one, other) => compareDecimals(read(one), read(other)));
}

function fieldOf(name: string, { members, constraints = {}, block = {} }: FieldFacts, role?: "id" | "drop"): object {
  const stated = { ...(role && { role }), ...block };
  const facts = [...Object.keys(members), ...Object.keys(constraints), ...Object.keys(stated)];
  return {
    name,
    ...members,
    ...(Object.keys(constraints).length ? { constraints } : {}),
    standin: { ...stated, provenance: Object.fromEntries(facts.map((fact) => [fact, "read"])) },
  };
}
