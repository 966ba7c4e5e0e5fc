import type { Axis } from "./axis.js";
import type { Combinations } from "./combinations.js";

/** The constraints of linked columns, by the columns' places in the solver. */
export interface Problem {
  readonly axes: readonly Axis[];
  readonly orders: readonly { readonly lower: number; readonly upper: number }[];
  readonly sums: readonly { readonly total: number; readonly parts: readonly number[] }[];
  readonly lists: readonly { readonly columns: readonly number[]; readonly combinations: Combinations }[];
}

/**
 * The possible values of each column: the positions `first` … `last` on its axis; or, if `first` is NaN, the single
 * stored code in `last`, which has no number.
 */
export interface Bounds {
  readonly first: Float64Array;
  readonly last: Float64Array;
}

export const boundsFor = (columns: number): Bounds => ({
  first: new Float64Array(columns),
  last: new Float64Array(columns),
});

/** Rounds of narrowing after which bounds are taken as they are. Choices settle what is still open. */
const MOST_ROUNDS = 32;

/**
 * Searches for values within bounds that satisfy constraints. First combinations are tried in their lists' order,
 * starting at a random one. Then numbers are chosen, those of the widest steps first, each from its bounds as narrowed
 * by the choices before it. Orders alone never fail once their bounds are narrowed: all least values satisfy them.
 */
export class Solver {
  readonly #problem: Problem;
  /** The columns, those with the widest steps first. */
  readonly #order: readonly number[];
  /** Bounds to work on, one for each open choice. */
  readonly #levels: Bounds[] = [];
  #words: (column: number) => number = () => 0;
  #left = 0;

  constructor(problem: Problem) {
    this.#problem = problem;
    const { axes, lists } = problem;
    this.#order = [...axes.keys()].sort((a, b) => axes[b].step - axes[a].step);
    for (let choice = 0; choice <= axes.length + lists.length; choice++) this.#levels.push(boundsFor(axes.length));
  }

  /** Whether the last search gave up before it had tried everything. */
  get exhausted(): boolean {
    return this.#left < 0;
  }

  /**
   * Values within bounds that satisfy all constraints, returned as bounds of one value each and valid until the next
   * search; `undefined` if none were found.
   * @param words a random 32-bit word for each column
   * @param effort the largest number of combinations and values to try
   */
  solve(bounds: Bounds, words: (column: number) => number, effort: number): Bounds | undefined {
    this.#words = words;
    this.#left = effort;
    return this.#chooseCombinations(this.#copied(bounds, 0), 0, 0);
  }

  /** Copies bounds to those of the choice at this depth. */
  #copied({ first, last }: Bounds, depth: number): Bounds {
    const copy = this.#levels[depth];
    // A loop is faster than set() on arrays as short as these.
    for (let column = 0; column < first.length; column++) {
      copy.first[column] = first[column];
      copy.last[column] = last[column];
    }
    return copy;
  }

  #chooseCombinations(bounds: Bounds, at: number, depth: number): Bounds | undefined {
    const { lists } = this.#problem;
    if (at === lists.length) return this.#narrow(bounds) ? this.#chooseNumbers(bounds, depth) : undefined;
    const { columns, combinations } = lists[at];
    const { rows } = combinations;
    const only = (column: number) => this.#only(bounds, columns[column]);
    if (combinations.passes(only)) return this.#chooseCombinations(bounds, at + 1, depth);
    if (columns.every((_, column) => !Number.isNaN(only(column))))
      return combinations.holds(only) ? this.#chooseCombinations(bounds, at + 1, depth) : undefined;
    const begin = pick(rows.length, this.#words(columns[0]));
    for (let tried = 0; tried < rows.length && this.#left-- > 0; tried++) {
      const row = rows[(begin + tried) % rows.length];
      if (!this.#fits(bounds, columns, row)) continue;
      const found = this.#chooseCombinations(this.#taken(bounds, columns, row, depth + 1), at + 1, depth + 1);
      if (found) return found;
    }
    return undefined;
  }

  /** The only stored code that a column may still have; NaN if it may have several. */
  #only({ first, last }: Bounds, column: number): number {
    if (Number.isNaN(first[column])) return last[column];
    return first[column] === last[column] ? this.#problem.axes[column].stored(first[column]) : Number.NaN;
  }

  /** Whether a combination lies within bounds. */
  #fits({ first, last }: Bounds, columns: readonly number[], row: readonly number[]): boolean {
    return columns.every((column, at) => {
      if (Number.isNaN(first[column])) return last[column] === row[at];
      const position = this.#problem.axes[column].position(row[at]);
      return position >= first[column] && position <= last[column];
    });
  }

  #taken(bounds: Bounds, columns: readonly number[], row: readonly number[], depth: number): Bounds {
    const taken = this.#copied(bounds, depth);
    columns.forEach((column, at) => {
      if (Number.isNaN(taken.first[column])) return;
      taken.first[column] = this.#problem.axes[column].position(row[at]);
      taken.last[column] = taken.first[column];
    });
    return taken;
  }

  #chooseNumbers(bounds: Bounds, depth: number): Bounds | undefined {
    const { first, last } = bounds;
    const column = this.#firstOpen(bounds);
    if (column < 0) return bounds;
    const count = last[column] - first[column] + 1;
    const begin = pick(count, this.#words(column));
    for (let tried = 0; tried < count && this.#left-- > 0; tried++) {
      const narrowed = this.#copied(bounds, depth + 1);
      narrowed.first[column] = first[column] + ((begin + tried) % count);
      narrowed.last[column] = narrowed.first[column];
      const found = this.#narrow(narrowed) && this.#chooseNumbers(narrowed, depth + 1);
      if (found) return found;
    }
    return undefined;
  }

  /** The column with the widest steps that may still have several values; −1 if there is none. */
  #firstOpen({ first, last }: Bounds): number {
    for (const column of this.#order) if (first[column] < last[column]) return column;
    return -1;
  }

  /**
   * Removes values from both ends that are compatible with no values of the other columns. @returns whether every
   * column has values left
   */
  #narrow(bounds: Bounds): boolean {
    const { orders, sums } = this.#problem;
    for (let round = 0, narrower = true; narrower && round < MOST_ROUNDS; round++) {
      narrower = false;
      for (const { lower, upper } of orders) narrower = this.#narrowOrder(bounds, lower, upper) || narrower;
      for (const { total, parts } of sums) narrower = this.#narrowSum(bounds, total, parts) || narrower;
      for (let column = 0; column < bounds.first.length; column++)
        if (bounds.first[column] > bounds.last[column]) return false;
    }
    return true;
  }

  #narrowOrder(bounds: Bounds, lower: number, upper: number): boolean {
    const { first, last } = bounds;
    if (Number.isNaN(first[lower]) || Number.isNaN(first[upper])) return false;
    const { axes } = this.#problem;
    const raised = this.#raise(bounds, upper, axes[lower].number(first[lower]));
    return this.#lower(bounds, lower, axes[upper].number(last[upper])) || raised;
  }

  #narrowSum(bounds: Bounds, total: number, parts: readonly number[]): boolean {
    const { first, last } = bounds;
    const { axes } = this.#problem;
    let least = 0;
    let most = 0;
    for (const part of parts) {
      least += axes[part].number(first[part]);
      most += axes[part].number(last[part]);
    }
    if (Number.isNaN(least) || Number.isNaN(first[total])) return false;
    let narrower = this.#raise(bounds, total, least);
    narrower = this.#lower(bounds, total, most) || narrower;
    if (first[total] > last[total]) return narrower;
    const totalLeast = axes[total].number(first[total]);
    const totalMost = axes[total].number(last[total]);
    for (const part of parts) {
      const partLeast = axes[part].number(first[part]);
      const partMost = axes[part].number(last[part]);
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

/** A number below `count` from a random word. */
export const pick = (count: number, word: number): number => Math.floor((word * count) / 2 ** 32);
