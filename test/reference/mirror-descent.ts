import { cellsOf, placeOf } from "./contraction.js";
import { marginalOf } from "./propagation.js";

/** Noisy answers to a marginal, each with this inverse variance. */
export interface Noisy {
  readonly axes: readonly number[];
  readonly answers: readonly number[];
  readonly weight: number;
}

/** ½ Σ weight·(marginal − answer)². */
export function lossOf(counts: readonly number[], noisy: readonly Noisy[], sizes: readonly number[]): number {
  let sum = 0;
  for (const { axes, answers, weight } of noisy)
    for (const [cell, count] of marginalOf(counts, axes, sizes).entries()) sum += weight * (count - answers[cell]) ** 2;
  return sum / 2;
}

/**
 * The counts of all cells, explicitly, whose marginals have the least loss: exponentiated gradients from where all cells
 * have equal counts, each step short enough for the loss to fall.
 */
export function leastLoss(sizes: readonly number[], noisy: readonly Noisy[], total: number, steps: number): number[] {
  const cells = cellsOf(sizes);
  const places = noisy.map(({ axes }) => cells.map((cell) => placeOf(cell, axes, sizes)));
  let counts = cells.map(() => total / cells.length);
  let loss = lossOf(counts, noisy, sizes);
  let rate = 1 / (total * Math.max(...noisy.map(({ weight }) => weight)));
  for (let step = 0; step < steps; step++) {
    const slopes = cells.map(() => 0);
    for (const [at, { axes, answers, weight }] of noisy.entries()) {
      const errors = marginalOf(counts, axes, sizes).map((count, cell) => weight * (count - answers[cell]));
      for (const cell of cells.keys()) slopes[cell] += errors[places[at][cell]];
    }
    const grown = counts.map((count, cell) => count * Math.exp(-rate * slopes[cell]));
    const sum = grown.reduce((a, b) => a + b, 0);
    const next = grown.map((count) => (total * count) / sum);
    const lower = lossOf(next, noisy, sizes);
    rate *= lower <= loss ? 1.05 : 0.5;
    if (lower > loss) continue;
    counts = next;
    loss = lower;
  }
  return counts;
}
