import type { Axis } from "./axis.js";
import type { Combinations } from "./combinations.js";

/** The constraints of columns that they link, by the columns' places in the solver. */
export interface Problem {
  readonly axes: readonly Axis[];
  /** Pairs: the lower column, the upper column. */
  readonly orders: readonly (readonly number[])[];
  /** The total, then its parts. */
  readonly sums: readonly (readonly number[])[];
  readonly lists: readonly { readonly columns: readonly number[]; readonly combinations: Combinations }[];
}

/**
 * What each column may be: the positions `first` … `last` on its axis; or, where `first` is NaN, the one stored code in `last`, which has
 * no number.
 */
export interface Bounds {
  readonly first: Float64Array;
  readonly last: Float64Array;
}

/** Rounds of narrowing after which bounds are taken as they are; choices finish what they leave open. */
const MOST_ROUNDS = 32;

/**
 * Looks for values within bounds that satisfy constraints: combinations are tried in their lists' order from a random one on; then
 * numbers are chosen, those of the widest steps first, each from its bounds as the choices before it narrow them. Orders alone never
 * fail after their bounds are narrowed: all least values satisfy them.
 */
export class Solver {
  readonly #problem: Problem;
  /** The columns, those of the widest steps first. */
  readonly #order: readonly number[];
  #words: (column: number) => number = () => 0;
  #left = 0;

  constructor(problem: Problem) {
    this.#problem = problem;
    const { axes } = problem;
    this.#order = [...axes.keys()].sort((a, b) => axes[b].step - axes[a].step);
  }

  /** Whether the last search gave up before it had tried everything. */
  get exhausted(): boolean {
    return this.#left < 0;
  }

  /**
   * Values within bounds that satisfy all constraints, as bounds of one value each; `undefined` where none were found.
   * @param words a random word of 32 bits for each column
   * @param effort the most combinations and values to try
   */
  solve(bounds: Bounds, words: (column: number) => number, effort: number): Bounds | undefined {
    this.#words = words;
    this.#left = effort;
    return this.#chooseCombinations(bounds, 0);
  }

  #chooseCombinations(bounds: Bounds, at: number): Bounds | undefined {
    const { lists } = this.#problem;
    if (at === lists.length) return this.#narrow(bounds) ? this.#chooseNumbers(bounds) : undefined;
    const { columns, combinations } = lists[at];
    const { rows } = combinations;
    const only = (column: number) => this.#only(bounds, columns[column]);
    if (combinations.passes(only)) return this.#chooseCombinations(bounds, at + 1);
    if (columns.every((_, column) => !Number.isNaN(only(column))))
      return combinations.holds(only) ? this.#chooseCombinations(bounds, at + 1) : undefined;
    const begin = pick(rows.length, this.#words(columns[0]));
    for (let tried = 0; tried < rows.length && this.#left-- > 0; tried++) {
      const narrowed = this.#within(bounds, columns, rows[(begin + tried) % rows.length]);
      const found = narrowed && this.#chooseCombinations(narrowed, at + 1);
      if (found) return found;
    }
    return undefined;
  }

  /** The only stored code that a column may still have; NaN where it may have several. */
  #only({ first, last }: Bounds, column: number): number {
    if (Number.isNaN(first[column])) return last[column];
    return first[column] === last[column] ? this.#problem.axes[column].stored(first[column]) : Number.NaN;
  }

  /** The bounds with one combination taken; `undefined` where it lies outside them. */
  #within(bounds: Bounds, columns: readonly number[], row: readonly number[]): Bounds | undefined {
    const { axes } = this.#problem;
    const fits = columns.every((column, at) => {
      const position = axes[column].position(row[at]);
      if (Number.isNaN(bounds.first[column])) return bounds.last[column] === row[at];
      return position >= bounds.first[column] && position <= bounds.last[column];
    });
    if (!fits) return undefined;
    const narrowed = copyOf(bounds);
    columns.forEach((column, at) => {
      if (Number.isNaN(bounds.first[column])) return;
      narrowed.first[column] = axes[column].position(row[at]);
      narrowed.last[column] = narrowed.first[column];
    });
    return narrowed;
  }

  #chooseNumbers(bounds: Bounds): Bounds | undefined {
    const { first, last } = bounds;
    const column = this.#order.find((candidate) => first[candidate] < last[candidate]);
    if (column === undefined) return bounds;
    const count = last[column] - first[column] + 1;
    const begin = pick(count, this.#words(column));
    for (let tried = 0; tried < count && this.#left-- > 0; tried++) {
      const narrowed = copyOf(bounds);
      narrowed.first[column] = first[column] + ((begin + tried) % count);
      narrowed.last[column] = narrowed.first[column];
      const found = this.#narrow(narrowed) && this.#chooseNumbers(narrowed);
      if (found) return found;
    }
    return undefined;
  }

  /** Takes values off both ends that no values of the other columns go with. @returns whether some are left of each column */
  #narrow(bounds: Bounds): boolean {
    const { orders, sums } = this.#problem;
    for (let round = 0, narrower = true; narrower && round < MOST_ROUNDS; round++) {
      narrower = false;
      for (const order of orders) narrower = this.#narrowOrder(bounds, order) || narrower;
      for (const sum of sums) narrower = this.#narrowSum(bounds, sum) || narrower;
      if (bounds.first.some((first, column) => first > bounds.last[column])) return false;
    }
    return true;
  }

  #narrowOrder(bounds: Bounds, [lower, upper]: readonly number[]): boolean {
    const { first, last } = bounds;
    if (Number.isNaN(first[lower]) || Number.isNaN(first[upper])) return false;
    const { axes } = this.#problem;
    const raised = this.#raise(bounds, upper, axes[lower].number(first[lower]));
    return this.#lower(bounds, lower, axes[upper].number(last[upper])) || raised;
  }

  #narrowSum(bounds: Bounds, [total, ...parts]: readonly number[]): boolean {
    const { first, last } = bounds;
    const { axes } = this.#problem;
    if (Number.isNaN(first[total])) return false;
    let [least, most] = [0, 0];
    for (const part of parts) {
      least += axes[part].number(first[part]);
      most += axes[part].number(last[part]);
    }
    if (Number.isNaN(least)) return false;
    let narrower = this.#raise(bounds, total, least);
    narrower = this.#lower(bounds, total, most) || narrower;
    if (first[total] > last[total]) return narrower;
    const [totalLeast, totalMost] = [axes[total].number(first[total]), axes[total].number(last[total])];
    for (const part of parts) {
      const [partLeast, partMost] = [axes[part].number(first[part]), axes[part].number(last[part])];
      narrower = this.#raise(bounds, part, totalLeast - (most - partMost)) || narrower;
      narrower = this.#lower(bounds, part, totalMost - (least - partLeast)) || narrower;
    }
    return narrower;
  }

  #raise({ first }: Bounds, column: number, least: number): boolean {
    const position = this.#problem.axes[column].from(least);
    if (!(position > first[column])) return false;
    first[column] = position;
    return true;
  }

  #lower({ last }: Bounds, column: number, most: number): boolean {
    const position = this.#problem.axes[column].upTo(most);
    if (!(position < last[column])) return false;
    last[column] = position;
    return true;
  }
}

const copyOf = ({ first, last }: Bounds): Bounds => ({ first: first.slice(), last: last.slice() });

/** A number below `count` from a random word. */
export const pick = (count: number, word: number): number => Math.floor((word * count) / 2 ** 32);
