/**
 * The basis vectors of the unbalanced Haar basis on `count` codes: the constant first, then each split at the position
 * of its right half.
 */
export function haarBasis(count: number): number[][] {
  const basis: number[][] = [new Array(count).fill(1 / Math.sqrt(count))];
  const split = (from: number, to: number): void => {
    if (to - from === 1) return;
    const middle = Math.floor((from + to) / 2);
    const [a, b] = [middle - from, to - middle];
    const scale = Math.sqrt((a * b) / (a + b));
    basis[middle] = Array.from({ length: count }, (_, code) =>
      code < from || code >= to ? 0 : code < middle ? scale / a : -scale / b,
    );
    split(from, middle);
    split(middle, to);
  };
  split(0, count);
  return basis;
}

/** The coefficients of values in an orthonormal basis. */
export const coefficients = (basis: number[][], values: readonly number[]): number[] =>
  basis.map((vector) => vector.reduce((sum, entry, at) => sum + entry * values[at], 0));

/** Values from their coefficients. */
export const valuesOf = (basis: number[][], weights: readonly number[]): number[] =>
  basis[0].map((_, at) => basis.reduce((sum, vector, index) => sum + vector[at] * weights[index], 0));
