import { inBlocks } from "./softmax.js";

/** The projection on the simplex, by sorting (Held, Wolfe and Crowder 1974). */
export const sparsemax = (x: ArrayLike<number>, blocks: readonly number[], rows: number): number[] =>
  inBlocks(x, blocks, rows, (numbers) => {
    const sorted = [...numbers].sort((a, b) => b - a).map((number, _, [most]) => number - most);
    let [sum, threshold] = [0, 0];
    for (const [at, number] of sorted.entries()) {
      sum += number;
      const next = (sum - 1) / (at + 1);
      if (number > next) threshold = next;
    }
    return numbers.map((number) => Math.max(0, number - Math.max(...numbers) - threshold));
  });

/** The slopes at x, given p = sparsemax(x) and the slopes there; 0 outside the blocks. */
export const sparsemaxGradient = (
  p: ArrayLike<number>,
  slope: ArrayLike<number>,
  blocks: readonly number[],
  rows: number,
): number[] =>
  inBlocks(new Float64Array(p.length), blocks, rows, (_, places) => {
    const kept = places.filter((place) => p[place] > 0);
    const mean = kept.reduce((sum, place) => sum + slope[place], 0) / kept.length;
    return places.map((place) => (p[place] > 0 ? slope[place] - mean : 0));
  });
