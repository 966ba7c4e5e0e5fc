/** Codes above the last one of their column become that one. */
export const capped = (codes: ArrayLike<number>, last: number): number[] =>
  Array.from(codes, (code) => Math.min(code, last));
