import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { minimised } from "../../src/owner/minimise.js";

/** The minimum, the number of steps, and of gradients. */
function found(gradientAt: (point: Float64Array) => Float64Array, size: number, tolerance: number) {
  let [steps, gradients] = [0, 0];
  const search = minimised(
    (point) => {
      gradients++;
      return gradientAt(point);
    },
    size,
    tolerance,
  );
  for (;;) {
    const step = search.next();
    if (step.done) return { point: [...step.value], steps, gradients };
    steps++;
  }
}

describe("minimises", () => {
  it("quadratics with second derivatives from 1 to a million", () => {
    const problem = fc.array(fc.record({ centre: fc.double({ min: -5, max: 5, noNaN: true }), power: fc.nat(6) }), {
      minLength: 1,
      maxLength: 12,
    });
    fc.assert(
      fc.property(problem, (terms) => {
        const gradientAt = (point: Float64Array) =>
          point.map((value, at) => 10 ** terms[at].power * (value - terms[at].centre));
        const { point, gradients } = found(gradientAt, terms.length, 1e-7);
        for (const [at, { centre }] of terms.entries()) expect(Math.abs(point[at] - centre)).toBeLessThan(1.1e-7);
        expect(gradients).toBeLessThan(300);
      }),
      { seed: 91, numRuns: 200 },
    );
  });

  it("functions that are flat far from the minimum, and steep", () => {
    // log cosh(x − 50) and cosh(x − 3)
    const { point } = found((point) => Float64Array.of(Math.tanh(point[0] - 50), Math.sinh(point[1] - 3)), 2, 1e-9);
    expect(point[0]).toBeCloseTo(50, 7);
    expect(point[1]).toBeCloseTo(3, 7);
  });
});

it("takes no step from the minimum, nor without variables", () => {
  expect(found((point) => point.slice(), 3, 1e-9)).toEqual({ point: [0, 0, 0], steps: 0, gradients: 1 });
  expect(found((point) => point.slice(), 0, 1e-9)).toEqual({ point: [], steps: 0, gradients: 1 });
});

it("ends where rounding leaves no lower point", () => {
  const { point, gradients } = found((point) => point.map((value) => value - 0.1), 1, 0);
  expect(point[0]).toBeCloseTo(0.1, 15);
  expect(gradients).toBeLessThan(100);
});
