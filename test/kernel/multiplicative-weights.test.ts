import fc from "fast-check";
import { expect, it } from "vitest";
import * as layout from "../../src/engine/layout.js";
import { densities, expectSame, measuredOf, measurements, placed } from "../densities.js";
import { instance } from "../engine.js";
import { multiplyWeights } from "../reference/multiplicative-weights.js";
import { errorOf } from "../reference/weights.js";

const engine = instance();
const { exports } = engine;
const bottom = exports.mark();

it("moves weights towards what was measured, and keeps the mean and the best of all iterates", () => {
  const seeds = fc.integer({ min: 0, max: 2 ** 32 - 1 });
  fc.assert(
    fc.property(densities, measurements, fc.boolean(), fc.integer({ min: 1, max: 4 }), seeds, (...drawn) => {
      exports.rewind(bottom);
      const [one, list, hasPast, repeats, seed] = drawn;
      const measured = measuredOf(one, list);
      const { inEngine, plain } = placed(engine, one, measured);
      const iterates: number[][] = [];
      let best: { error: number; weights: number[] } | undefined;
      for (const at of measured.keys()) {
        const error = errorOf(plain, measured[at]);
        if (!best || error < best.error - 1e-12) best = { error, weights: plain.weights };
        exports.multiplyWeights(inEngine.density, at, hasPast, repeats, seed);
        multiplyWeights(plain, measured.slice(0, at + 1), hasPast, repeats, seed, layout.STREAM_DENSITY);
        iterates.push(plain.weights);
      }
      expectSame(engine, inEngine, plain);
      const passed = engine.f64(inEngine.density + layout.DENSITY_PASSED, 1)[0];
      const [weights, sums] = [inEngine.weights, inEngine.sums].map((at) => [...engine.f64(at, inEngine.points)]);
      for (const [at, sum] of sums.entries()) {
        const mean = iterates.reduce((total, iterate) => total + iterate[at], 0);
        expect(sum + passed * weights[at]).toBeCloseTo(mean, 8);
      }
      expectSame(engine, { weights: inEngine.best, points: inEngine.points }, { ...plain, weights: best!.weights });
    }),
    { seed: 2 },
  );
});
