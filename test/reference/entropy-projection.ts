import { allowed, answers, type Density, errorOf, type Measured, scaled } from "./weights.js";

/** Makes answers what was measured: a cell's by the log-odds of both, a table's by their ratios. */
export function projectOne(density: Density, measured: Measured): void {
  const { axes, cell, targets, slack } = measured;
  const found = answers(density, axes);
  if (cell === undefined) {
    scaled(density, axes, (at) => (found[at] > 0 ? allowed(found[at], targets[at], slack) / found[at] : 1));
    return;
  }
  const answer = Math.min(1 - 1e-6, Math.max(1e-6, found[cell]));
  const wanted = allowed(answer, targets[0], slack);
  const lambda = Math.log(wanted / (1 - wanted)) - Math.log(answer / (1 - answer));
  scaled(density, axes, (at) => (at === cell ? Math.exp(lambda) : 1));
}

/** Corrects whatever is most wrong, at most `most` times. Returns how often. */
export function projectEntropy(
  density: Density,
  measured: readonly Measured[],
  most: number,
  tolerance: number,
): number {
  for (let made = 0; made < most; made++) {
    const errors = measured.map((one) => errorOf(density, one));
    const error = Math.max(...errors);
    if (error <= tolerance) return made;
    projectOne(density, measured[errors.indexOf(error)]);
  }
  return most;
}
