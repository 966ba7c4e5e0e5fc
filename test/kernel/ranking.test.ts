import fc from "fast-check";
import { expect, it } from "vitest";
import { instance } from "../engine.js";
import { ascending, ranked } from "../reference/ranking.js";
import { uniforms } from "../reference/statistics.js";

const engine = instance();
const { exports } = engine;
const bottom = exports.mark();

function ranks(values: readonly number[]): number[] {
  exports.rewind(bottom);
  const [order, scratch] = [engine.alloc(4 * values.length), engine.alloc(16 * values.length)];
  exports.rankValues(engine.place(Float64Array.from(values)), values.length, order, scratch);
  return [...engine.u32(order, values.length)];
}

const value = fc.oneof(
  fc.double({ noNaN: true }),
  fc.integer({ min: -3, max: 3 }).map(Number),
  fc.constantFrom(0, -0, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 5e-324, -5e-324, 1, 1 + 2 ** -52),
);

it("ranks values from the largest down, equal ones in their order", () => {
  fc.assert(
    fc.property(fc.array(value, { maxLength: 40 }), (values) => {
      expect(ranks(values)).toEqual(ranked(values));
    }),
  );
  const uniform = uniforms(1);
  const many = Array.from({ length: 5000 }, () => (uniform() - 0.5) * 2 ** Math.floor(80 * uniform() - 40));
  expect(ranks(many)).toEqual(ranked(many));
});

it("writes values from the smallest up, and their sums", () => {
  const counts = fc.array(fc.double({ min: 0, max: 1e9, noNaN: true }), { maxLength: 40 });
  fc.assert(
    fc.property(counts, (values) => {
      exports.rewind(bottom);
      const [out, order, scratch] = [8 * (2 * values.length + 1), 4 * values.length, 16 * values.length].map((bytes) =>
        engine.alloc(bytes),
      );
      exports.sumAscending(engine.place(Float64Array.from(values)), values.length, out, order, scratch);
      const { sorted, sums } = ascending(values);
      expect([...engine.f64(out, 2 * values.length + 1)]).toEqual([...sorted.map((count) => count + 0), ...sums]);
    }),
  );
});
