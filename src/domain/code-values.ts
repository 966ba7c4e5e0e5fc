import { formatDecimal } from "../notation/decimal.js";
import { type Attribute, codesOf } from "./attribute.js";
import type { Domain, Field } from "./field.js";
import { type Grid, startsOf, valueAt } from "./grid.js";

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

/** By domain, and by the number of codes that its rows have. */
const known = new WeakMap<Domain, Map<number, CodeValues>>();

/** The values of a modelled column's codes, as its rows have them. */
export function codeValues({ domain, notation }: Field, attribute: Attribute): CodeValues {
  const ofDomain = known.get(domain!) ?? new Map<number, CodeValues>();
  known.set(domain!, ofDomain);
  const codes = codesOf(attribute);
  const found = ofDomain.get(codes) ?? valuesOf(domain!, notation, attribute);
  ofDomain.set(codes, found);
  return found;
}

function valuesOf(domain: Domain, notation: Field["notation"], attribute: Attribute): CodeValues {
  const codes = codesOf(attribute);
  const values = (numberOf: (code: number) => number): Float64Array =>
    Float64Array.from({ length: codes }, (_, code) =>
      attribute.missing && code === codes - 1 ? Number.NaN : numberOf(code),
    );
  if (domain.kind === "category") {
    const lows = values((code) => (notation ? Number(formatDecimal(notation.read(domain.labels[code])!)) : code));
    return { lows, highs: lows };
  }
  const starts = startsOf(domain, attribute.fine);
  const lows = values((code) => pointValue(domain, pointsIn(domain, starts, code)[0]));
  const isFine = domain.points <= starts.length;
  return { lows, highs: isFine ? lows : values((code) => pointValue(domain, pointsIn(domain, starts, code)[1])) };
}

/**
 * The first and the last point of a code; for an empty leaf, the point that its rows are decoded to.
 * @param starts the first point of each code
 */
export function pointsIn({ points }: Grid, starts: Float64Array, code: number): [first: number, last: number] {
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
