// Rows of a tree: as close to its marginals as whole rows allow, and independent where the tree says so.
import { expect, it } from "vitest";
import { CalibratedTree } from "../../src/graphical/calibrated-tree.js";
import { fitTree } from "../../src/graphical/fit.js";
import { codesOfCells, treeRows } from "../../src/graphical/rows.js";
import { junctionTree } from "../../src/graphical/triangulation.js";
import "../engine.js";
import { chiSquareTail, uniforms } from "../reference/statistics.js";

const SIZES = [4, 3, 5];
const ROWS = 10_000;
const SETS = [
  [0, 1],
  [1, 2],
];

/** A chain: columns 0 and 2 are independent, given column 1. */
function chain(): CalibratedTree {
  const uniform = uniforms(3);
  const tree = new CalibratedTree(junctionTree(SETS, SIZES), SIZES, ROWS);
  tree.startIndependent(SIZES.map((size) => new Float64Array(size).fill(ROWS / size)));
  const noisy = SETS.map((columns) => {
    const cells = columns.reduce((product, column) => product * SIZES[column], 1);
    const answers = Float64Array.from({ length: cells }, () => 0.1 + uniform());
    const sum = answers.reduce((a, b) => a + b);
    return { columns, answers: answers.map((count) => (ROWS * count) / sum), weights: new Float64Array(cells).fill(1) };
  });
  for (const _ of fitTree(tree, noisy, { steps: 500, tolerance: 0, noise: 0 }, new Float64Array()));
  return tree;
}

const tree = chain();
const [expected01, expected12, expected02] = tree.marginals([...SETS, [0, 2]]);
const counted = (codes: readonly Uint16Array[], [one, other]: readonly number[]) => {
  const counts = new Array<number>(SIZES[one] * SIZES[other]).fill(0);
  for (let row = 0; row < ROWS; row++) counts[codes[one][row] * SIZES[other] + codes[other][row]]++;
  return counts;
};

it("gives every cell of a clique its expected count, to within two rows", () => {
  for (const seed of [1, 2, 3]) {
    const codes = treeRows(tree, ROWS, seed);
    for (const [columns, expected] of [[[0, 1], expected01] as const, [[1, 2], expected12] as const])
      for (const [cell, count] of counted(codes, columns).entries())
        expect(Math.abs(count - expected[cell])).toBeLessThan(3);
  }
});

it("leaves columns of different cliques independent, given what they share, whatever the order of rows", () => {
  let statistic = 0;
  for (let seed = 0; seed < 20; seed++)
    for (const [cell, count] of counted(treeRows(tree, ROWS, seed), [0, 2]).entries())
      statistic += (count - expected02[cell]) ** 2 / expected02[cell];
  // The columns' own counts hardly vary: there are (4 − 1)·(5 − 1) degrees of freedom for each code of column 1.
  const degrees = 20 * 3 * 4;
  expect(chiSquareTail(statistic, degrees)).toBeGreaterThan(1e-6);
  expect(1 - chiSquareTail(statistic, degrees)).toBeGreaterThan(1e-6);
});

it("depends on the seed alone", () => {
  expect(treeRows(tree, 100, 5)).toEqual(treeRows(tree, 100, 5));
  expect(treeRows(tree, 100, 5)).not.toEqual(treeRows(tree, 100, 6));
});

it("spreads the rows of a cell over its codes by their shares", () => {
  const cells = Uint16Array.from({ length: 1000 }, (_, row) => row % 2);
  const resolution = { cells: 2, cellOf: [0, 1, 1, 0], codes: [2, 2] };
  const [codes] = codesOfCells(tree.engine, [cells], [resolution], [Float64Array.of(0.1, 0.5, 0.5, 0.9)], 1);
  const counts = [0, 1, 2, 3].map((code) => codes.filter((one) => one === code).length);
  for (const [code, count] of [50, 250, 250, 450].entries()) expect(Math.abs(counts[code] - count)).toBeLessThan(2);
  for (const [row, code] of codes.entries()) expect(resolution.cellOf[code]).toBe(cells[row]);
});
