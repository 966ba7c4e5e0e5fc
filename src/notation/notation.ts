import type { Value } from "../core/table.js";
import type { Decimal } from "./decimal.js";

/** How the values of a number, date or time are spelled: texts ↔ exact numbers of its unit. */
export interface Notation {
  /** `d` (days since 1970-01-01), `s` (seconds since 1970-01-01T00:00:00Z, or since midnight), or none. */
  readonly unit: "" | "d" | "s";
  /** The number that a cell's text states; `undefined` if it states none. */
  read(text: string): Decimal | undefined;
  /** The text of a number. All decimal places of its scale are written, zeros included, unless it has an exponent. */
  write(number: Decimal): string;
  /** The number as a JavaScript value. */
  value(number: Decimal): Value;
  /**
   * A bound or edge as a schema states it.
   * @param sentence the beginning of an error message
   * @throws {StandinError} `schema/number` or `schema/bounds`
   */
  stated(value: unknown, sentence: string): Decimal;
  /** The granularity between these bounds if the schema states none. */
  step(minimum: Decimal, maximum: Decimal): Decimal;
}
