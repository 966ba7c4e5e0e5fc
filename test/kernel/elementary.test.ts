import fc from "fast-check";
import { expect, it } from "vitest";
import { instance } from "../engine.js";
import * as oracle from "../reference/elementary.js";

const { cubeRoot, exponential, logarithm } = instance().exports;

it("gives cube roots, those of cubes exactly", () => {
  fc.assert(
    fc.property(fc.double({ min: 1, max: 2 ** 53, noNaN: true }), (x) => {
      expect(cubeRoot(x) / oracle.cubeRoot(x)).toBeCloseTo(1, 14);
    }),
  );
  expect([1, 8, 27, 1000].map((x) => cubeRoot(x))).toEqual([1, 2, 3, 10]);
});

it("gives logarithms, to fourteen digits of 1 or of themselves", () => {
  fc.assert(
    fc.property(
      fc.double({ min: 1e-300, max: 1e300, noNaN: true }),
      fc.double({ min: 0, max: 2, noNaN: true }),
      (x, near) => {
        for (const number of [x, Math.max(near, 1e-9)]) {
          const expected = oracle.logarithm(number);
          expect(Math.abs(logarithm(number) - expected)).toBeLessThan(1e-14 * Math.max(1, Math.abs(expected)));
        }
      },
    ),
  );
  expect([1, 2 ** -32].map((x) => logarithm(x))).toEqual([0, -32 * Math.LN2]);
});

it("gives powers of e, to twelve digits", () => {
  fc.assert(
    fc.property(fc.double({ min: -40, max: 40, noNaN: true }), (x) => {
      expect(exponential(x) / oracle.exponential(x)).toBeCloseTo(1, 12);
    }),
  );
  expect(exponential(0)).toBe(1);
});
