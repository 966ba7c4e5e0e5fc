import fc from "fast-check";
import { expect, it } from "vitest";
import { bitsOf, expectNear, expectSlopes, leftBy, plus, randomFloats, sizesOf, weighted } from "../floats.js";
import { cases, describeOn, gradientEngines, type Work } from "../gradient-engines.js";
import { sigmoid, sigmoidGradient } from "../reference/sigmoid.js";

interface Problem {
  readonly rows: number;
  /** The lines that the array of sigmoids has before them. */
  readonly before: number;
  readonly scale: number;
  readonly thresholds: Float32Array;
  readonly sums: Float32Array;
  readonly lines: Float32Array;
  readonly slope: Float32Array;
  readonly into: Float32Array;
}

function problemOf(rows: number, count: number, before: number, scale: number, seed: number): Problem {
  const numbers = (before + count) * rows;
  return {
    ...{ rows, before, scale },
    thresholds: randomFloats(count, seed),
    sums: randomFloats(count * rows, seed + 1),
    lines: randomFloats(numbers, seed + 2),
    slope: randomFloats(numbers, seed + 3),
    into: randomFloats(count * rows, seed + 4),
  };
}

const anyProblem = fc
  .tuple(fc.integer({ min: 1, max: 40 }), fc.nat(8), fc.nat(3), fc.constantFrom(0.5, 2, 64, 4096), fc.integer())
  .map((given) => problemOf(...given));

const found = (work: Work, { rows, scale, thresholds, sums, lines }: Problem) =>
  work(async ({ kernels, floats }) => {
    const out = await floats(lines);
    await kernels.sigmoid(await floats(sums), rows, await floats(thresholds), scale, out);
    return kernels.read(out);
  });

const gradient = (work: Work, { rows, scale, slope, into }: Problem, p: Float32Array) =>
  work(async ({ kernels, floats }) => {
    const sums = await floats(into);
    await kernels.sigmoidGradient(await floats(p), rows, scale, await floats(slope), sums);
    return kernels.read(sums);
  });

/** The roundings of a sigmoid, which is at most 1. */
const ROUNDINGS = 24;

describeOn(gradientEngines, (work) => {
  it("writes sigmoids into the last lines, and leaves those before them alone", async () => {
    await fc.assert(
      fc.asyncProperty(anyProblem, async (one) => {
        const [lines, first] = [await found(work, one), one.before * one.rows];
        expect(lines.subarray(0, first)).toEqual(one.lines.subarray(0, first));
        // Sums and thresholds are at most 1, so their difference is rounded by no more than a unit.
        const wanted = sigmoid(one.sums, one.rows, one);
        expectNear(
          lines.subarray(first),
          wanted,
          ROUNDINGS + one.scale,
          wanted.map(() => 1),
        );
      }),
      { seed: 188, numRuns: cases(200) },
    );
  });

  it("adds the slopes at the sums", async () => {
    await fc.assert(
      fc.asyncProperty(anyProblem, async (one) => {
        const p = (await found(work, one)).map((share) => Math.abs(share));
        const first = one.before * one.rows;
        const wanted = sigmoidGradient(p.subarray(first), one.scale, one.slope.subarray(first));
        const sizes = sizesOf(one.into).map((size) => size + one.scale);
        expectNear(await gradient(work, one, p), plus(one.into, wanted), 8, sizes);
      }),
      { seed: 189, numRuns: cases(200) },
    );
  });

  it("is 0 or 1 and flat far from the threshold, however large the scale", async () => {
    const sums = Float32Array.of(-1e34, -1e6, 1e6, 1e34, -1, 1);
    const one = { ...problemOf(6, 1, 0, 4096, 1), thresholds: Float32Array.of(0), sums };
    const p = await found(work, one);
    expectNear(p, [1, 1, 0, 0, 1, 0], 8);
    expectNear(await gradient(work, { ...one, into: new Float32Array(6) }, p), [0, 0, 0, 0, 0, 0], 0);
  });

  it("refuses arrays that do not fit", async () => {
    await work(async ({ kernels, floats }) => {
      const [two, six, seven, eight, sums] = await Promise.all([2, 6, 7, 8, 8].map(floats));
      const refused = { code: "gradient/shape" };
      await kernels.sigmoid(sums, 4, two, 2, eight);
      for (const [rows, thresholds, out] of [
        [4, six, eight],
        [4, two, six],
        [4, two, seven],
        [3, two, eight],
      ] as const)
        await expect(kernels.sigmoid(sums, rows, thresholds, 2, out)).rejects.toMatchObject(refused);
      for (const [rows, slope, into] of [
        [4, seven, sums],
        [4, six, sums],
        [3, six, sums],
      ] as const)
        await expect(kernels.sigmoidGradient(eight, rows, 2, slope, into)).rejects.toMatchObject(refused);
      await expect(kernels.sigmoidGradient(six, 2, 2, seven, eight)).rejects.toMatchObject(refused);
    });
  });
});

it("the oracle's gradient is how its answers change", () => {
  const { rows, sums, slope, ...lines } = problemOf(3, 4, 0, 2, 8);
  const wanted = sigmoidGradient(sigmoid(sums, rows, lines), lines.scale, slope);
  expectSlopes(wanted, (numbers) => weighted(sigmoid(numbers, rows, lines), slope), [...sums]);
});

it("in the engine, products with the scale may be too large for a number", async () => {
  const [p] = await leftBy((kernels) => {
    const sums = kernels.floats(Float32Array.of(-3e38, 3e38, 3e38, -3e38, 3e38));
    const out = kernels.floats(5);
    kernels.sigmoid(sums, 5, kernels.floats(Float32Array.of(-2e38)), 4096, out);
    return [out];
  });
  expect([...p]).toEqual([1, 0, 0, 1, 0]);
});

it("the engine's twin without SIMD gives the same bits", async () => {
  const { rows, scale, ...one } = problemOf(43, 6, 2, 16, 9);
  const bits = await bitsOf((kernels) => {
    const { thresholds, sums, lines, slope, into } = one;
    const [levels, from, out, slopes, to] = [thresholds, sums, lines, slope, into].map(kernels.floats);
    kernels.sigmoid(from, rows, levels, scale, out);
    kernels.sigmoidGradient(out, rows, scale, slopes, to);
    return [out, to];
  });
  expect(bits).toBe("1c1ef0ec9f119b83");
});
