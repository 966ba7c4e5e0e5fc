import fc from "fast-check";
import { expect, it } from "vitest";
import "../engine.js";
import { parseSchema, plan } from "../../src/index.js";

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
  expect(planned).toThrow("The workload has 64,176,010 cells");
  expect(planned).toThrow("Its largest table is c1 × c2, with 64,000,000 cells");
  expect(planned).toThrow(expect.objectContaining({ code: "workload/too-large" }));
});

it("refuses to choose among more cells than the vault can keep", () => {
  const sizes = Array(12).fill(110);
  const planned = () => plan(columns(sizes), { epsilon: 0.1, workload: "3-way" });
  expect(planned).toThrow("The candidate tables have 292,820,000 cells");
});
