import fc from "fast-check";
import { expect, it } from "vitest";
import { instance } from "../engine.js";
import { addedCounts, countDistance, sumCounts } from "../reference/sums.js";

const engine = instance();
const { exports } = engine;
const bottom = exports.mark();
const i32 = fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 });

function place(counts: readonly number[]): number {
  return engine.place(Int32Array.from(counts));
}

it("adds up counts and their distances, beyond 32 bits too", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(i32, i32)), (pairs) => {
      exports.rewind(bottom);
      const [counts, others] = [0, 1].map((at) => pairs.map((pair) => pair[at]));
      expect(exports.sumCounts(place(counts), counts.length)).toBe(sumCounts(counts));
      expect(exports.countDistance(place(counts), place(others), counts.length)).toBe(countDistance(counts, others));
    }),
  );
});

it("adds counts to others, as 32-bit integers", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(i32, i32)), (pairs) => {
      exports.rewind(bottom);
      const into = place(pairs.map(([, other]) => other));
      exports.addCounts(place(pairs.map(([count]) => count)), into, pairs.length);
      expect([...engine.i32(into, pairs.length)]).toEqual(addedCounts(pairs));
    }),
  );
});
