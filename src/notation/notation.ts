import type { Value } from "../core/table.js";
import type { Decimal } from "./decimal.js";

/** How the values of a number, date or time are spelled: texts ↔ exact numbers of its unit. */
export interface Notation {
  /** `d` (days since 1970-01-01), `s` (seconds since 1970-01-01T00:00:00Z, or since midnight), or none. */
  readonly unit: "" | "d" | "s";
  /** The number behind a cell's text; `undefined` where there is none. */
  read(text: string): Decimal | undefined;
  /**
   * The text of a number. Its places behind the point are written whether they are zeros or not, unless it has an
   * exponent.
   */
  write(number: Decimal): string;
  /** The number as JavaScript sees it. */
  value(number: Decimal): Value;
  /**
   * A bound or edge as a schema states it.
   * @param sentence how an error begins
   * @throws {StandinError} `schema/number` or `schema/bounds`
   */
  stated(value: unknown, sentence: string): Decimal;
  /** The granularity between these bounds where the schema states none. */
  step(minimum: Decimal, maximum: Decimal): Decimal;
}
