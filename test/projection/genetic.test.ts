import { expect, it } from "vitest";
import { finished, type Progress, type Watcher } from "../../src/core/progress.js";
import type { Attribute } from "../../src/domain/attribute.js";
import { type SearchInput, searchBytes, searchRows } from "../../src/projection/genetic.js";
import { DESCENT, PAPER } from "../../src/projection/settings.js";
import { type Query, queryOf } from "../../src/queries/query.js";
import { integers } from "../random-tables.js";
import { answers } from "../reference/marginal.js";
import { openSearch } from "../search.js";

const attributes: Attribute[] = [
  { name: "sex", size: 2, tree: false, missing: false },
  { name: "age", size: 33, tree: true, missing: true },
  { name: "job", size: 7, tree: false, missing: false },
  { name: "colour", size: 3, tree: false, missing: false },
];
const workload = [
  [0, 1],
  [0, 2],
  [1, 2],
].map((columns) => queryOf(columns, attributes));

const leavesAsCategories = attributes.map((attribute) => ({ ...attribute, tree: false, missing: false }));

/** A table whose second and third columns follow the first. */
const rows = 400;
const noise = integers(3 * rows, 2 ** 30, 9).map(Math.abs);
const table = [
  Uint16Array.from({ length: rows }, (_, row) => noise[row] % 2),
  Uint16Array.from({ length: rows }, (_, row) =>
    noise[row] % 2 ? noise[rows + row] % 9 : 20 + (noise[rows + row] % 13),
  ),
  Uint16Array.from({ length: rows }, (_, row) => (noise[row] % 2 ? 1 : noise[2 * rows + row] % 7)),
  new Uint16Array(rows),
];

const independent = (weights: readonly Float64Array[]) => weights.map((codes, column) => ({ column, weights: codes }));
const start = independent([...[0, 1, 2].map((column) => oneWay(column)), Float64Array.of(1, 2, 1)]);

function oneWay(column: number): Float64Array {
  return Float64Array.from(answers({ kind: "marginal", columns: [column] }, leavesAsCategories, table));
}

function input(changes: Partial<SearchInput> = {}): SearchInput {
  const targets = workload.map((query) => ({ query, answers: Float64Array.from(answers(query, attributes, table)) }));
  return { attributes, targets, total: rows, rows, seed: 7, settings: DESCENT, start, ...changes };
}

const rowsFound = (input: SearchInput, waiting: Watcher = {}) => finished(searchRows(input), waiting);

it.each([DESCENT, PAPER])("finds rows that answer like the table: %o", async (settings) => {
  const { codes, loss, startLoss, steps, candidates, searchedRows } = await rowsFound(input({ settings }));
  expect(codes.map((column) => column.length)).toEqual(attributes.map(() => rows));
  expect(loss).toBeLessThan(startLoss / 100);
  expect(steps).toBeGreaterThan(0);
  expect(candidates).toBeGreaterThan(steps);
  expect(searchedRows).toBe(rows);
  const found = workload.reduce((sum, query) => {
    const counts = answers(query, attributes, codes);
    return (
      sum + answers(query, attributes, table).reduce((squares, count, cell) => squares + (count - counts[cell]) ** 2, 0)
    );
  }, 0);
  expect(loss).toBe(found);
});

it("scales targets to the requested number of rows", async () => {
  const { codes } = await rowsFound(input({ rows: 100 }));
  const women = codes[0].filter((code) => code === 0).length;
  expect(Math.abs(women - oneWay(0)[0] / 4)).toBeLessThanOrEqual(1);
});

it.each([DESCENT, PAPER])("depends on its seed and on nothing else: %o", async (settings) => {
  const first = await rowsFound(input({ settings }));
  const again = await rowsFound(input({ settings }));
  const other = await rowsFound(input({ settings, seed: 8 }));
  expect(again.codes).toEqual(first.codes);
  expect(other.codes).not.toEqual(first.codes);
});

it("draws a column that is in no workload from its start alone", async () => {
  for (const settings of [DESCENT, PAPER]) {
    const { codes } = await rowsFound(input({ settings }));
    expect([0, 1, 2].map((code) => codes[3].filter((cell) => cell === code).length)).toEqual([100, 200, 100]);
  }
});

it("draws every column from its start if there is nothing to search", async () => {
  const { codes, loss, steps } = await rowsFound(input({ targets: [] }));
  expect(loss).toBe(0);
  expect(steps).toBe(0);
  const counts = [...oneWay(2).keys()].map((code) => codes[2].filter((cell) => cell === code).length);
  expect(counts).toEqual([...oneWay(2)]);
});

it("leaves out totals, which no change of a cell can change", async () => {
  const total: Query = { kind: "total", columns: [] };
  const targets = [...input().targets, { query: total, answers: Float64Array.of(3) }];
  expect((await rowsFound(input({ targets }))).codes).toEqual((await rowsFound(input())).codes);
});

it("starts uniform if the start has no weight", async () => {
  const empty = independent(attributes.map(({ size }) => new Float64Array(size)));
  const { codes } = await rowsFound(input({ targets: [], start: empty }));
  expect([0, 1].map((code) => codes[0].filter((cell) => cell === code).length)).toEqual([200, 200]);
});

it("reports its progress and why it stopped", async () => {
  const told: Progress[] = [];
  const { stop, steps } = await rowsFound(input(), { onProgress: (progress) => told.push(progress) });
  const last = told.at(-1);
  expect(last).toMatchObject({ phase: "search", step: steps, stop });
  expect(last?.phase === "search" && last.loss).toBeLessThan(0.01);
  expect(stop).toBe(
    `The search ended after ${steps} sweeps: the last sweep lowered the squared distance from its targets by no more than 1 %.`,
  );
  const limited = await rowsFound(input({ settings: { ...PAPER, generations: 40 } as typeof PAPER }));
  expect(limited.stop).toBe("The search ended at its limit of 40 generations.");
});

it("ends when it is cancelled", async () => {
  const controller = new AbortController();
  const settings = { ...PAPER, generations: 1e9, tolerance: -1 } as typeof PAPER;
  const search = rowsFound(input({ settings }), { signal: controller.signal, onProgress: () => controller.abort() });
  await expect(search).rejects.toThrow(/abort/i);
});

it("searches fewer rows, and repeats them, if 32 bits would not hold the residuals", async () => {
  const wide = [1000, 1000].map((size) => ({ name: "column", size, tree: false, missing: false }));
  const query = queryOf([0, 1], wide);
  const { codes, searchedRows } = await rowsFound({
    ...input(),
    attributes: wide,
    targets: [{ query, answers: new Float64Array(1_000_000).fill(200_000) }],
    total: 200_000,
    rows: 200_000,
    settings: { method: "descent", tolerance: 0, maxSweeps: 1 },
    start: independent(wide.map(({ size }) => new Float64Array(size))),
  });
  expect(searchedRows).toBe(100_000);
  expect(codes[0]).toHaveLength(200_000);
  expect(codes[0].slice(100_000)).toEqual(codes[0].slice(0, 100_000));
});

it("refuses tables that the engine cannot address, before it looks at a target", async () => {
  const wide = [1500, 1500, 600].map((size) => ({ name: "column", size, tree: false, missing: false }));
  const targets = [{ query: queryOf([0, 1, 2], wide), answers: new Float64Array(0) }];
  await expect(rowsFound({ ...input(), attributes: wide, targets })).rejects.toMatchObject({ code: "engine/memory" });
});

it("knows in advance how much memory it takes", () => {
  const queries = [...workload, queryOf([0, 1, 2], attributes), queryOf([2], attributes)];
  const targets = queries.map((query) => new Int32Array(answers(query, attributes, table)));
  const { bytes } = openSearch({ attributes, queries, targets, codes: table, shift: 8, seed: 0 });
  const told = searchBytes(attributes, queries, rows);
  expect(told).toBeGreaterThanOrEqual(bytes);
  const scratch = 8 * Math.max(...targets.map((cells) => cells.length));
  expect(told).toBeLessThan(bytes + scratch + 6 * rows + 4096);
});
