import fc from "fast-check";
import { expect, it } from "vitest";
import { instance } from "../engine.js";
import { interaction, raised, transposed } from "../reference/interaction.js";
import { uniforms } from "../reference/statistics.js";

const engine = instance();
const { exports } = engine;
const bottom = exports.mark();
const size = fc.integer({ min: 1, max: 12 });
const place = (values: readonly number[]) => engine.place(Float64Array.from(values));

/** A table of counts, some below 0. */
function tableOf(rows: number, columns: number, seed: number): number[][] {
  const uniform = uniforms(seed);
  return Array.from({ length: rows }, () => Array.from({ length: columns }, () => 100 * uniform() - 20));
}

it("measures how far a pair is from independent columns", () => {
  fc.assert(
    fc.property(size, size, fc.nat(), (rows, columns, seed) => {
      exports.rewind(bottom);
      const table = tableOf(rows, columns, seed);
      const [first, second] = [tableOf(1, rows, seed + 1)[0], tableOf(1, columns, seed + 2)[0]];
      const found = exports.interactionOf(place(table.flat()), place(first), rows, place(second), columns, 300);
      expect(found).toBeCloseTo(interaction(table, first, second, 300), 8);
    }),
  );
});

it("is nothing for independent columns", () => {
  const [first, second] = [
    [2, 6],
    [4, 0, 4],
  ];
  const table = first.flatMap((a) => second.map((b) => (a * b) / 8));
  expect(exports.interactionOf(place(table), place(first), 2, place(second), 3, 8)).toBe(0);
});

it("gives each column's codes for each code of the other, none below 0", () => {
  fc.assert(
    fc.property(size, size, fc.nat(), fc.boolean(), (rows, columns, seed, isTransposed) => {
      exports.rewind(bottom);
      const table = tableOf(rows, columns, seed);
      const out = engine.alloc(8 * rows * columns);
      exports.conditionalCounts(place(table.flat()), rows, columns, +isTransposed, out);
      const expected = isTransposed ? transposed(raised(table)) : raised(table);
      expect([...engine.f64(out, rows * columns)]).toEqual(expected.flat());
    }),
  );
});
