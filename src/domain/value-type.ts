import { type Decimal, parseDecimal, trimmed } from "../notation/decimal.js";
import type { Notation } from "../notation/notation.js";

/** What tells the values of a field's type from others, where the schema states one. */
export interface ValueType {
  readonly type: string;
  /** Of numbers, dates and times. */
  readonly notation: Notation | undefined;
  /** The field's `format`, for messages. */
  readonly format: unknown;
  /** All that a boolean may be spelled as. */
  readonly spellings: readonly string[];
}

/**
 * The text that a stated value has in a file; `undefined` where it is no value of the type. Texts are read in the
 * field's notation. JSON's numbers are values of numeric types alone, its truth values those of a boolean that is
 * spelled like them: of a string, `1` could be `01`, and of a date, 20240102 some day.
 * @throws {StandinError} `schema/number` for an integer that readers of JSON have rounded
 */
export function textOf(value: unknown, { type, notation, spellings }: ValueType, sentence: string): string | undefined {
  if (type === "boolean") {
    const isScalar = typeof value === "string" || typeof value === "boolean";
    return isScalar && spellings.includes(String(value)) ? String(value) : undefined;
  }
  if (typeof value === "number" && notation?.unit === "") {
    const number = parseDecimal(String(value));
    return number && fits(number, type) ? notation.write(notation.stated(value, sentence)) : undefined;
  }
  if (typeof value !== "string") return undefined;
  if (!notation) return value;
  const number = notation.read(value);
  return number && fits(number, type) ? value : undefined;
}

/** Whether a number is whole where the type's values are. */
export const fits = (number: Decimal, type: string): boolean =>
  (type !== "integer" && type !== "year") || trimmed(number).scale === 0;

/** What a value that is none of the type lacks, for messages: "no integer". */
export function lacking({ type, format, spellings }: ValueType): string {
  if (type === "string") return "not text";
  if (type === "boolean") return `not one of ${spellings.map((text) => JSON.stringify(text)).join(", ")}`;
  if (type === "integer" || type === "number" || type === "year")
    return `not ${type === "integer" ? "an" : "a"} ${type}`;
  return `not a ${type} in its format${typeof format === "string" ? ` ${JSON.stringify(format)}` : ""}`;
}

/** What to do about a category that is no value of the type. */
export function remedy({ type }: ValueType): string {
  if (type === "string") return "Write it in quotes, or take it out.";
  return 'Correct it or take it out: spellings of missing go into missingValues, and a field of words has the type "string".';
}
