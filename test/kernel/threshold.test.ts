import fc from "fast-check";
import { expect, it } from "vitest";
import { instance } from "../engine.js";
import { gaussians } from "../gaussians.js";
import { uniforms } from "../reference/statistics.js";
import { softened } from "../reference/threshold.js";

const engine = instance();
const { exports } = engine;
const bottom = exports.mark();

function soften(cells: readonly number[], sigma: number): number[] {
  exports.rewind(bottom);
  const pointer = engine.place(Float64Array.from(cells));
  exports.soften(pointer, cells.length, sigma);
  return [...engine.f64(pointer, cells.length)];
}

it("lowers cells by the threshold that the oracle finds", () => {
  const cells = fc.array(fc.double({ min: -50, max: 50, noNaN: true }), { minLength: 1, maxLength: 200 });
  fc.assert(
    fc.property(cells, fc.double({ min: 0.5, max: 20, noNaN: true }), (values, sigma) => {
      const expected = softened(values, sigma);
      for (const [at, cell] of soften(values, sigma).entries()) expect(cell).toBeCloseTo(expected[at], 8);
    }),
  );
});

it("takes pure noise for noise, and leaves what has none", () => {
  const noise = gaussians(uniforms(1), 4000).map((z) => 3 * z);
  expect(soften(noise, 3).reduce((sum, cell) => sum + cell * cell, 0)).toBeLessThan(0.02 * 9 * 4000);
  const clear = Array.from({ length: 100 }, (_, at) => 1000 - 17 * at);
  expect(soften(clear, 1e-6)).toEqual(clear.map((cell) => expect.closeTo(cell, 4)));
});
