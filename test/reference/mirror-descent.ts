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
 * The counts of all cells, explicitly, whose marginals have the least loss: exponentiated gradients from where all
 * cells have equal counts, each step short enough for the loss to fall.
 */
export function leastLoss(sizes: readonly number[], noisy: readonly Noisy[], total: number, steps: number): number[] {
  const cells = cellsOf(sizes);
  const places = noisy.map(({ axes }) => cells.map((cell) => placeOf(cell, axes, sizes)));
  const errorsOf = (counts: readonly number[]) =>
    noisy.map(({ answers, weight }, at) => {
      const errors = answers.map((answer) => -answer);
      for (const [cell, count] of counts.entries()) errors[places[at][cell]] += count;
      return { errors, weight };
    });
  const lossIn = (all: ReturnType<typeof errorsOf>) =>
    all.reduce((sum, { errors, weight }) => sum + (weight / 2) * errors.reduce((a, error) => a + error * error, 0), 0);
  let counts = cells.map(() => total / cells.length);
  let all = errorsOf(counts);
  let rate = 1 / (total * Math.max(...noisy.map(({ weight }) => weight)));
  for (let step = 0; step < steps; step++) {
    const slopeOf = (cell: number) =>
      all.reduce((sum, { errors, weight }, at) => sum + weight * errors[places[at][cell]], 0);
    const grown = counts.map((count, cell) => count * Math.exp(-rate * slopeOf(cell)));
    const sum = grown.reduce((a, b) => a + b, 0);
    const next = grown.map((count) => (total * count) / sum);
    const errors = errorsOf(next);
    const isLower = lossIn(errors) <= lossIn(all);
    rate *= isLower ? 1.05 : 0.5;
    if (!isLower) continue;
    counts = next;
    all = errors;
  }
  return counts;
}
