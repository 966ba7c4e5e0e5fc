/** For each row, its cell so far, and as many strides further as its code says. */
export const rowKeys = (keys: readonly number[], codes: ArrayLike<number>, stride: number): number[] =>
  keys.map((key, row) => key + codes[row] * stride);
