import { below, word } from "./philox.js";

/**
 * The points of rows: the k-th, counted from 1, is the first up to which the weights, as a part of all rows plus a
 * random start, reach k. Then all are shuffled (Durstenfeld's form of Fisher–Yates, from the end).
 */
export function densityPoints(
  weights: readonly number[],
  rows: number,
  seed: number,
  purpose: number,
  part: number,
): number[] {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const start = word(seed, purpose, 2 * part, 0) / 2 ** 32;
  const points: number[] = [];
  let reached = 0;
  weights.forEach((weight, point) => {
    reached += weight;
    while (points.length < rows && points.length + 1 <= (reached / total) * rows + start) points.push(point);
  });
  for (let row = rows - 1; row >= 0; row--) {
    const other = below(row + 1, word(seed, purpose, 2 * part + 1, row));
    [points[row], points[other]] = [points[other], points[row]];
  }
  return points;
}

/** The code of a point on an axis, where the points are all combinations of codes. */
export const codeOf = (sizes: readonly number[], point: number, axis: number): number =>
  Math.floor(point / sizes.slice(axis + 1).reduce((step, size) => step * size, 1)) % sizes[axis];
