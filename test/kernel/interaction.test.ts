import fc from "fast-check";
import { expect, it } from "vitest";
import { queryOf } from "../../src/queries/query.js";
import { writeQuery } from "../../src/queries/struct.js";
import { instance } from "../engine.js";
import { interaction, interactionEvidence, raised, transposed } from "../reference/interaction.js";
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

/** Up to three axes, of which a table has some, with all those along which answers are centred. */
const axes = fc.array(
  fc.record({
    size: fc.integer({ min: 1, max: 5 }),
    use: fc.constantFrom("centred", "kept", "summed"),
  }),
  { minLength: 1, maxLength: 3 },
);

it("adds what a noisy interaction says about a table", () => {
  fc.assert(
    fc.property(axes, fc.nat(), (uses, seed) => {
      exports.rewind(bottom);
      const uniform = uniforms(seed);
      const draw = (count: number, most: number) => Array.from({ length: count }, () => most * (uniform() - 0.2));
      const [sizes, kept, centred] = [
        uses.map(({ size }) => size),
        uses.map(({ use }) => use !== "summed"),
        uses.map(({ use }) => use === "centred"),
      ];
      const attributes = sizes.map((size) => ({ name: "c", size, tree: false, missing: false }));
      const columns = [...sizes.keys()];
      const ofTable = columns.filter((column) => kept[column]);
      const cells = sizes.reduce((product, size) => product * size, 1);
      const own = ofTable.reduce((product, column) => product * sizes[column], 1);
      const [query, table] = [columns, ofTable].map((of) => writeQuery(engine, queryOf(of, attributes), attributes));
      const answers = Int32Array.from(draw(cells, 5000), Math.round);
      const [expected, sums, precisions] = [draw(own, 300), draw(own, 10), draw(own, 1)];
      const [atExpected, atSums, atPrecisions] = [expected, sums, precisions].map(place);
      exports.addInteraction(
        ...([query, table, engine.place(Uint32Array.from(sizes, (size, axis) => (centred[axis] ? size : 0)))] as const),
        ...([engine.place(answers), 37, atExpected, atSums, atPrecisions, engine.alloc(8 * own)] as const),
      );
      const told = interactionEvidence({ sizes, kept, centred }, answers, 37, expected);
      const close = (values: number[]) => values.map((value) => expect.closeTo(value, 6));
      expect([...engine.f64(atSums, own)]).toEqual(close(told.sums.map((sum, at) => sum + sums[at])));
      expect([...engine.f64(atPrecisions, own)]).toEqual(close(told.precisions.map((of, at) => of + precisions[at])));
    }),
  );
});
