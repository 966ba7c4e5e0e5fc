import fc from "fast-check";
import { expect, it } from "vitest";
import { cellsIn, queryOf } from "../../src/queries/query.js";
import { writeQuery } from "../../src/queries/struct.js";
import { instance } from "../engine.js";
import { type GroupMap, groupCounts, groupSums, scaledGroups } from "../reference/groups.js";
import { uniforms } from "../reference/statistics.js";

const engine = instance();
const { exports } = engine;
const bottom = exports.mark();

interface GroupedTable {
  readonly sizes: readonly number[];
  readonly maps: readonly GroupMap[];
}

/** Up to four axes. The codes of some are in groups, numbered as they first occur. */
const tables: fc.Arbitrary<GroupedTable> = fc
  .array(fc.tuple(fc.array(fc.nat(9), { minLength: 1, maxLength: 6 }), fc.boolean()), { minLength: 1, maxLength: 4 })
  .map((axes) => ({
    sizes: axes.map(([marks]) => marks.length),
    maps: axes.map(([marks, isGrouped]) => (isGrouped ? marks.map((mark) => [...new Set(marks)].indexOf(mark)) : null)),
  }));

const queryFor = (sizes: readonly number[]) => {
  const axes = sizes.map((size) => ({ name: "c", size, tree: false, missing: false }));
  return writeQuery(engine, queryOf([...sizes.keys()], axes), axes);
};

function placed({ sizes, maps }: GroupedTable): [query: number, grouped: number, maps: number] {
  exports.rewind(bottom);
  const pointers = maps.map((map) => (map ? engine.place(Uint32Array.from(map)) : 0));
  const grouped = queryFor(groupCounts(sizes, maps));
  return [queryFor(sizes), grouped, engine.place(Uint32Array.from(pointers))];
}

it("adds counts to the sums of their groups, and leaves none behind", () => {
  fc.assert(
    fc.property(tables, fc.nat(), (table, seed) => {
      const uniform = uniforms(seed);
      const counts = Array.from({ length: cellsIn(table.sizes) }, () => Math.floor(1000 * uniform()));
      const expected = groupSums(table.sizes, table.maps, counts);
      const structs = placed(table);
      const cells = engine.place(Int32Array.from(counts));
      const sums = engine.place(Int32Array.from(expected, (_, at) => at));
      exports.moveToGroups(...structs, cells, sums);
      expect([...engine.i32(sums, expected.length)]).toEqual(expected.map((sum, at) => sum + at));
      expect(engine.i32(cells, counts.length).every((count) => count === 0)).toBe(true);
    }),
  );
});

it("scales the cells of each group to what is wanted of it", () => {
  fc.assert(
    fc.property(tables, fc.nat(), (table, seed) => {
      const uniform = uniforms(seed);
      const counts = Array.from({ length: cellsIn(table.sizes) }, () => Math.max(0, 12 * uniform() - 4));
      const held = groupSums(table.sizes, table.maps, counts);
      const wanted = held.map(() => 20 * uniform() - 5);
      const structs = placed(table);
      const cells = engine.place(Float64Array.from(counts));
      const sums = engine.alloc(8 * held.length);
      exports.sumGroups(...structs, cells, sums);
      expect([...engine.f64(sums, held.length)]).toEqual(held);
      exports.scaleGroups(...structs, cells, sums, engine.place(Float64Array.from(wanted)));
      const expected = scaledGroups(table.sizes, table.maps, counts, wanted);
      expect([...engine.f64(cells, counts.length)]).toEqual(expected);
    }),
  );
});
