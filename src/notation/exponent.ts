// Numbers with exponents, such as 2.500000e-01, and the rule for which numbers of a column are written this way.
import { affixed, compareDecimals, type Decimal, type Marks, magnitudeOf, orderOf } from "./decimal.js";
import { decimal, wrong } from "./validate.js";

/** The members of `standin.format` that are about exponents. */
export const EXPONENT_MEMBERS = ["exponent", "plainFrom", "plainBelow"];

/** How numbers are written with exponents. */
export interface Exponent {
  /** The fewest digits after the mantissa's point. */
  readonly places: number;
  readonly letter: string;
  /** The sign before exponents that are not negative: a plus sign, or nothing. */
  readonly plus: string;
  /** The fewest digits of the exponent. */
  readonly width: number;
  /**
   * Magnitudes from `plainFrom` up to, but not including, `plainBelow` are written without an exponent, and so is 0. If
   * neither is stated, every number has one.
   */
  readonly plainFrom: Decimal | undefined;
  readonly plainBelow: Decimal | undefined;
}

const PATTERN = /^0(?:\.(0+))?([eE])(\+?)(0{1,3})$/;

/**
 * The members of `standin.format` about exponents. `exponent` is the shape of a number: `0.000000e+00` for numbers as C
 * and R write them (six digits after the point, and more where a number has more; a plus sign; two digits in the
 * exponent). `plainFrom` and `plainBelow` are the magnitudes that are written without an exponent.
 * @throws {StandinError} `schema/format`; `schema/number` for magnitudes that are not numbers
 */
export function parseExponent(where: string, format: Record<string, unknown>): Exponent | undefined {
  const { exponent, plainFrom, plainBelow } = format;
  if (exponent === undefined) {
    if (plainFrom === undefined && plainBelow === undefined) return undefined;
    throw wrong("format", `${where} says which numbers have no exponent, but not how exponents are written.`, HINT);
  }
  const match = typeof exponent === "string" ? PATTERN.exec(exponent) : undefined;
  if (!match) throw wrong("format", `${where} has the exponent ${JSON.stringify(exponent)}.`, HINT);
  const [, zeros = "", letter, plus, digits] = match;
  const range = {
    plainFrom: magnitude(plainFrom, `${where} has a plainFrom`),
    plainBelow: magnitude(plainBelow, `${where} has a plainBelow`),
  };
  if (range.plainFrom && range.plainBelow && compareDecimals(range.plainFrom, range.plainBelow) >= 0)
    throw wrong("format", `${where} has a plainFrom that is not below its plainBelow.`, "Swap them.");
  return { places: zeros.length, letter, plus, width: digits.length, ...range };
}

const HINT = 'Write "0.000000e+00" for 2.500000e-01, "0.0E0" for 2.5E-1 or "0e+00" for 1e-05.';

function magnitude(value: unknown, sentence: string): Decimal | undefined {
  if (value === undefined) return undefined;
  const number = decimal(value, sentence, false);
  if (number.units > 0n) return number;
  throw wrong("format", `${sentence} that is not above 0.`, "Give a magnitude such as 0.0001.");
}

/** Whether some numbers are written without an exponent. */
export const isMixed = ({ plainFrom, plainBelow }: Exponent): boolean => Boolean(plainFrom ?? plainBelow);

/** Whether a number is written with an exponent. */
export function hasExponent({ units, scale }: Decimal, exponent: Exponent): boolean {
  if (!isMixed(exponent)) return true;
  if (units === 0n) return false;
  const { plainFrom, plainBelow } = exponent;
  const size = { units: magnitudeOf(units), scale };
  const small = plainFrom !== undefined && compareDecimals(size, plainFrom) < 0;
  return small || (plainBelow !== undefined && compareDecimals(size, plainBelow) >= 0);
}

/** A number with an exponent: one digit before the point, then all its digits except trailing zeros. */
export function formatExponent(number: Decimal, { places, letter, plus, width }: Exponent, marks: Marks): string {
  const order = orderOf(number);
  const digits = magnitudeOf(number.units).toString();
  const fraction = digits.slice(1).replace(/0+$/, "").padEnd(places, "0");
  const mantissa = digits[0] + (fraction && marks.decimalChar + fraction);
  const exponent = (order < 0 ? "-" : plus) + String(Math.abs(order)).padStart(width, "0");
  return affixed(number.units, mantissa + letter + exponent, marks);
}
