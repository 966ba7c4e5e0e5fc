import fc from "fast-check";
import { expect, it } from "vitest";
import { densities, expectSame, measuredOf, measurements, placed } from "../densities.js";
import { instance } from "../engine.js";
import { projectEntropy, projectOne } from "../reference/entropy-projection.js";
import { answers } from "../reference/weights.js";

const engine = instance();
const { exports } = engine;
const bottom = exports.mark();
/** Rounding errors decide nothing above this. */
const TOLERANCE = 1e-7;

it("corrects what is most wrong, again and again", () => {
  fc.assert(
    fc.property(densities, measurements, fc.integer({ min: 1, max: 12 }), (one, list, most) => {
      exports.rewind(bottom);
      const measured = measuredOf(one, list);
      const { inEngine, plain } = placed(engine, one, measured);
      const made = exports.projectEntropy(inEngine.density, measured.length, most, TOLERANCE);
      expect(made).toBe(projectEntropy(plain, measured, most, TOLERANCE));
      expectSame(engine, inEngine, plain);
      exports.projectOne(inEngine.density, 0);
      projectOne(plain, measured[0]);
      expectSame(engine, inEngine, plain);
    }),
    { seed: 3 },
  );
});

it("satisfies answers that can all be true, with the largest entropy", () => {
  exports.rewind(bottom);
  const one = { sizes: [2, 2, 2, 2], given: undefined };
  const measured = [
    { axes: [0], targets: [0.3, 0.7], slack: 0 },
    { axes: [1], targets: [0.6, 0.4], slack: 0 },
    { axes: [1, 3], cell: 0, targets: [0.45], slack: 0 },
  ];
  const { inEngine, plain } = placed(engine, one, measured);
  expect(exports.projectEntropy(inEngine.density, 3, 1000, 1e-12)).toBeLessThan(1000);
  plain.weights = [...engine.f64(inEngine.weights, 16)];
  const mass = plain.weights.reduce((sum, weight) => sum + weight, 0);
  plain.weights = plain.weights.map((weight) => weight / mass);
  expect(answers(plain, [0])[0]).toBeCloseTo(0.3, 9);
  const pair = answers(plain, [1, 3]);
  expect(pair[0]).toBeCloseTo(0.45, 9);
  expect(pair[0] + pair[1]).toBeCloseTo(0.6, 9);
  expect(pair[2]).toBeCloseTo(pair[3], 9); // nothing was measured that tells them apart
  const three = answers(plain, [0, 1, 2]);
  expect(three[0]).toBeCloseTo(0.3 * 0.6 * 0.5, 9); // independent of the others, and of one another
});
