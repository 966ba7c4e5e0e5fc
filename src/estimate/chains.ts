/** Two columns, in ascending order. */
export type Pair = readonly [number, number];

/** The most chains that a pair is compared with, as in the engine (assembly/estimate/chains.ts). */
export const MOST_CHAINS = 8;
/** A table with more cells than this is compared with none. */
const MOST_CELLS = 2 ** 17;
/** The multiplications that all chains of measured pairs may take together: about a second. */
const MOST_WORK = 2 ** 30;
/** A dependence below this is rounding. */
const LEAST = 1e-12;

/** The chains over third columns that say most about pairs: those of two measured pairs with a strong dependence. */
export class StrongestChains {
  /** For each column, the columns that it was measured with, and its dependence on each. */
  readonly #neighbours: readonly Map<number, number>[];
  /** The most multiplications that a chain may take. */
  readonly #most: number;

  /**
   * @param pairs those that were measured
   * @param dependences φ² of each
   * @param sizes of all columns
   */
  constructor(
    pairs: readonly Pair[],
    dependences: Float64Array,
    readonly sizes: readonly number[],
  ) {
    this.#most = MOST_WORK / (MOST_CHAINS * pairs.length);
    const neighbours = sizes.map(() => new Map<number, number>());
    for (const [at, [one, other]] of pairs.entries()) {
      if (dependences[at] < LEAST) continue;
      neighbours[one].set(other, dependences[at]);
      neighbours[other].set(one, dependences[at]);
    }
    this.#neighbours = neighbours;
  }

  /** The middle columns of the chains between a pair's columns; of other sets none. */
  thirdsOf([one, other, ...more]: readonly number[]): number[] {
    if (other === undefined || more.length) return [];
    const cells = this.sizes[one] * this.sizes[other];
    if (cells > MOST_CELLS) return [];
    const thirds: { column: number; strength: number }[] = [];
    for (const [column, dependence] of this.#neighbours[one]) {
      const further = this.#neighbours[other].get(column);
      if (further === undefined || cells * this.sizes[column] > this.#most) continue;
      thirds.push({ column, strength: dependence * further });
    }
    thirds.sort((a, b) => b.strength - a.strength || a.column - b.column);
    return thirds.slice(0, MOST_CHAINS).map(({ column }) => column);
  }
}
