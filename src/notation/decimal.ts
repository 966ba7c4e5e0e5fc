// Exact decimals: a number is units · 10^−scale, both integers. Bounds, steps and cells never pass through binary
// floating point.

/** units · 10^−scale, scale ≥ 0. */
export interface Decimal {
  readonly units: bigint;
  readonly scale: number;
}

const PATTERN = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,4}))?$/;

/**
 * Reads decimal text such as `-12.50`, `.5` or `1e-7`. Returns `undefined` if the text is not a decimal, or has more
 * than 400 digits.
 */
export function parseDecimal(text: string): Decimal | undefined {
  const match = PATTERN.exec(text);
  if (!match) return undefined;
  const [, sign, whole, fraction = "", exponent = "0"] = match;
  const digits = whole + fraction;
  const scale = fraction.length - Number(exponent);
  if (!digits || digits.length > 400 || Math.abs(scale) > 400) return undefined;
  const units = BigInt(digits) * (sign === "-" ? -1n : 1n);
  return scale >= 0 ? { units, scale } : { units: units * 10n ** BigInt(-scale), scale: 0 };
}

/** The units of a decimal at a larger scale. */
export const unitsAt = ({ units, scale }: Decimal, at: number): bigint => units * 10n ** BigInt(at - scale);

/** Negative, 0 or positive where the first decimal is less than, equal to or greater than the second. */
export function compareDecimals(one: Decimal, other: Decimal): number {
  const scale = Math.max(one.scale, other.scale);
  const difference = unitsAt(one, scale) - unitsAt(other, scale);
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

/** The power of ten of a number's first digit: 2 for 123, −3 for 0.0045; 0 for 0. */
export function orderOf({ units, scale }: Decimal): number {
  return units === 0n ? 0 : magnitudeOf(units).toString().length - 1 - scale;
}

/** A decimal without trailing zeros in its fraction. */
export function trimmed({ units, scale }: Decimal): Decimal {
  let [kept, places] = [units, scale];
  while (places > 0 && kept % 10n === 0n) {
    kept /= 10n;
    places--;
  }
  return { units: kept, scale: places };
}

/** The marks written around and between a number's digits. */
export interface Marks {
  readonly decimalChar: string;
  /** Between groups of three digits; "" for none. */
  readonly groupChar: string;
  /** The fewest digits before the decimal point. */
  readonly width: number;
  readonly prefix: string;
  readonly suffix: string;
}

export const PLAIN: Marks = { decimalChar: ".", groupChar: "", width: 1, prefix: "", suffix: "" };

/** `units · 10^−scale` as text with exactly `scale` decimals. */
export function formatDecimal({ units, scale }: Decimal, marks: Marks = PLAIN): string {
  const digits = magnitudeOf(units)
    .toString()
    .padStart(scale + marks.width, "0");
  const whole = digits.slice(0, digits.length - scale);
  const grouped = marks.groupChar ? whole.replace(/\B(?=(\d{3})+$)/g, () => marks.groupChar) : whole;
  const fraction = scale ? marks.decimalChar + digits.slice(digits.length - scale) : "";
  return affixed(units, grouped + fraction, marks);
}

/** A number's digits with the prefix and suffix around them. The sign comes before the prefix. */
export function affixed(units: bigint, digits: string, { prefix, suffix }: Marks): string {
  return (units < 0n ? "-" : "") + prefix + digits + suffix;
}

export const magnitudeOf = (units: bigint): bigint => (units < 0n ? -units : units);

/** ⌊a / b⌋ for b > 0: towards −∞, unlike BigInt's own division. */
export function floorDivide(a: bigint, b: bigint): bigint {
  const quotient = a / b;
  return a % b < 0n ? quotient - 1n : quotient;
}
