import fc from "fast-check";
import { expect, it } from "vitest";
import { cellsIn, queryOf } from "../../src/queries/query.js";
import { writeQuery } from "../../src/queries/struct.js";
import { instance } from "../engine.js";
import { fittedMargins } from "../reference/margins.js";
import { uniforms } from "../reference/statistics.js";

const engine = instance();
const { exports } = engine;
const bottom = exports.mark();

function fitted(sizes: readonly number[], margins: readonly number[][], rounds: number): number[] {
  exports.rewind(bottom);
  const axes = sizes.map((size) => ({ name: "c", size, tree: false, missing: false }));
  const cells = cellsIn(sizes);
  const query = writeQuery(engine, queryOf([...sizes.keys()], axes), axes);
  const pointers = margins.map((margin) => engine.place(Float64Array.from(margin)));
  const [table, scratch] = [0, 1].map(() => engine.alloc(8 * cells));
  exports.fitMargins(query, table, engine.place(Uint32Array.from(pointers)), rounds, scratch);
  return [...engine.f64(table, cells)];
}

/** The table summed over each axis in turn. */
const marginsOf = (sizes: readonly number[], table: readonly number[]): number[][] =>
  sizes.map((size, axis) => {
    const inner = cellsIn(sizes.slice(axis + 1));
    const sums = new Array(table.length / size).fill(0);
    for (const [cell, count] of table.entries())
      sums[Math.floor(cell / (inner * size)) * inner + (cell % inner)] += count;
    return sums;
  });

const shapes = fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 2, maxLength: 4 });

it("fits as the oracle does, whatever the margins", () => {
  fc.assert(
    fc.property(shapes, fc.nat(), fc.integer({ min: 1, max: 4 }), (sizes, seed, rounds) => {
      const uniform = uniforms(seed);
      const margins = sizes.map((size) => Array.from({ length: cellsIn(sizes) / size }, () => 10 * uniform() - 2));
      const expected = fittedMargins(sizes, margins, rounds);
      for (const [cell, count] of fitted(sizes, margins, rounds).entries())
        expect(count).toBeCloseTo(expected[cell], 6);
    }),
  );
});

it("gives the product of two one-ways after one round", () => {
  const [p, q] = [
    [10, 0, 30],
    [25, 15],
  ];
  const table = fitted([3, 2], [q, p], 1);
  expect(table).toEqual(p.flatMap((x) => q.map((y) => expect.closeTo((x * y) / 40, 9))));
});

it("keeps the margins of a table, and finds the table if they determine it", () => {
  const uniform = uniforms(4);
  const sizes = [3, 4, 2];
  const table = Array.from({ length: 24 }, () => 1 + 9 * uniform());
  const wanted = marginsOf(sizes, table);
  const found = marginsOf(sizes, fitted(sizes, wanted, 200));
  for (const [axis, margin] of wanted.entries())
    for (const [cell, count] of margin.entries()) expect(found[axis][cell]).toBeCloseTo(count, 6);
  const weights = [1, 2, 3].flatMap((x) => [4, 1, 2, 1].flatMap((y) => [3, 5].map((z) => x * y * z)));
  expect(fitted(sizes, marginsOf(sizes, weights), 1)).toEqual(weights.map((count) => expect.closeTo(count, 9)));
});
