import { formatDecimal } from "../notation/decimal.js";
import type { Attribute } from "./attribute.js";
import type { Field } from "./field.js";
import { type Grid, valueAt } from "./grid.js";

/**
 * What the codes of a column stand for, as doubles: for each code the lowest and the highest value of its cells, or NaN
 * if it is "missing". Dates are days since 1970-01-01, datetimes seconds since 1970-01-01T00:00:00Z, times seconds
 * since midnight. A boolean is 0 or 1, and any other category its code.
 */
export interface CodeValues {
  readonly lows: Float64Array;
  /** `lows` itself where every code is a single value. */
  readonly highs: Float64Array;
}

const known = new WeakMap<Attribute, CodeValues>();

/** The values of a modelled column's codes. */
export function codeValues({ domain, notation }: Field, attribute: Attribute): CodeValues {
  const found = known.get(attribute);
  if (found) return found;
  const values = (numberOf: (code: number) => number): Float64Array =>
    Float64Array.from({ length: attribute.size }, (_, code) =>
      attribute.missing && code === attribute.size - 1 ? Number.NaN : numberOf(code),
    );
  let made: CodeValues;
  if (domain!.kind === "category") {
    const { labels } = domain!;
    const lows = values((code) => (notation ? Number(formatDecimal(notation.read(labels[code])!)) : code));
    made = { lows, highs: lows };
  } else {
    const grid = domain!;
    const lows = values((code) => pointValue(grid, pointsOf(grid, code)[0]));
    const isFine = grid.points <= grid.starts.length;
    made = { lows, highs: isFine ? lows : values((code) => pointValue(grid, pointsOf(grid, code)[1])) };
  }
  known.set(attribute, made);
  return made;
}

/** The first and the last point of a code; for an empty leaf, the point that its rows are decoded to. */
export function pointsOf({ starts, points }: Grid, code: number): [first: number, last: number] {
  const first = Math.min(starts[code], points - 1);
  const end = code + 1 < starts.length ? starts[code + 1] : points;
  return [first, Math.max(first, end - 1)];
}

/** The value of a grid point, as in `CodeValues`. */
export const pointValue = (grid: Grid, point: number): number => Number(formatDecimal(valueAt(grid, point)));

/** The text of a grid point, in the field's notation. */
export const pointText = ({ notation }: Field, grid: Grid, point: number): string =>
  notation!.write(valueAt(grid, point));

/**
 * The value of a cell's text, as in `CodeValues`; `undefined` if the field does not have it: the text is no category,
 * and no number, date or time in the field's notation.
 */
export function valueOfText({ domain, notation }: Field, text: string): number | undefined {
  const number = notation?.read(text);
  if (notation) return number && Number(formatDecimal(number));
  if (domain?.kind !== "category") return undefined;
  const code = domain.spellings.get(text) ?? domain.labels.indexOf(text);
  return code < 0 ? undefined : code;
}
