import { type Decimal, parseDecimal, trimmed } from "../notation/decimal.js";
import type { Notation } from "../notation/notation.js";

/** What distinguishes values of a field's type from other values in a schema. */
export interface ValueType {
  readonly type: string;
  /** The notation of numbers, dates and times. */
  readonly notation: Notation | undefined;
  /** The field's `format`, for messages. */
  readonly format: unknown;
  /** All spellings of a boolean. */
  readonly spellings: readonly string[];
}

/**
 * The text that a stated value has in a file; `undefined` if it is not a value of the type. Texts are read in the
 * field's notation. JSON numbers are values of numeric types only. JSON's true and false are values only of a boolean
 * that is spelled like them: for a string, `1` could mean `01`, and for a date, 20240102 could mean some day.
 * @throws {StandinError} `schema/number` for an integer that JSON readers have rounded
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

/** Whether a number is whole, if the type's values are. */
export const fits = (number: Decimal, type: string): boolean =>
  (type !== "integer" && type !== "year") || trimmed(number).scale === 0;

/** What a value of the wrong type lacks, for messages: "no integer". */
export function lacking({ type, format, spellings }: ValueType): string {
  if (type === "string") return "not text";
  if (type === "boolean") return `not one of ${spellings.map((text) => JSON.stringify(text)).join(", ")}`;
  if (type === "integer" || type === "number" || type === "year")
    return `not ${type === "integer" ? "an" : "a"} ${type}`;
  return `not a ${type} in its format${typeof format === "string" ? ` ${JSON.stringify(format)}` : ""}`;
}

/** What to do about a category that is not a value of the type. */
export function remedy({ type }: ValueType): string {
  if (type === "string") return "Write it in quotes, or take it out.";
  return 'Correct it or take it out: spellings of missing go into missingValues, and a field of words has the type "string".';
}
