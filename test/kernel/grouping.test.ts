import fc from "fast-check";
import { expect, it } from "vitest";
import { queryOf } from "../../src/queries/query.js";
import { writeQuery } from "../../src/queries/struct.js";
import { instance } from "../engine.js";
import { largest, mostGroups, runs } from "../reference/grouping.js";

const engine = instance();
const { exports } = engine;
const bottom = exports.mark();

function grouped(counts: readonly number[], isOrdered: boolean, most: number, isMissing = false) {
  exports.rewind(bottom);
  const values = counts.length - +isMissing;
  const [groups, scratch] = [engine.alloc(4 * counts.length), engine.alloc(24 * values)];
  const placed = engine.place(Float64Array.from(counts));
  const count = exports.groupCodes(placed, values, +isMissing, +isOrdered, most, groups, scratch);
  return { count, groups: [...engine.u32(groups, counts.length)] };
}

// Whole counts: sums are then the same in any order.
const lists = fc.array(fc.oneof(fc.nat(20), fc.nat(1000)), { minLength: 1, maxLength: 40 });
const limits = fc.integer({ min: 1, max: 12 });

it("cuts ordered codes into runs of about equal size", () => {
  fc.assert(
    fc.property(lists, limits, (counts, most) => {
      const expected = runs(counts, most);
      expect(grouped(counts, true, most)).toEqual({ count: expected[expected.length - 1] + 1, groups: expected });
    }),
  );
});

it("keeps the largest of other codes separate", () => {
  fc.assert(
    fc.property(lists, limits, (counts, most) => {
      const expected = largest(counts, most);
      expect(grouped(counts, false, most)).toEqual({ count: Math.max(...expected) + 1, groups: expected });
    }),
  );
});

it("gives missing a group of its own", () => {
  fc.assert(
    fc.property(lists, limits, fc.boolean(), fc.nat(1000), (counts, most, isOrdered, missing) => {
      const { count, groups } = grouped(counts, isOrdered, most);
      const expected = { count: count + 1, groups: [...groups, count] };
      expect(grouped([...counts, missing], isOrdered, most, true)).toEqual(expected);
    }),
  );
});

it("limits the axes of pairs, the larger one first, to as many cells as are readable", () => {
  const size = fc.integer({ min: 1, max: 70 });
  fc.assert(
    fc.property(size, size, fc.nat(3000), fc.integer({ min: 1, max: 30 }), (one, other, cells, least) => {
      exports.rewind(bottom);
      const axes = [one, other].map((codes) => ({ name: "c", size: codes, tree: false, missing: false }));
      const limit = exports.mostGroups(writeQuery(engine, queryOf([0, 1], axes), axes), cells, least);
      const expected = mostGroups([one, other], cells, least);
      for (const codes of [one, other]) expect(Math.min(codes, limit)).toBe(Math.min(codes, expected));
    }),
  );
});

it("limits no other table", () => {
  exports.rewind(bottom);
  const axes = [40, 50, 60].map((size) => ({ name: "c", size, tree: false, missing: false }));
  const tree = { name: "t", size: 32, tree: true, missing: false };
  for (const columns of [[0], [0, 1, 2], [0, 3]]) {
    const all = [...axes, tree];
    expect(exports.mostGroups(writeQuery(engine, queryOf(columns, all), all), 100, 20)).toBe(Number.POSITIVE_INFINITY);
  }
});
