import { expect, it } from "vitest";
import type { Attribute } from "../../src/domain/attribute.js";
import { leastSquares } from "../../src/estimate/least-squares.js";
import type { Measurement } from "../../src/queries/measurement.js";
import { type NoisyTable, reconstruction } from "../selection/least-squares.js";

const SIZES = [2, 3, 4];
const TOTAL = 50;
const attributes = SIZES.map(
  (size, at): Attribute => ({ name: `c${at}`, size, ordered: false, tree: false, missing: false }),
);
const cellsOf = (columns: readonly number[]) => columns.reduce((product, column) => product * SIZES[column], 1);

/** Made-up answers, in the units of the query's. */
function measured(columns: readonly number[], centred: readonly number[], sigma2: number): Measurement {
  const answers = Int32Array.from({ length: cellsOf(columns) }, (_, cell) => ((cell * 37 + columns.length) % 23) - 5);
  const along = columns.map((column) => centred.includes(column));
  if (!centred.length) return { query: { kind: "marginal", columns }, answers, sigma2 };
  const query = { kind: "interaction", columns, ...(along.includes(false) && { centred: along }) };
  return { query, answers, sigma2 };
}

const CASES: Readonly<Record<string, readonly (readonly [number[], number[]])[]>> = {
  interactions: [
    [[0], [0]],
    [[1], [1]],
    [[2], [2]],
    [
      [0, 1],
      [0, 1],
    ],
    [
      [1, 2],
      [1, 2],
    ],
    [
      [0, 2],
      [0, 2],
    ],
    [
      [0, 1, 2],
      [0, 1, 2],
    ],
  ],
  "tables and tables that are centred along some axes": [
    [[0], [0]],
    [[1], []],
    [[2], [2]],
    [[0, 2], [0]],
    [[1, 2], [2]],
    [[0, 1], []],
  ],
};

it.each(Object.entries(CASES))("%s: the answers, and their variances, that matrices give", (_name, tables) => {
  const measurements = tables.map(([columns, centred], at) => measured(columns, centred, 3 + at));
  const scales = tables.map(([, centred]) => cellsOf(centred));
  const noisy: NoisyTable[] = tables.map(([columns, centred], at) => ({
    ...{ columns, centred, sigma2: measurements[at].sigma2 / scales[at] ** 2 },
  }));
  const answers = measurements.flatMap((one, at) => [...one.answers].map((answer) => answer / scales[at]));
  const variances = noisy.flatMap(({ columns, sigma2 }) => new Array<number>(cellsOf(columns)).fill(sigma2));
  // The number of rows is known: one more answer, almost without noise.
  noisy.push({ columns: [], sigma2: 1e-4 });
  const found = leastSquares(measurements, attributes, TOTAL);
  expect(found.map(({ columns }) => columns)).toEqual(tables.map(([columns]) => columns));
  for (const { columns, answers: own, variance } of found) {
    const matrix = reconstruction(noisy, columns, SIZES);
    for (const [cell, by] of matrix.entries())
      expect(own[cell]).toBeCloseTo(
        [...answers, TOTAL].reduce((sum, answer, at) => sum + answer * by[at], 0),
        3,
      );
    const each = matrix.map((by) => variances.reduce((sum, sigma2, at) => sum + sigma2 * by[at] ** 2, 0));
    expect(variance).toBeCloseTo(each.reduce((a, b) => a + b) / each.length, 3);
  }
});
