import type { Value } from "../core/table.js";
import type { Decimal, Marks } from "./decimal.js";
import type { Offset, PieceFacts } from "./directives.js";
import type { Exponent } from "./exponent.js";

/** The facts by which the engine reads and writes the values. */
export type Spelling =
  | {
      readonly unit: "";
      readonly marks: Marks;
      /** Whether there is no text around numbers. */
      readonly bare: boolean;
      readonly exponent: Exponent | undefined;
    }
  | {
      readonly unit: "d" | "s";
      readonly pieces: readonly PieceFacts[];
      /** The offset of texts that state none. */
      readonly offset: Offset | undefined;
    };

/** How the values of a number, date or time are spelled: texts ↔ exact numbers of its unit. */
export interface Notation {
  /** `d` (days since 1970-01-01), `s` (seconds since 1970-01-01T00:00:00Z, or since midnight), or none. */
  readonly unit: "" | "d" | "s";
  readonly spelling: Spelling;
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
