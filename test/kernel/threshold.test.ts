import fc from "fast-check";
import { describe, expect, it } from "vitest";
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

it("treats pure noise as noise, and leaves noiseless values unchanged", () => {
  const noise = gaussians(uniforms(1), 4000).map((z) => 3 * z);
  expect(soften(noise, 3).reduce((sum, cell) => sum + cell * cell, 0)).toBeLessThan(0.02 * 9 * 4000);
  const clear = Array.from({ length: 100 }, (_, at) => 1000 - 17 * at);
  expect(soften(clear, 1e-6)).toEqual(clear.map((cell) => expect.closeTo(cell, 4)));
});

describe("has a smaller squared error than the noisy cells, and almost no larger one than the best threshold", () => {
  // Truths and noise come from fixed seeds, so the ratios are the same each time.
  const CELLS = 500;
  const TRUTHS: [string, (at: number) => number, number][] = [
    ["nothing", () => 0, 0.02],
    ["a few large cells", (at) => (at % 50 ? 0 : 40), 0.25],
    ["many small cells", (at) => (at % 3 ? 0 : 3), 0.8],
    ["cells of all sizes", (at) => 2000 / (1 + at) ** 1.2, 0.85],
    ["nothing but large cells", (at) => 100 + (at % 7), 1],
  ];
  it.each(TRUTHS)("%s", (_, truthAt, most) => {
    const sigma = 3;
    const truth = Array.from({ length: CELLS }, (_, at) => truthAt(at));
    const error = (cells: readonly number[]) => cells.reduce((sum, cell, at) => sum + (cell - truth[at]) ** 2, 0);
    const lowered = (cell: number, by: number) => Math.sign(cell) * Math.max(0, Math.abs(cell) - by);
    let [raw, found, best] = [0, 0, 0];
    for (let seed = 0; seed < 20; seed++) {
      const noise = gaussians(uniforms(seed), CELLS);
      const noisy = truth.map((cell, at) => cell + sigma * noise[at]);
      raw += error(noisy);
      found += error(soften(noisy, sigma));
      const inHindsight = Array.from({ length: 60 }, (_, step) => error(noisy.map((cell) => lowered(cell, step / 5))));
      best += Math.min(...inHindsight);
    }
    expect(found / raw).toBeLessThanOrEqual(most);
    expect(found - best).toBeLessThan(0.03 * raw);
  });
});
