import { TREE_LEAVES } from "../engine/layout.js";
import { type Decimal, floorDivide, formatDecimal, unitsAt } from "../notation/decimal.js";
import { wrong } from "../notation/validate.js";

/**
 * The public grid of a number, date or time: points minimum + i·step, i = 0 … points − 1. Codes are the resolution that
 * queries see. Each code is a run of points: a single point (`ordered`, at most 128 points), a bin, or one of the 32
 * leaves of a binary tree.
 */
export interface Grid {
  readonly kind: "grid";
  /** Minimum and step in units of 10^−scale. */
  readonly minimum: bigint;
  readonly step: bigint;
  readonly scale: number;
  /** G = ⌊(maximum − minimum)/step⌋ + 1, at most 2^53. */
  readonly points: number;
  readonly tree: boolean;
  /** The first point of each code, ascending; an empty leaf has the same start as the next one. */
  readonly starts: Float64Array;
}

type Points = Pick<Grid, "minimum" | "step" | "scale" | "points">;

/** `standin.bins`: a number of bins of equal width, ascending edges, or a tree. */
export type Bins = number | readonly Decimal[] | "tree";

const MOST_ORDERED = 128;

/**
 * The grid of a field with these bounds, minimum ≤ maximum, and this step > 0.
 * @param where the name of the field in errors
 * @throws {StandinError} `schema/granularity` for more than 2^53 points; `schema/bins` for bins that do not fit
 */
export function makeGrid(
  where: string,
  minimum: Decimal,
  maximum: Decimal,
  step: Decimal,
  bins: Bins | undefined,
): Grid {
  const width = Math.max(minimum.scale, maximum.scale);
  const range = unitsAt(maximum, width) - unitsAt(minimum, width);
  const scale = Math.max(minimum.scale, step.scale);
  const [first, stride] = [unitsAt(minimum, scale), unitsAt(step, scale)];
  const points = floorDivide(range * 10n ** BigInt(scale), stride * 10n ** BigInt(width)) + 1n;
  if (points > 2n ** 53n)
    throw wrong(
      "granularity",
      `${where} has ${points} grid points, more than 2^53.`,
      "State a coarser granularity (standin.granularity).",
    );
  if (typeof bins === "number" && bins > points)
    throw wrong("bins", `${where} has ${bins} bins but only ${points} grid points.`, "Use fewer bins.");
  const grid = { kind: "grid" as const, minimum: first, step: stride, scale, points: Number(points) };
  const tree = bins === "tree" || (bins === undefined && points > MOST_ORDERED);
  return {
    ...grid,
    tree,
    starts: statedStarts(where, grid, tree ? TREE_LEAVES : (bins as Exclude<Bins, "tree"> | undefined)),
  };
}

/** The grid point nearest to a value. Ties round up; values outside are clipped to the grid. */
export function pointOf(grid: Grid, value: Decimal): number {
  const scale = Math.max(grid.scale, value.scale);
  const stretch = 10n ** BigInt(scale - grid.scale);
  const twice = 2n * (unitsAt(value, scale) - grid.minimum * stretch);
  const step = grid.step * stretch;
  const nearest = floorDivide(twice + step, 2n * step);
  return nearest <= 0n ? 0 : nearest >= BigInt(grid.points) ? grid.points - 1 : Number(nearest);
}

/** The value of a grid point. */
export const valueAt = ({ minimum, step, scale }: Grid, point: number): Decimal => ({
  units: minimum + BigInt(point) * step,
  scale,
});

/** The code whose run contains the point: the last code that starts at or before it. */
export function codeOf({ starts }: Grid, point: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (starts[middle] <= point) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** More grid points than these share codes. */
export const MOST_FINE_POINTS = 65_534;
const FINE_CODES = 32_768;

/**
 * The number of codes that rows have in a tree column whose values are compared with thresholds, besides missing: one
 * for each grid point where there are not too many. `undefined` where leaves are as fine.
 */
export function fineCodes({ points, tree }: Grid): number | undefined {
  if (!tree || points <= TREE_LEAVES) return undefined;
  return points <= MOST_FINE_POINTS ? points : FINE_CODES;
}

/** The first point of each code of rows, ascending. @param fine the number of finer codes, if the column has them */
export const startsOf = ({ starts, points }: Grid, fine: number | undefined): Float64Array =>
  fine === undefined ? starts : evenStarts(points, fine);

/**
 * The finest granularity of 2, 5, 10, 20 … steps that leaves each value a code of its own, if there is one.
 * @param isRound whether the minimum must be a multiple of it
 */
export function coarserStep({ minimum, step, scale, points }: Grid, isRound: boolean): string | undefined {
  for (let power = 1n; power <= BigInt(points); power *= 10n)
    for (const times of [2n, 5n, 10n]) {
      const units = step * times * power;
      const leaves = BigInt(points - 1) / (times * power) + 1n;
      if (leaves <= MOST_FINE_POINTS && !(isRound && minimum % units)) return formatDecimal({ units, scale });
    }
  return undefined;
}

/** The first of a column's finer codes in each leaf of its tree. */
export const leafStarts = (fine: number): Float64Array => evenStarts(fine, TREE_LEAVES);

/** The first point of each code: `parts` runs of equal width, runs cut at edges, or one run per point. */
function statedStarts(where: string, grid: Points, bins: number | readonly Decimal[] | undefined) {
  const { points } = grid;
  if (typeof bins === "object") return edgeStarts(where, grid, bins);
  return evenStarts(points, bins ?? points);
}

/**
 * The first point of each of `parts` runs of equal width: point i is in run ⌊i·parts/points⌋, so a run starts at
 * ⌈run·points/parts⌉.
 */
function evenStarts(points: number, parts: number): Float64Array {
  // In integers, because points may reach 2^53.
  const [total, count] = [BigInt(points), BigInt(parts)];
  return Float64Array.from({ length: parts }, (_, code) => Number((BigInt(code) * total + count - 1n) / count));
}

function edgeStarts(where: string, { minimum, step, scale, points }: Points, edges: readonly Decimal[]) {
  const starts = [0];
  for (const edge of edges) {
    const at = Math.max(scale, edge.scale);
    const stretch = 10n ** BigInt(at - scale);
    const distance = unitsAt(edge, at) - minimum * stretch;
    const last = BigInt(points - 1) * step * stretch;
    if (distance < 0n || distance >= last + step * stretch)
      throw wrong("bins", `${where} has a bin edge outside its bounds.`, "Remove that edge.");
    // Edges at the bounds close the outer bins and cut nothing.
    if (distance > 0n && distance < last) starts.push(Number(-floorDivide(-distance, step * stretch)));
  }
  if (starts.some((start, at) => at > 0 && start <= starts[at - 1]))
    throw wrong(
      "bins",
      `${where} has bin edges that are not ascending, or a bin without a grid point.`,
      "Give ascending edges at least one granularity apart.",
    );
  return Float64Array.from(starts);
}
