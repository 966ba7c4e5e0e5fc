// Which marginals to measure, and how precisely, so that a workload of marginals, reconstructed from them by least
// squares, has the least squared error: the best weighted marginals (McKenna, Miklau, Hay and Machanavajjhala,
// "Optimizing error of high-dimensional statistical queries under differential privacy", VLDB 2018, OPT_M).
import { cellsIn } from "../queries/query.js";

/** A marginal of a workload, and what its squared error is multiplied by. */
export interface WeightedSet {
  /** Ascending. */
  readonly columns: readonly number[];
  readonly weight: number;
}

/** A marginal that is measured with a part of the budget; all parts sum to 1. */
export interface MeasuredSet {
  readonly columns: readonly number[];
  readonly part: number;
}

/** The strategy's error is above the least by no more than this part of it. */
const TOLERANCE = 1e-3;
const MOST_STEPS = 500;
/** A set that has less than this part of the mean is left out if others have its columns. */
const NEGLIGIBLE = 0.01;
/** From so many sets on, none is added to the workload's: each is another table to fit. */
const MANY_SETS = 2000;

/**
 * The components that a workload's marginals consist of: one for each set of columns within them, orthogonal to those
 * of all its subsets. A measured marginal tells each component of its columns, with the precision (inverse variance) of
 * a cell divided by its number of cells. So least squares estimates them one by one, and precisions add up.
 */
export class Components {
  readonly #places = new Map<string, number>();
  readonly #columns: (readonly number[])[] = [];
  /** The degrees of freedom of each. */
  readonly degrees: number[] = [];

  /** @param isTotalKnown whether the component of no columns, the number of rows, is known exactly */
  constructor(
    sets: readonly (readonly number[])[],
    readonly sizes: readonly number[],
    readonly isTotalKnown: boolean,
  ) {
    for (const columns of sets)
      for (const part of subsetsOf(columns)) {
        const key = part.join();
        if (this.#places.has(key) || (isTotalKnown && !part.length)) continue;
        this.#places.set(key, this.degrees.length);
        this.#columns.push(part);
        this.degrees.push(part.reduce((product, column) => product * (sizes[column] - 1), 1));
      }
  }

  /** The places of those that are within some columns. */
  within(columns: readonly number[]): number[] {
    return subsetsOf(columns).flatMap((part) => this.#places.get(part.join()) ?? []);
  }

  cellsOf(columns: readonly number[]): number {
    return cellsIn(columns.map((column) => this.sizes[column]));
  }

  /**
   * What measuring each component alone with precision 1 takes of a budget for which a cell of one marginal would have
   * precision 1. If the number of rows is known, this is for rows that differ in all columns, and never too much.
   */
  prices(): number[] {
    return this.degrees.map((count, at) =>
      this.isTotalKnown ? count - (this.#columns[at].length % 2 ? -1 : 1) : count,
    );
  }

  /** The precision of each component, of marginals whose cells have these variances. */
  precisions(measured: readonly { readonly columns: readonly number[]; readonly sigma2: number }[]): Float64Array {
    const precisions = new Float64Array(this.degrees.length);
    for (const { columns, sigma2 } of measured) {
      const each = 1 / (sigma2 * this.cellsOf(columns));
      for (const component of this.within(columns)) precisions[component] += each;
    }
    return precisions;
  }

  /** The variance of a cell of a marginal. */
  variance(columns: readonly number[], precisions: Float64Array): number {
    const sum = this.within(columns).reduce(
      (sum, at) => sum + (this.degrees[at] && this.degrees[at] / precisions[at]),
      0,
    );
    return sum / this.cellsOf(columns) ** 2;
  }

  /** How much each component's variance adds to the sum of the workload's weighted squared errors. */
  errors(workload: readonly WeightedSet[]): Float64Array {
    const errors = new Float64Array(this.degrees.length);
    for (const { columns, weight } of workload) {
      const each = weight / this.cellsOf(columns);
      for (const component of this.within(columns)) errors[component] += this.degrees[component] * each;
    }
    return errors;
  }
}

/**
 * The marginals to measure: those of the workload, and others of columns that it connects with each other, as far as
 * they lower the error.
 */
export function bestStrategy(workload: readonly WeightedSet[], components: Components): MeasuredSet[] {
  const errors = components.errors(workload);
  const candidateOf = (columns: readonly number[]): Candidate => ({
    ...{ columns, cells: components.cellsOf(columns) },
    components: Uint32Array.from(components.within(columns).filter((at) => errors[at])),
  });
  const candidates = workload.map(({ columns }) => candidateOf(columns));
  let best = bestParts(candidates, errors);
  const seen = new Set(candidates.map(({ columns }) => columns.join()));
  const areTogether = pairsWithin(workload);
  for (let first = 0; first < candidates.length; ) {
    const end = candidates.length;
    for (; first < end && candidates.length < MANY_SETS; first++)
      for (const columns of nextTo(candidates[first].columns, components.sizes)) {
        const key = columns.join();
        if (seen.has(key) || !areTogether(columns)) continue;
        seen.add(key);
        const candidate = candidateOf(columns);
        if (gainOf(candidate, best.slopes) > (1 + TOLERANCE) * best.error) candidates.push(candidate);
      }
    first = end;
    if (candidates.length > end) best = bestParts(candidates, errors);
  }
  return withoutNegligible(
    candidates.map(({ columns }, at) => ({ columns, part: best.parts[at] })),
    workload.length,
  );
}

/**
 * The least weighted squared error that Gaussian noise can have with a budget for which a cell of one marginal would
 * have precision 1 (Xiao, He, Zhang and Kifer, "An optimal and scalable matrix mechanism for noisy marginals under
 * convex loss functions", NeurIPS 2023): each component measured alone.
 */
export function leastError(workload: readonly WeightedSet[], components: Components): number {
  const errors = components.errors(workload);
  const prices = components.prices();
  return errors.reduce((sum, error, at) => sum + Math.sqrt(error * prices[at]), 0) ** 2;
}

interface Candidate {
  readonly columns: readonly number[];
  readonly cells: number;
  /** Those whose variance matters. */
  readonly components: Uint32Array;
}

/**
 * The parts of the budget with which the error is least: each is multiplied by the root of what more of it would gain,
 * relative to the mean, which never makes the error larger.
 */
function bestParts(candidates: readonly Candidate[], errors: Float64Array) {
  let parts = normalised(candidates.map(({ cells }) => Math.sqrt(cells)));
  for (let step = 0; ; step++) {
    const precisions = new Float64Array(errors.length);
    for (let at = 0; at < candidates.length; at++) {
      const { components, cells } = candidates[at];
      const each = parts[at] / cells;
      for (let place = 0; place < components.length; place++) precisions[components[place]] += each;
    }
    const error = errors.reduce((sum, own, at) => sum + (own && own / precisions[at]), 0);
    const slopes = errors.map((own, at) => own && own / precisions[at] ** 2);
    const gains = candidates.map((candidate) => gainOf(candidate, slopes));
    const most = gains.reduce((a, b) => Math.max(a, b));
    if (most <= (1 + TOLERANCE) * error || step === MOST_STEPS) return { parts, error, slopes };
    parts = normalised(parts.map((part, at) => part * Math.sqrt(gains[at] / error)));
  }
}

/** How fast the error falls as a candidate gets more of the budget. The mean, by their parts, is the error itself. */
function gainOf({ components, cells }: Candidate, slopes: Float64Array): number {
  let sum = 0;
  for (let place = 0; place < components.length; place++) sum += slopes[components[place]];
  return sum / cells;
}

function normalised(parts: readonly number[]): number[] {
  const sum = parts.reduce((a, b) => a + b);
  return parts.map((part) => part / sum);
}

/**
 * The sets with one column less, and those with one column more that may be worth more than all sets within them: that
 * takes Σ 1 ÷ size above 1.
 */
function nextTo(columns: readonly number[], sizes: readonly number[]): number[][] {
  const smaller = columns.map((column) => columns.filter((other) => other !== column));
  const rest = 1 - columns.reduce((sum, column) => sum + 1 / sizes[column], 0);
  const larger = sizes.flatMap((size, column) =>
    1 / size > rest + 1e-9 && !columns.includes(column) ? [[...columns, column].sort((a, b) => a - b)] : [],
  );
  return [...smaller.filter(({ length }) => length), ...larger];
}

/** Whether any two of some columns are together in a set of the workload. */
function pairsWithin(workload: readonly WeightedSet[]): (columns: readonly number[]) => boolean {
  const pairs = new Set(
    workload.flatMap(({ columns }) => columns.flatMap((one) => columns.map((other) => `${one},${other}`))),
  );
  return (columns) => columns.every((one) => columns.every((other) => pairs.has(`${one},${other}`)));
}

/** @param own how many of the first are the workload's, all of which have to be within some that are left */
function withoutNegligible(measured: readonly MeasuredSet[], own: number): MeasuredSet[] {
  const isWorthIt = ({ part }: MeasuredSet) => part * measured.length >= NEGLIGIBLE;
  const kept = measured.filter(isWorthIt);
  const left = measured.filter(
    (one, at) =>
      isWorthIt(one) ||
      (at < own && !kept.some(({ columns }) => one.columns.every((column) => columns.includes(column)))),
  );
  const parts = normalised(left.map(({ part }) => part));
  return left.map(({ columns }, at) => ({ columns, part: parts[at] }));
}

/** All subsets, each in the same order. */
function subsetsOf(columns: readonly number[]): number[][] {
  const subsets: number[][] = [[]];
  for (const column of columns) subsets.push(...subsets.map((subset) => [...subset, column]));
  return subsets;
}
