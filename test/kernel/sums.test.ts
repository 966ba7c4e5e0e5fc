import fc from "fast-check";
import { expect, it } from "vitest";
import { instance } from "../engine.js";
import { addedCounts, countDistance, scaledCounts, squaredDistance, sumCounts } from "../reference/sums.js";

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

it("scales counts to a table of another size, to at most 2^30", () => {
  const scales = fc.oneof(fc.double({ min: 1e-3, max: 1e6, noNaN: true }), fc.constantFrom(0.5, 1, 1.5));
  fc.assert(
    fc.property(fc.array(fc.nat(5000)), scales, (counts, scale) => {
      exports.rewind(bottom);
      const placed = engine.place(Int32Array.from(counts));
      exports.scaleCounts(placed, counts.length, scale);
      expect([...engine.i32(placed, counts.length)]).toEqual(scaledCounts(counts, scale));
    }),
  );
});

it("adds up the squared differences between scaled counts and answers", () => {
  const count = fc.integer({ min: -5000, max: 5000 });
  fc.assert(
    fc.property(fc.array(fc.tuple(count, count)), fc.double({ min: 0.01, max: 100, noNaN: true }), (pairs, scale) => {
      exports.rewind(bottom);
      const [counts, answers] = [0, 1].map((at) => pairs.map((pair) => pair[at]));
      const sum = engine.alloc(8);
      exports.addSquares(place(counts), place(answers), pairs.length, scale, sum);
      const [found] = engine.f64(sum, 1);
      expect(found).toBe(squaredDistance(counts, answers, scale));
    }),
  );
});
