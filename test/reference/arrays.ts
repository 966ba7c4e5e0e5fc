import { type ColumnRule, cellCodes } from "./cell-codes.js";
import type { Points } from "./read-point.js";

/** The codes of cells by their texts; `null` for a missing one. */
export function arrayCodes(rule: ColumnRule, texts: readonly (string | null)[]): number[] {
  const cells = texts.map((text) => (text === null ? undefined : new TextEncoder().encode(text)));
  return cellCodes({ ...rule, absent: rule.missing }, cells);
}

/** The text of a row among texts that follow each other from one offset to the next, wherever these are. */
export function textBetween(texts: Uint8Array, offsets: Uint32Array, row: number): string {
  const begin = Math.min(offsets[row], texts.length);
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(texts.slice(begin, offsets[row + 1]));
}

/** The point nearest to microseconds, ties up, clipped. @param unit the microseconds of a unit of the grid */
export function momentPoint({ minimum, step, scale, points }: Points, unit: bigint, microseconds: bigint): number {
  const stride = 2n * step * unit;
  const distance = 2n * (microseconds * 10n ** BigInt(scale) - minimum * unit) + step * unit;
  const point = (distance - (((distance % stride) + stride) % stride)) / stride;
  return point < 0n ? 0 : point >= BigInt(points) ? points - 1 : Number(point);
}

/** The canonical text of a number of microseconds in units of so many. */
export function momentText(unit: bigint, microseconds: bigint): string {
  const size = microseconds < 0n ? -microseconds : microseconds;
  const fraction =
    unit === 1_000_000n
      ? String(size % unit)
          .padStart(6, "0")
          .replace(/0+$/, "")
      : "";
  return `${microseconds < 0n ? "-" : ""}${size / unit}${fraction && `.${fraction}`}`;
}
