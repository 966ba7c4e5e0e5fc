/** A density as a list of points with weights, each of which is looked at for every sum. */
export interface Density {
  /** The number of codes of each axis. */
  readonly sizes: readonly number[];
  /** A code for each axis. */
  readonly points: readonly (readonly number[])[];
  /** They add up to 1. */
  weights: number[];
}

/** All combinations of codes, the last axis fastest, all equally likely. */
export function allPoints(sizes: readonly number[]): Density {
  let points: number[][] = [[]];
  for (const size of sizes)
    points = points.flatMap((point) => Array.from({ length: size }, (_, code) => [...point, code]));
  return givenPoints(sizes, points);
}

export const givenPoints = (sizes: readonly number[], points: readonly (readonly number[])[]): Density => ({
  sizes,
  points,
  weights: points.map(() => 1 / points.length),
});

/** The cell of a point in the table of some axes, the last of them fastest. */
export const cellOf = ({ sizes }: Density, axes: readonly number[], point: readonly number[]): number =>
  axes.reduce((cell, axis) => cell * sizes[axis] + point[axis], 0);

export function answers(density: Density, axes: readonly number[]): number[] {
  const sums = new Array<number>(axes.reduce((cells, axis) => cells * density.sizes[axis], 1)).fill(0);
  density.points.forEach((point, at) => {
    sums[cellOf(density, axes, point)] += density.weights[at];
  });
  return sums;
}

/** Multiplies the weight of each point by the factor of its cell. */
export function scaled(density: Density, axes: readonly number[], factors: (cell: number) => number): void {
  const weights = density.points.map((point, at) => density.weights[at] * factors(cellOf(density, axes, point)));
  const mass = weights.reduce((sum, weight) => sum + weight, 0);
  density.weights = weights.map((weight) => weight / mass);
}

/** Fractions that were measured: of one cell of a table, or of all. */
export interface Measured {
  readonly axes: readonly number[];
  readonly cell?: number;
  readonly targets: readonly number[];
  readonly slack: number;
}

/** The answers that a measurement is about, with their targets; a cell without points has none. */
export const compared = (density: Density, { axes, cell, targets }: Measured) =>
  answers(density, axes).flatMap((answer, at) =>
    cell === undefined
      ? [{ at, answer, target: targets[at] }]
      : at === cell
        ? [{ at, answer, target: targets[0] }]
        : [],
  );

/** How wrong a density is at most. */
export const errorOf = (density: Density, measured: Measured): number =>
  compared(density, measured).reduce(
    (most, { answer, target }) => (answer > 0 ? Math.max(most, Math.abs(target - answer) - measured.slack) : most),
    0,
  );

/** The fraction closest to an answer that agrees with a target, kept inside 0 … 1. */
export const allowed = (answer: number, target: number, slack: number): number =>
  Math.min(1 - 1e-6, Math.max(1e-6, Math.min(target + slack, Math.max(target - slack, answer))));
