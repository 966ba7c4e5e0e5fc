import fc from "fast-check";
import { expect, it } from "vitest";
import type { Attribute } from "../../src/domain/attribute.js";
import { cellsOf, type Query, queryOf, shapesOf } from "../../src/queries/query.js";
import { writeQuery } from "../../src/queries/struct.js";
import { engineAnswers } from "../answers.js";
import { instance } from "../engine.js";
import { attribute, integers, queryAmong } from "../random-tables.js";
import { answers } from "../reference/marginal.js";
import { levelSums } from "../reference/tree.js";

const engine = instance();
const { exports } = engine;
const bottom = exports.mark();

const age: Attribute = { name: "age", size: 33, tree: true, missing: true };
const wage: Attribute = { name: "wage", size: 32, tree: true, missing: false };
const sex: Attribute = { name: "sex", size: 2, tree: false, missing: false };
const state: Attribute = { name: "state", size: 5, tree: false, missing: false };
const attributes = [age, wage, sex, state];
const queries: Query[] = [
  { kind: "tree", columns: [0] },
  { kind: "tree", columns: [0, 2] },
  { kind: "tree", columns: [0, 1] },
  { kind: "tree", columns: [1, 2, 3] },
  { kind: "marginal", columns: [2, 3] },
];
const table = attributes.map(({ size }, column) =>
  Uint16Array.from({ length: 50 }, (_, row) => (row * (7 + 4 * column)) % size),
);

it.each(queries)("one more row changes one cell per level of a $kind over $columns", (query) => {
  const shapes = shapesOf(query, attributes);
  const before = engineAnswers(query, attributes, table);
  for (const codes of [
    [0, 0, 0, 0],
    [31, 31, 1, 4],
    [32, 16, 0, 3],
    [15, 7, 1, 2],
  ]) {
    const more = table.map((column, index) => Uint16Array.of(...column, codes[index]));
    const after = engineAnswers(query, attributes, more);
    let offset = 0;
    for (const shape of shapes) {
      const end = offset + shape.reduce((cells, size) => cells * size, 1);
      const changes = [...after.slice(offset, end)].map((count, cell) => count - before[offset + cell]);
      expect(changes.filter((change) => change !== 0)).toEqual([1]);
      offset = end;
    }
    expect(offset).toBe(after.length);
  }
});

it.each(queries)("every level of a $kind over $columns counts as the definition does", (query) => {
  expect(engineAnswers(query, attributes, table)).toEqual(answers(query, attributes, table));
});

it("missing comes last on every level", () => {
  const one = [age];
  const counts = engineAnswers({ kind: "tree", columns: [0] }, one, [Uint16Array.of(32, 32, 31)]);
  const lastOfLevels = [3, 5, 9, 17, 33].map(
    (_, level, sizes) => sizes.slice(0, level + 1).reduce((a, b) => a + b) - 1,
  );
  expect(lastOfLevels.map((cell) => [counts[cell - 1], counts[cell]])).toEqual(Array(5).fill([1, 2]));
});

const tables = fc
  .array(attribute(6), { minLength: 1, maxLength: 3 })
  .chain((axes) => fc.tuple(fc.constant(axes), queryAmong(axes, 2), fc.nat()));

it("sums any counts and any estimates of the finest cells into the levels above, whatever was there", () => {
  fc.assert(
    fc.property(tables, ([axes, query, seed]) => {
      const cells = query.columns.reduce((product, column) => product * axes[column].size, 1);
      const finest = integers(cells, 1000, seed);
      const all = integers(cellsOf(query, axes), 1000, seed + 1);
      all.set(finest, all.length - cells);
      const expected = levelSums(query, axes, finest);
      exports.rewind(bottom);
      const struct = writeQuery(engine, query, axes);
      const counts = engine.place(all);
      exports.answerLevels(struct, counts);
      expect([...engine.i32(counts, all.length)]).toEqual(expected);
      const estimates = engine.place(Float64Array.from(all, (count) => count / 4));
      exports.estimateLevels(struct, estimates);
      expect([...engine.f64(estimates, all.length)]).toEqual(expected.map((sum) => sum / 4));
    }),
    { seed: 1, numRuns: 200 },
  );
});

it("estimateLevels sums the finest level into the others, as answerLevels does", () => {
  exports.rewind(bottom);
  const query = queryOf([0, 2], attributes);
  const exact = answers(query, attributes, table);
  const finest = exact.length - 66;
  const given = Float64Array.from(exact, (count, cell) => (cell < finest ? -1 : count / 4));
  const pointer = engine.place(given);
  exports.estimateLevels(writeQuery(engine, query, attributes), pointer);
  expect([...engine.f64(pointer, given.length)]).toEqual([...exact].map((count) => count / 4));
});
