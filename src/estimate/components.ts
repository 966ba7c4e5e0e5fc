import { cellsIn } from "../queries/query.js";
import { subsetsOf } from "./subsets.js";

/** What was measured, or may be: a table's cells, centred along the axes of some of its columns. */
export interface Told {
  /** Ascending. */
  readonly columns: readonly number[];
  readonly centred: readonly number[];
}

/**
 * The components that tables of some sets of columns consist of: one for each set of columns within them, orthogonal to
 * those of all its subsets. A measured table tells each component of its columns, or (centred) those that have all
 * columns along which it is centred, with the precision (inverse variance) of a cell divided by its number of cells.
 * So least squares estimates them one by one, and precisions add up.
 */
export class Components {
  readonly #places = new Map<string, number>();
  /** The columns of each. */
  readonly sets: (readonly number[])[] = [];
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
        this.sets.push(part);
        this.degrees.push(part.reduce((product, column) => product * (sizes[column] - 1), 1));
      }
  }

  /** The places of those that are within some columns, and have all those that are centred. */
  within(columns: readonly number[], centred: readonly number[] = []): number[] {
    const others = columns.filter((column) => !centred.includes(column));
    return subsetsOf(others).flatMap((part) => {
      const all = centred.length ? [...part, ...centred].sort((a, b) => a - b) : part;
      return this.#places.get(all.join()) ?? [];
    });
  }

  cellsOf(columns: readonly number[]): number {
    return cellsIn(columns.map((column) => this.sizes[column]));
  }

  /**
   * What measuring each component alone with precision 1 takes of a budget for which a cell of one marginal would have
   * precision 1. If the number of rows is known, this is for rows that differ in all columns, and never too much.
   */
  prices(): number[] {
    return this.degrees.map((count, at) => (this.isTotalKnown ? count - (this.sets[at].length % 2 ? -1 : 1) : count));
  }

  /** The precision of each component, of tables whose cells have these variances, in rows. */
  precisions(measured: readonly (Told & { readonly sigma2: number })[]): Float64Array {
    const precisions = new Float64Array(this.degrees.length);
    for (const { columns, centred, sigma2 } of measured) {
      const each = 1 / (sigma2 * this.cellsOf(columns));
      for (const component of this.within(columns, centred)) precisions[component] += each;
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
}
