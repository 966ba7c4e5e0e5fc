import fc from "fast-check";
import { expect, it } from "vitest";
import { Budget, measure, parseCsv, parseSchema, plan } from "../../src/index.js";

/** A schema with one column of this many codes for each size, every code a category. */
const columns = (sizes: readonly number[]) =>
  parseSchema({
    fields: sizes.map((size, at) => ({
      name: `c${at}`,
      type: "integer",
      constraints: { minimum: 0, maximum: size - 1, required: true },
      standin: { bins: size },
    })),
  });

const oneTable = (sizes: readonly number[]) => ({ epsilon: 1, workload: [sizes.map((_, at) => `c${at}`)] });

it("holds any table that a release can hold: residuals of every cell, once per axis, fit in the engine", () => {
  const MOST_CELLS = 50_000_000;
  const sizesOf = fc
    .array(fc.integer({ min: 2, max: 5000 }), { minLength: 2, maxLength: 8 })
    .filter((sizes) => sizes.reduce((cells, size) => cells * size, 1) <= MOST_CELLS);
  const largest = [[7000, 7100], [368, 368, 367], [84, 84, 84, 84], Array(8).fill(9), [...Array(7).fill(2), 5000]];
  const examples = largest.map((sizes): [number[]] => [sizes]);
  fc.assert(
    fc.property(sizesOf, (sizes) => {
      expect(plan(columns(sizes), oneTable(sizes)).memory(1000)).toBeLessThan(3.5 * 2 ** 30);
    }),
    { seed: 1, numRuns: 200, examples },
  );
});

it("refuses a workload of more cells than a release can hold, and names its largest table", () => {
  const sizes = [10, 8000, 8000];
  const planned = () => plan(columns(sizes), { epsilon: 1 });
  expect(planned).toThrow("The workload has 64,192,020 cells");
  expect(planned).toThrow("Its largest table is c1 × c2, with 64,000,000 cells");
  expect(planned).toThrow(expect.objectContaining({ code: "workload/too-large" }));
});

it("refuses to choose among more cells than the vault can keep", () => {
  const sizes = Array(12).fill(110);
  const planned = () => plan(columns(sizes), { epsilon: 0.1, workload: "3-way" });
  expect(planned).toThrow("The candidate tables have 292,820,000 cells");
});

it("states memory for all rows where only one-ways are certain to be measured, of which each column may have two", () => {
  const sizes = Array(25).fill(8);
  const rows = 10_000_000;
  const bytes = 4 * sizes.length * rows;
  expect(plan(columns(sizes), { epsilon: 0.05 }).memory(rows)).toBeGreaterThan(bytes);
  // Of one stage all pairs are certain: fewer rows are searched, and repeated.
  expect(plan(columns(sizes), { epsilon: 0.05, stages: 1 }).memory(rows)).toBeLessThan(bytes / 2);
});

it("refuses a declared number of rows that the search could not hold, unless fewer are asked for, before any charge", async () => {
  const schema = columns(Array(120).fill(2));
  const names = schema.attributes.map(({ name }) => name).join();
  const table = parseCsv(`${names}\n${Array(120).fill(0).join()}\n`, schema);
  const budget = new Budget({ epsilon: 9, delta: 1e-8, neighbours: "replace", unit: "row" });
  const options = { epsilon: 1, neighbours: "replace", publicRows: 10_000_000, workload: "1-way" } as const;
  const planned = plan(schema, options);
  await expect(measure(table, planned, { budget })).rejects.toMatchObject({ code: "options/rows" });
  expect(budget.toJSON().spent).toEqual([]);
  await measure(table, planned, { budget, rows: 10 });
  expect(budget.toJSON().spent).toHaveLength(1);
});

it("refuses settings of the paper's search that would take memory nobody states", () => {
  const planned = (settings: object) => () =>
    plan(columns([2]), { epsilon: 1, workload: "1-way", search: { method: "paper", ...settings } });
  expect(planned({ elites: 1000, mutations: 100_000 })).not.toThrow();
  expect(planned({ elites: 1001 })).toThrow('"elites" is 1001. Use a number from 1 to 1,000.');
  expect(planned({ mutations: 1e6 })).toThrow('"mutations" is 1000000. Use a number from 1 to 100,000.');
});

it.each([
  ["onRound", true],
  ["onProgress", "log"],
  ["signal", {}],
  ["unsafeNoiseKey", new Uint8Array(3)],
])("refuses %s: %j before any charge", async (name, value) => {
  const schema = columns([2]);
  const budget = new Budget({ epsilon: 9, delta: 1e-8, neighbours: "add-remove", unit: "row" });
  const given = { budget, [name]: value } as never;
  const planned = plan(schema, { epsilon: 1, workload: "1-way" });
  await expect(measure(parseCsv("c0\n1\n", schema), planned, given)).rejects.toMatchObject({
    code: "options/argument",
  });
  expect(budget.toJSON().spent).toEqual([]);
});
