import type { CategoryDomain } from "../domain/categories.js";
import type { Field } from "../domain/field.js";
import { codeOf, type Grid } from "../domain/grid.js";
import { missingCode } from "../domain/stored.js";
import { type Decimal, trimmed, unitsAt } from "../notation/decimal.js";

/**
 * The values of a column that have a number, in ascending order. Each position p, 0 … length − 1, is a stored code and
 * a whole number (exact in f64). The stored code of a missing cell has no position.
 */
export interface Axis {
  readonly length: number;
  /** The distance between neighbouring numbers; infinite if they are not evenly spaced. */
  readonly step: number;
  number(position: number): number;
  /** The first position whose number is `number` or more; `length` if there is none. */
  from(number: number): number;
  /** The last position whose number is `number` or less; −1 if there is none. */
  upTo(number: number): number;
  /** −1 for a stored code without a position. */
  position(stored: number): number;
  stored(position: number): number;
  /**
   * The first and the last position of the values that queries see as this code; an empty range for the code of missing
   * cells.
   */
  run(code: number): readonly [number, number];
  /** The code that queries see for a stored code. */
  code(stored: number): number;
  /** Whether the code stands for cells without a value to compare. */
  blank(code: number): boolean;
}

/** Numbers stay below this, so their sums, differences and quotients by steps are exact in f64. */
export const MOST_NUMBER = 2 ** 52;

/** The run of the code of missing cells. */
const NOTHING = [0, -1] as const;

/** The fewest decimal places that represent all numbers of a column. */
export function placesOf(field: Field): number {
  const domain = field.domain!;
  if (domain.kind === "grid") return Math.max(...[0, 1].map((point) => trimmed(decimalAt(domain, point)).scale));
  return Math.max(...decimalsOf(field, domain).map(({ scale }) => scale));
}

/** A column's numbers in units of 10^−places. @returns `undefined` where one of them is MOST_NUMBER or more */
export function numberAxis(field: Field, places: number): Axis | undefined {
  const domain = field.domain!;
  if (domain.kind === "category") {
    const numbers = decimalsOf(field, domain).map((number) => Number(unitsAt(number, places)));
    return numbers.some((number) => Math.abs(number) >= MOST_NUMBER) ? undefined : categoryAxis(numbers);
  }
  const [first, second, last] = [0, 1, domain.points - 1].map((point) =>
    Number(unitsAt(trimmed(decimalAt(domain, point)), places)),
  );
  const most = Math.max(Math.abs(first), Math.abs(last));
  return most >= MOST_NUMBER ? undefined : gridAxis(domain, missingCode(field), first, second - first);
}

/** The axis of a column whose values are not compared: they have positions (missing is the last one) but no numbers. */
export function plainAxis(field: Field): Axis {
  const domain = field.domain!;
  const missing = missingCode(field);
  const values = domain.kind === "grid" ? domain.points : domain.labels.length;
  const run = domain.kind === "grid" ? gridRun(domain) : (code: number) => [code, code] as const;
  const codes = domain.kind === "grid" ? domain.starts.length : domain.labels.length;
  return {
    length: missing === undefined ? values : values + 1,
    step: Number.POSITIVE_INFINITY,
    number: () => Number.NaN,
    from: () => 0,
    upTo: () => values,
    position: (stored) => (stored === missing ? values : stored),
    stored: (position) => (position === values ? missing! : position),
    run: (code) => (code === codes ? [values, values] : run(code)),
    code: (stored) => (stored === missing ? codes : domain.kind === "grid" ? codeOf(domain, stored) : stored),
    blank: (code) => code === codes,
  };
}

const decimalAt = ({ minimum, step, scale }: Grid, point: number): Decimal => ({
  units: minimum + BigInt(point) * step,
  scale,
});

const decimalsOf = ({ notation }: Field, { labels }: CategoryDomain): Decimal[] =>
  labels.map((label) => trimmed(notation!.read(label)!));

function gridAxis(grid: Grid, missing: number | undefined, base: number, step: number): Axis {
  const { points, starts } = grid;
  const run = gridRun(grid);
  return {
    length: points,
    step,
    number: (point) => base + point * step,
    from: (number) => Math.min(points, Math.max(0, Math.ceil((number - base) / step))),
    upTo: (number) => Math.max(-1, Math.min(points - 1, Math.floor((number - base) / step))),
    position: (stored) => (stored === missing ? -1 : stored),
    stored: (point) => point,
    run: (code) => (code === starts.length ? NOTHING : run(code)),
    code: (stored) => (stored === missing ? starts.length : codeOf(grid, stored)),
    blank: (code) => code === starts.length,
  };
}

/** The first and the last point that decoding draws for a code. */
function gridRun({ points, starts }: Grid): (code: number) => readonly [number, number] {
  const runs = Array.from(starts, (start, code) => {
    const first = Math.min(points - 1, start);
    const end = code + 1 < starts.length ? starts[code + 1] : points;
    return [first, Math.max(first, end - 1)] as const;
  });
  return (code) => runs[code];
}

/** @param numbers the categories' numbers, by code */
function categoryAxis(numbers: readonly number[]): Axis {
  const codes = [...numbers.keys()].sort((a, b) => numbers[a] - numbers[b]);
  const ascending = Float64Array.from(codes, (code) => numbers[code]);
  const positions = new Int32Array(numbers.length + 1).fill(-1);
  for (const [position, code] of codes.entries()) positions[code] = position;
  const from = (number: number) => {
    let [low, high] = [0, ascending.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (ascending[middle] < number) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  const runs = Array.from(positions, (position) => (position < 0 ? NOTHING : ([position, position] as const)));
  return {
    length: codes.length,
    step: Number.POSITIVE_INFINITY,
    number: (position) => ascending[position],
    from,
    // The numbers are whole.
    upTo: (number) => from(Math.floor(number) + 1) - 1,
    position: (stored) => positions[stored],
    stored: (position) => codes[position],
    run: (code) => runs[code],
    code: (stored) => stored,
    blank: (code) => positions[code] < 0,
  };
}
