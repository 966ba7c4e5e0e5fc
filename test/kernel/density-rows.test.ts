import fc from "fast-check";
import { expect, it } from "vitest";
import * as layout from "../../src/engine/layout.js";
import { densities, placed } from "../densities.js";
import { instance } from "../engine.js";
import { codeOf, densityPoints, givenRows } from "../reference/density-rows.js";
import { uniforms } from "../reference/statistics.js";

const engine = instance();
const { exports } = engine;
const bottom = exports.mark();
const u32 = fc.integer({ min: 0, max: 2 ** 32 - 1 });
const weight = fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 1000 }));

/** Scratch for errors that rounding leaves. */
const openErrors = () => engine.alloc(8 * layout.ERROR_SLOTS + 4 * 4);

it("gives every point its share of the rows, rounded up or down, in random order", () => {
  const marks = fc.array(weight, { minLength: 625, maxLength: 625 });
  fc.assert(
    fc.property(
      densities,
      marks,
      fc.integer({ min: 1, max: 300 }),
      u32,
      fc.nat(1000),
      (one, list, rows, seed, part) => {
        exports.rewind(bottom);
        const { inEngine } = placed(engine, one);
        const weights = list.slice(0, inEngine.points);
        weights[0] ||= 1;
        engine.f64(inEngine.weights, inEngine.points).set(weights);
        const out = engine.alloc(4 * rows);
        const errors = openErrors();
        exports.densityPoints(inEngine.density, layout.DENSITY_LAST, rows, seed, part, out, errors);
        const points = [...engine.u32(out, rows)];
        const total = weights.reduce((sum, own) => sum + own, 0);
        if (one.given) {
          const density = { ...one, points: one.given, weights: weights.map((own) => own / total) };
          expect(points).toEqual(givenRows(density, rows, seed, layout.STREAM_DENSITY, part));
        } else {
          expect(points).toEqual(densityPoints(weights, rows, seed, layout.STREAM_DENSITY, part));
          for (const [point, own] of weights.entries()) {
            const held = points.filter((other) => other === point).length;
            expect(Math.abs(held - (own / total) * rows)).toBeLessThan(1 + 1e-9);
          }
        }
        const codes = engine.alloc(2 * rows);
        for (const axis of one.sizes.keys()) {
          exports.pointCodes(inEngine.density, out, rows, axis, codes);
          const expected = points.map((point) => one.given?.[point][axis] ?? codeOf(one.sizes, point, axis));
          expect([...engine.u16(codes, rows)]).toEqual(expected);
        }
      },
    ),
    { seed: 4 },
  );
});

it("follows the mean of all iterates, or the best; before there are any, the present weights", () => {
  exports.rewind(bottom);
  const { inEngine } = placed(engine, { sizes: [2, 2, 2, 2], given: undefined });
  const fill = (at: number, point: number) => {
    engine.f64(at, 16).fill(0);
    engine.f64(at, 16)[point] = 1;
  };
  fill(inEngine.weights, 3);
  fill(inEngine.sums, 5);
  fill(inEngine.best, 7);
  const out = engine.alloc(4 * 8);
  const drawn = (which: number) => {
    exports.densityPoints(inEngine.density, which, 8, 1, 0, out, 0);
    return new Set(engine.u32(out, 8));
  };
  for (const which of [layout.DENSITY_LAST, layout.DENSITY_AVERAGE, layout.DENSITY_BEST_ITERATE])
    expect(drawn(which)).toEqual(new Set([3]));
  engine.f64(inEngine.density + layout.DENSITY_PASSED, 1)[0] = 1;
  engine.f64(inEngine.density + layout.DENSITY_LEAST, 1)[0] = 0.1;
  expect(drawn(layout.DENSITY_AVERAGE)).toEqual(new Set([3, 5]));
  expect(drawn(layout.DENSITY_BEST_ITERATE)).toEqual(new Set([7]));
});

it("rounds given rows so that pairs of codes keep their shares", () => {
  exports.rewind(bottom);
  const uniform = uniforms(3);
  const sizes = [3, 4, 5, 6];
  const given = Array.from({ length: 4000 }, () => sizes.map((size) => Math.floor(size * uniform())));
  const { inEngine } = placed(engine, { sizes, given });
  const weights = Array.from(given, () => 0.5 + uniform());
  engine.f64(inEngine.weights, given.length).set(weights);
  const out = engine.alloc(4 * given.length);
  exports.densityPoints(inEngine.density, layout.DENSITY_LAST, given.length, 1, 0, out, openErrors());
  const made = [...engine.u32(out, given.length)].map((point) => given[point]);
  const total = weights.reduce((sum, own) => sum + own, 0);
  let squares = 0;
  for (let a = 0; a < 3; a++)
    for (let b = 0; b < 4; b++) {
      const isHere = (point: readonly number[]) => point[0] === a && point[1] === b;
      const share = weights.reduce((sum, own, at) => sum + (isHere(given[at]) ? own : 0), 0) / total;
      squares += (made.filter(isHere).length - share * given.length) ** 2;
    }
  // A row is off by about a quarter, so that 333 of them, rounded one by one, are off by 6 or more.
  expect(Math.sqrt(squares / 12)).toBeLessThan(2);
});
