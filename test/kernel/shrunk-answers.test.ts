import fc from "fast-check";
import { expect, it } from "vitest";
import { DENSITY_MEASURED, MEASURED_BYTES, MEASURED_TARGETS } from "../../src/engine/layout.js";
import { type Case, densities, measuredOf, measurements, placed } from "../densities.js";
import { instance } from "../engine.js";
import { gaussians } from "../gaussians.js";
import { multiplyWeights } from "../reference/multiplicative-weights.js";
import { shrunkAnswers } from "../reference/shrunk-answers.js";
import { uniforms } from "../reference/statistics.js";
import { answers, givenPoints, type Measured } from "../reference/weights.js";

const engine = instance();
const { exports } = engine;
const bottom = exports.mark();

/** The targets of what was measured in a density, after it was shrunk. */
function shrunk(density: number, measured: readonly Measured[], index: number, rows: number, noise: number): number[] {
  exports.shrinkAnswers(density, index, rows, noise);
  const [list] = engine.u32(density + DENSITY_MEASURED, 1);
  const [targets] = engine.u32(list + index * MEASURED_BYTES + MEASURED_TARGETS, 1);
  return [...engine.f64(targets, measured[index].targets.length)];
}

it("finds what is most likely true, whatever the density has followed before", () => {
  const given = densities.filter(({ given }) => given !== undefined);
  const noises = fc.constantFrom(1e-6, 1e-4, 1e-2, 1);
  fc.assert(
    fc.property(given, measurements, fc.integer({ min: 10, max: 1000 }), noises, (one, list, rows, noise) => {
      exports.rewind(bottom);
      const measured = measuredOf(one, list);
      const { inEngine, plain } = placed(engine, one, measured);
      for (const [index, own] of measured.entries()) {
        const found = shrunk(inEngine.density, measured, index, rows, noise);
        const expected = shrunkAnswers(plain, own, rows, noise);
        for (const [cell, target] of expected.entries()) expect(found[cell]).toBeCloseTo(target, 9);
        measured[index] = { ...own, targets: expected };
        exports.multiplyWeights(inEngine.density, index, false, 2, 1);
        multiplyWeights(plain, measured.slice(0, index + 1), false, 2, 1, 0);
      }
    }),
    { seed: 6 },
  );
});

/** 300 public rows, a density over them, and noisy answers of 300 others, each cell of which differs by e^±shift. */
function people(sizes: readonly number[], shift: number, deviation: number, seed: number) {
  exports.rewind(bottom);
  const uniform = uniforms(seed);
  const rows = () =>
    Array.from({ length: 300 }, () => sizes.map((size) => Math.min(size - 1, Math.floor(size * uniform() ** 2))));
  const one: Case = { sizes, given: rows() };
  const axes = [0, 1];
  const known = answers(placed(engine, one).plain, axes);
  const others = answers(givenPoints(sizes, rows()), axes);
  const moved = others.map((answer) => answer * Math.exp(shift * (uniform() < 0.5 ? -1 : 1)));
  const mass = moved.reduce((a, b) => a + b, 0);
  const truth = moved.map((answer) => answer / mass);
  const noise = gaussians(uniform, truth.length);
  const measured = [{ axes, targets: truth.map((answer, cell) => answer + deviation * noise[cell]), slack: 0 }];
  exports.rewind(bottom);
  const { inEngine } = placed(engine, one, measured);
  const found = shrunk(inEngine.density, measured, 0, 300, deviation ** 2);
  const far = (some: readonly number[]) => Math.hypot(...some.map((value, cell) => value - truth[cell]));
  return { public: far(known), noisy: far(measured[0].targets), found: far(found), sum: found.reduce((a, b) => a + b) };
}

it("is closer to the truth than public rows and noisy answers, whether people differ little or much", () => {
  for (const [shift, deviation] of [
    [0, 0.02],
    [1.5, 0.02],
  ] as const) {
    const all = Array.from({ length: 30 }, (_, seed) => people([4, 5, 2, 2], shift, deviation, 1 + seed));
    const mean = (of: (one: (typeof all)[number]) => number) => all.reduce((sum, one) => sum + of(one), 0) / all.length;
    expect(mean((one) => one.found)).toBeLessThan(
      0.95 *
        Math.min(
          mean((one) => one.public),
          mean((one) => one.noisy),
        ),
    );
    for (const { sum } of all) expect(sum).toBeCloseTo(1, 9);
  }
});
