import fc from "fast-check";
import { expect, it } from "vitest";
import { instance } from "../engine.js";
import { nearestCounts } from "../reference/simplex.js";

const engine = instance();
const { exports } = engine;
const bottom = exports.mark();

function projected(values: readonly number[], total: number): number[] {
  exports.rewind(bottom);
  const pointer = engine.place(Float64Array.from(values));
  const [order, scratch] = [engine.alloc(4 * values.length), engine.alloc(16 * values.length)];
  exports.projectOnSimplex(pointer, values.length, total, order, scratch);
  return [...engine.f64(pointer, values.length)];
}

const squares = (one: readonly number[], other: readonly number[]) =>
  one.reduce((sum, value, at) => sum + (value - other[at]) ** 2, 0);

const lists = fc.array(fc.double({ min: -100, max: 100, noNaN: true }), { minLength: 1, maxLength: 30 });
const totals = fc.double({ min: 0.5, max: 50, noNaN: true });

it("lowers all values by the number that the oracle finds", () => {
  fc.assert(
    fc.property(lists, totals, (values, total) => {
      const expected = nearestCounts(values, total);
      expect(projected(values, total)).toEqual(expected.map((value) => expect.closeTo(value, 9)));
    }),
  );
});

it("sums to the total, with no negative value, and nothing is nearer", () => {
  fc.assert(
    fc.property(lists, totals, (values, total) => {
      const point = projected(values, total);
      expect(point.every((value) => value >= 0)).toBe(true);
      expect(point.reduce((a, b) => a + b, 0)).toBeCloseTo(total, 6);
      // Any true counts are non-negative and sum to the total: the point is no farther from them than the values are.
      const truth = values.map((_, at) => (total * (at + 1)) / ((values.length * (values.length + 1)) / 2));
      expect(squares(point, truth)).toBeLessThanOrEqual(squares(values, truth) + 1e-6);
      // Optimality: all positive coordinates were lowered by the same amount, and none of the others exceeds that
      // threshold.
      const lowered = values.map((value, at) => value - point[at]);
      const threshold = Math.max(...lowered.filter((_, at) => point[at] > 1e-9));
      for (const [at, value] of values.entries())
        if (point[at] > 1e-9) expect(lowered[at]).toBeCloseTo(threshold, 6);
        else expect(value).toBeLessThanOrEqual(threshold + 1e-6);
    }),
    { seed: 1, numRuns: 300 },
  );
});
