import { type Given, valueIn } from "./read-value.js";

/** The points minimum + i·step, in units of 10^−scale. */
export interface Points {
  readonly minimum: bigint;
  readonly step: bigint;
  readonly scale: number;
  readonly points: number;
}

/** The last point that begins, half a step below its value, at or before the value of a text; −1 without a value. */
export function nearestPoint(given: Given, { minimum, step, scale, points }: Points, text: string): number {
  const value = valueIn(given, text);
  if (!value) return -1;
  const begins = (point: bigint) =>
    (2n * (minimum + point * step) - step) * 10n ** BigInt(value.places) <= 2n * value.top * 10n ** BigInt(scale);
  let [known, beyond] = [0n, BigInt(points)];
  while (beyond - known > 1n) {
    const middle = (known + beyond) / 2n;
    if (begins(middle)) known = middle;
    else beyond = middle;
  }
  return Number(known);
}
