import { word } from "./philox.js";

/**
 * For each group of rows its codes in order. The k-th of its rows, counted from 1, has the first code up to which the
 * weights, as a part of all rows plus a random start, reach k.
 * @param weights for each group, the weight of each code
 * @param held the rows of each group
 */
export function quotaCodes(
  weights: readonly (readonly number[])[],
  held: readonly number[],
  seed: number,
  purpose: number,
  column: number,
): number[][] {
  return weights.map((given, group) => {
    const flat = given.every((weight) => weight === 0);
    const sums: number[] = [];
    for (const weight of given) sums.push((sums.at(-1) ?? 0) + (flat ? 1 : weight));
    const start = word(seed, purpose, column, group) / 2 ** 32;
    const reached = sums.map((sum) => (sum / sums[sums.length - 1]) * held[group] + start);
    return Array.from({ length: held[group] }, (_, row) => reached.findIndex((points) => points >= row + 1));
  });
}
