// Up to how many columns a dependence can be seen at a budget: public facts, stated by plans.
import type { Ledger } from "../privacy/ledger.js";
import { cellsOf, queryOf, shapesOf } from "../queries/query.js";
import { binomial } from "../queries/workload.js";
import type { Schema } from "../schema/schema.js";
import { sigmaOfEach } from "../selection/noise.js";

/** A dependence is seen where the mean cell is at least so many standard deviations of the noise. */
const SEEN = 2;
/** The most columns of a set for which it is stated. */
const MOST_COLUMNS = 4;

/** What can be seen of all sets of so many columns, if each of them is measured with the same part of the budget. */
export interface SeenStructure {
  readonly columns: number;
  /** The number of sets: with a target, of those that contain it. */
  readonly sets: number;
  /** The standard deviation of the noise on each cell, in rows; √5 times as much for sets with trees. */
  readonly sigma: number;
  /** From this number of rows on, the mean cell is at least 2σ: of the set with the fewest cells, and of all sets. */
  readonly seenFrom: readonly [number, number];
  /** The most cells with which a set can be seen in the declared number of rows. */
  readonly mostCells?: number;
}

/**
 * A strong dependence, such as y = a ⊕ b, moves each cell by about the mean cell, so it can be seen where that is at
 * least 2σ, with σ = Δ·√(sets ÷ 2ρ) (`npm run bench -- xor`).
 * @param target the place of a column that all sets contain, if there is one
 */
export function seenStructure(
  ledger: Pick<Ledger, "rho" | "neighbours" | "publicRows" | "unit">,
  { attributes }: Pick<Schema, "attributes">,
  target: number | undefined,
): SeenStructure[] {
  const { publicRows, unit } = ledger;
  const fixed = target === undefined ? [] : [target];
  const bySize = [...attributes.keys()]
    .filter((column) => column !== target)
    .sort((a, b) => attributes[a].size - attributes[b].size);
  // A tree counts for less than a column with as many codes, and the more so the more trees a set has.
  const [trees, plain] = [true, false].map((isTree) => bySize.filter((column) => attributes[column].tree === isTree));
  const most = Math.min(MOST_COLUMNS, attributes.length);
  return Array.from({ length: Math.max(0, most - 1) }, (_, at) => {
    const others = at + 2 - fixed.length;
    const sets = binomial(bySize.length, others);
    const sigmaOf = (partitions: number) => sigmaOfEach(partitions, sets, ledger, unit);
    const seenFrom = (columns: readonly number[]) => {
      const query = queryOf(
        [...fixed, ...columns].sort((a, b) => a - b),
        attributes,
      );
      const { length } = shapesOf(query, attributes);
      return Math.ceil((SEEN * sigmaOf(length) * cellsOf(query, attributes)) / length);
    };
    const sigma = sigmaOf(1);
    // For each number of trees, the set of the smallest columns and that of the largest.
    const extremes = Array.from({ length: others + 1 }, (_, count) => [count, others - count] as const)
      .filter(([some, rest]) => some <= trees.length && rest <= plain.length)
      .map(([some, rest]) => [
        seenFrom([...trees.slice(0, some), ...plain.slice(0, rest)]),
        seenFrom([...trees.slice(trees.length - some), ...plain.slice(plain.length - rest)]),
      ]);
    return {
      columns: at + 2,
      sets,
      sigma,
      seenFrom: [Math.min(...extremes.map(([first]) => first)), Math.max(...extremes.map(([, last]) => last))],
      ...(publicRows !== undefined && { mostCells: Math.floor(publicRows / (SEEN * sigma)) }),
    };
  });
}
