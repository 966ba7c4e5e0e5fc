/** Sigmoids of how far sums are below thresholds; one line of sums for each threshold. */
export interface Sigmoids {
  readonly thresholds: ArrayLike<number>;
  readonly scale: number;
}

/** The sigmoids of all sums, line by line. */
export const sigmoid = (sums: ArrayLike<number>, rows: number, { thresholds, scale }: Sigmoids): number[] =>
  Array.from(sums, (sum, at) => 1 / (1 + Math.exp(-scale * (thresholds[Math.floor(at / rows)] - sum))));

/** The slopes at the sums, given those at their sigmoids. */
export const sigmoidGradient = (p: ArrayLike<number>, scale: number, slope: ArrayLike<number>): number[] =>
  Array.from(p, (share, at) => -scale * share * (1 - share) * slope[at]);
