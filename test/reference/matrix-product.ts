import type { Product } from "../../src/core/kernels.js";

/** a · b: numbers of 64 bits, row by row. */
export function matrixProduct(a: ArrayLike<number>, b: ArrayLike<number>, product: Product): number[] {
  const { rows, inner, columns, transposedA, transposedB } = product;
  return Array.from({ length: rows * columns }, (_, cell) => {
    const [row, column] = [Math.floor(cell / columns), cell % columns];
    let sum = 0;
    for (let at = 0; at < inner; at++)
      sum +=
        a[transposedA ? at * rows + row : row * inner + at] *
        b[transposedB ? column * inner + at : at * columns + column];
    return sum;
  });
}
