/** The indices of values from the largest down; equal values keep their order. */
export const ranked = (values: readonly number[]): number[] =>
  [...values.keys()].sort((a, b) => values[b] - values[a] || a - b);

/** Values from the smallest up, and the sums of the first 0, 1, … of them. */
export function ascending(values: readonly number[]): { sorted: number[]; sums: number[] } {
  const sorted = [...values].sort((a, b) => a - b);
  return { sorted, sums: [0, ...sorted.map((_, at) => sorted.slice(0, at + 1).reduce((a, b) => a + b, 0))] };
}
