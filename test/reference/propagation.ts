import { cellsOf, type Operand, placeOf } from "./contraction.js";

/** A table of a tree, or a change of one, as factors of a distribution of all cells. */
export interface Factored {
  readonly sizes: readonly number[];
  readonly factors: readonly Operand[];
  /** What the distribution is divided by: the separators' tables. */
  readonly divisors: readonly Operand[];
  readonly total: number;
}

/** All cells' counts: the factors' product over the divisors', scaled to the total. */
export function joint({ sizes, factors, divisors, total }: Factored): number[] {
  const weights = cellsOf(sizes).map((cell) => {
    const product = (of: readonly Operand[]) =>
      of.reduce((value, { axes, values }) => value * values[placeOf(cell, axes, sizes)], 1);
    return product(factors) / product(divisors);
  });
  const sum = weights.reduce((a, b) => a + b, 0);
  return weights.map((weight) => (total * weight) / sum);
}

/** The counts of the cells of some axes. */
export function marginalOf(counts: readonly number[], axes: readonly number[], sizes: readonly number[]): number[] {
  const sums = new Array<number>(axes.reduce((count, axis) => count * sizes[axis], 1)).fill(0);
  for (const [at, cell] of cellsOf(sizes).entries()) sums[placeOf(cell, axes, sizes)] += counts[at];
  return sums;
}
