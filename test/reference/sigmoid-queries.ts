/** Queries that ask whether sums are at most thresholds; one for each threshold. */
export interface Sigmoids {
  readonly thresholds: ArrayLike<number>;
  readonly scale: number;
  /** The line of x that each query multiplies by. */
  readonly labels?: readonly number[];
}

const sigmoid = (z: number) => 1 / (1 + Math.exp(-z));

/** For each query, its sigmoid and its label's place in each row. */
const parts = (sums: ArrayLike<number>, rows: number, { thresholds, scale, labels }: Sigmoids) =>
  Array.from(thresholds, (threshold, query) =>
    Array.from({ length: rows }, (_, row) => ({
      place: query * rows + row,
      share: sigmoid(scale * (threshold - sums[query * rows + row])),
      label: labels && labels[query] * rows + row,
    })),
  );

/** The mean over the rows of the sigmoids, times the labels' numbers. */
export const sigmoidQueries = (
  sums: ArrayLike<number>,
  rows: number,
  queries: Sigmoids,
  x: ArrayLike<number> = [],
): number[] =>
  parts(sums, rows, queries).map(
    (found) => found.reduce((sum, { share, label }) => sum + share * (label === undefined ? 1 : x[label]), 0) / rows,
  );

/** The slopes at the sums and at x, given those at the answers. */
export function sigmoidQueriesGradient(
  sums: ArrayLike<number>,
  rows: number,
  queries: Sigmoids,
  x: ArrayLike<number>,
  slope: ArrayLike<number>,
): { sums: number[]; x: number[] } {
  const made = { sums: Array.from(sums, () => 0), x: Array.from(x, () => 0) };
  for (const [query, found] of parts(sums, rows, queries).entries())
    for (const { place, share, label } of found) {
      const factor = slope[query] / rows;
      made.sums[place] -= factor * queries.scale * share * (1 - share) * (label === undefined ? 1 : x[label]);
      if (label !== undefined) made.x[label] += factor * share;
    }
  return made;
}
