import { expect, it } from "vitest";
import { cubeRoot, exponential } from "../../src/core/elementary.js";

it("gives cube roots", () => {
  for (const root of [1, 1.001, 2, 7, 100, 464.158, 1e5]) expect(cubeRoot(root ** 3) / root).toBeCloseTo(1, 12);
  expect([1, 8, 27, 1000].map(cubeRoot)).toEqual([1, 2, 3, 10]);
});

it("gives powers of e, to twelve digits", () => {
  for (const x of [0, -0.01, -1, -4, -37.5, 3, 20]) expect(exponential(x) / Math.exp(x)).toBeCloseTo(1, 12);
  expect(exponential(0)).toBe(1);
});
