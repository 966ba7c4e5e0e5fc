import fc from "fast-check";
import { expect, it } from "vitest";
import { instance } from "../engine.js";
import * as oracle from "../reference/elementary.js";

const { cubeRoot, exponential } = instance().exports;

it("gives cube roots, those of cubes exactly", () => {
  fc.assert(
    fc.property(fc.double({ min: 1, max: 2 ** 53, noNaN: true }), (x) => {
      expect(cubeRoot(x) / oracle.cubeRoot(x)).toBeCloseTo(1, 14);
    }),
  );
  expect([1, 8, 27, 1000].map((x) => cubeRoot(x))).toEqual([1, 2, 3, 10]);
});

it("gives powers of e, to twelve digits", () => {
  fc.assert(
    fc.property(fc.double({ min: -40, max: 40, noNaN: true }), (x) => {
      expect(exponential(x) / oracle.exponential(x)).toBeCloseTo(1, 12);
    }),
  );
  expect(exponential(0)).toBe(1);
});
