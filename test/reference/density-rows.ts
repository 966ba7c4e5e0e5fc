import { below, word } from "./philox.js";
import { cellOf, type Density } from "./weights.js";

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
  return shuffled(points, seed, purpose, part);
}

/**
 * The points of rows that are given: each point has its share of the rows, plus the mean of the errors that its codes
 * and pairs of codes have so far, rounded. Errors count by the square root of how many points they are of. The number
 * of rows may be off by a half, and by a 16th of what is to come.
 * @param density its weights add up to 1
 */
export function givenRows(density: Density, rows: number, seed: number, purpose: number, part: number): number[] {
  const { sizes, points, weights } = density;
  const sets = sizes.flatMap((_, a) => sizes.slice(a).map((__, more) => (more ? [a, a + more] : [a])));
  const cellsAt = (point: readonly number[]) => sets.map((axes) => `${axes}:${cellOf(density, axes, point)}`);
  const counts = new Map<string, number>();
  for (const cell of points.flatMap(cellsAt)) counts.set(cell, (counts.get(cell) ?? 0) + 1);
  const errors = new Map<string, number>();
  const made: number[] = [];
  let reached = 0;
  points.forEach((point, at) => {
    const cells = cellsAt(point);
    reached += weights[at];
    let [sum, weight] = [0, 0];
    for (const cell of cells) {
      weight += 1 / Math.sqrt(counts.get(cell)!);
      sum += (errors.get(cell) ?? 0) / Math.sqrt(counts.get(cell)!);
    }
    const share = weights[at] * rows;
    const due = reached * rows - made.length;
    const off = 0.5 + Math.max(0, (1 - reached) * rows) / 16;
    const asked = Math.floor(share + sum / weight + 0.5);
    const count = Math.max(0, Math.min(Math.floor(due + off), Math.max(Math.ceil(due - off), asked)));
    for (let left = count; left; left--) made.push(at);
    for (const cell of cells) errors.set(cell, (errors.get(cell) ?? 0) + share - count);
  });
  return shuffled(made, seed, purpose, part);
}

function shuffled(points: number[], seed: number, purpose: number, part: number): number[] {
  for (let row = points.length - 1; row >= 0; row--) {
    const other = below(row + 1, word(seed, purpose, 2 * part + 1, row));
    [points[row], points[other]] = [points[other], points[row]];
  }
  return points;
}

/** The code of a point on an axis, where the points are all combinations of codes. */
export const codeOf = (sizes: readonly number[], point: number, axis: number): number =>
  Math.floor(point / sizes.slice(axis + 1).reduce((step, size) => step * size, 1)) % sizes[axis];
