export const sumCounts = (counts: readonly number[]): number =>
  Number(counts.reduce((sum, count) => sum + BigInt(count), 0n));

export const countDistance = (counts: readonly number[], others: readonly number[]): number =>
  sumCounts(counts.map((count, cell) => Math.abs(count - others[cell])));

/** The sums of pairs, modulo 2^32. */
export const addedCounts = (pairs: readonly (readonly [number, number])[]): number[] =>
  pairs.map(([count, other]) => Number(BigInt.asIntN(32, BigInt(count) + BigInt(other))));

export const scaledCounts = (counts: readonly number[], scale: number): number[] =>
  counts.map((count) => Math.min(2 ** 30, Math.round(count * scale)));

/** Σ (scale · count − answer)². */
export const squaredDistance = (counts: readonly number[], answers: readonly number[], scale: number): number =>
  counts.map((count, cell) => (scale * count - answers[cell]) ** 2).reduce((sum, square) => sum + square, 0);
