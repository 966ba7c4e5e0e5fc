/** Codes above the last one of their column become that one. */
export const capped = (codes: ArrayLike<number>, last: number): number[] =>
  Array.from(codes, (code) => Math.min(code, last));

/** The codes of the rows that stay. */
export const kept = (codes: ArrayLike<number>, keep: readonly boolean[]): number[] =>
  Array.from(codes).filter((_, row) => keep[row]);
