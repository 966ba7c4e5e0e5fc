import fc from "fast-check";
import { expect, it } from "vitest";
import { bitsOf, expectNear, expectSlopes, plus, randomFloats, sizesOf, weighted } from "../floats.js";
import { cases, describeOn, gradientEngines, type Work } from "../gradient-engines.js";
import { batchNorm, batchNormGradient, normalLines } from "../reference/batch-norm.js";

const EPSILON = 1e-3;

interface Problem {
  readonly rows: number;
  readonly x: Float32Array;
  readonly gain: Float32Array;
  readonly bias: Float32Array;
  readonly slope: Float32Array;
  readonly before: Float32Array;
  readonly beforeGain: Float32Array;
  readonly beforeBias: Float32Array;
}

function problemOf(rows: number, lines: number, level: number, seed: number): Problem {
  const count = rows * lines;
  const [gain, bias, beforeGain, beforeBias] = [1, 2, 3, 4].map((at) => randomFloats(lines, seed + at));
  const x = randomFloats(count, seed).map((number) => number + level);
  return {
    ...{ rows, x, gain, bias, beforeGain, beforeBias },
    ...{ slope: randomFloats(count, seed + 5), before: randomFloats(count, seed + 6) },
  };
}

const anyProblem = fc
  .tuple(fc.integer({ min: 1, max: 60 }), fc.nat(5), fc.constantFrom(0, 1, -20), fc.integer())
  .map((given) => problemOf(...given));

const normalised = (work: Work, { rows, x, gain, bias }: Problem) =>
  work(async ({ kernels, floats }) => {
    const [numbers, gains, biases] = [await floats(x), await floats(gain), await floats(bias)];
    const [out, statistics] = [await floats(x.length), await floats(2 * gain.length)];
    await kernels.batchNorm(numbers, rows, gains, biases, EPSILON, out, statistics);
    return { out: await kernels.read(out), statistics: await kernels.read(statistics) };
  });

const gradient = (work: Work, one: Problem) =>
  work(async ({ kernels, floats }) => {
    const [x, gain, slope] = [await floats(one.x), await floats(one.gain), await floats(one.slope)];
    const [out, statistics] = [await floats(one.x.length), await floats(2 * one.gain.length)];
    await kernels.batchNorm(x, one.rows, gain, await floats(one.bias), EPSILON, out, statistics);
    const [into, intoGain, intoBias] = [
      await floats(one.before),
      await floats(one.beforeGain),
      await floats(one.beforeBias),
    ];
    await kernels.batchNormGradient(x, one.rows, gain, statistics, slope, into, intoGain, intoBias);
    return {
      x: await kernels.read(into),
      gain: await kernels.read(intoGain),
      bias: await kernels.read(intoBias),
    };
  });

/** For each number, how large what is subtracted from another to normalise it is, in units of what comes out. */
const spreads = ({ rows, x }: Problem): number[] =>
  normalLines(x, rows, EPSILON).flatMap(({ mean, rate, normal }) =>
    normal.map((number) => (2 * Math.abs(mean) + Math.abs(number) / rate) * rate + Math.abs(number) + 1),
  );

describeOn(gradientEngines, (work) => {
  it("gives lines mean 0 and variance 1, times their gain, plus their bias", async () => {
    await fc.assert(
      fc.asyncProperty(anyProblem, async (one) => {
        const { out, statistics } = await normalised(work, one);
        const wanted = batchNorm(one.x, one.rows, one.gain, one.bias, EPSILON);
        expectNear(
          out,
          wanted,
          2 * one.rows + 24,
          spreads(one).map((size) => size + 1),
        );
        const lines = normalLines(one.x, one.rows, EPSILON);
        const facts = lines.flatMap(({ mean, rate }) => [mean, rate]);
        const sizes = lines.flatMap(({ mean, rate }) => [
          Math.abs(mean) + 1,
          rate * (1 + (Math.abs(mean) * rate) ** 2 / 2 ** 12),
        ]);
        expectNear(statistics, facts, 2 * one.rows + 24, sizes);
      }),
      { seed: 191, numRuns: cases(200) },
    );
  });

  it("adds the slopes at the numbers, the gains and the biases", async () => {
    await fc.assert(
      fc.asyncProperty(anyProblem, async (one) => {
        const found = await gradient(work, one);
        const wanted = batchNormGradient(one.x, one.rows, one.gain, EPSILON, one.slope);
        const lines = normalLines(one.x, one.rows, EPSILON);
        const most = lines.map((_, line) => Math.max(...spreads(one).slice(line * one.rows, (line + 1) * one.rows)));
        const roundings = 4 * one.rows + 32;
        const sizes = lines.flatMap(({ normal, rate }, line) => normal.map(() => rate * most[line] * most[line]));
        expectNear(found.x, plus(one.before, wanted.x), roundings, plus(sizesOf(one.before), sizes));
        const sums = most.map((size) => size * one.rows);
        expectNear(found.gain, plus(one.beforeGain, wanted.gain), roundings, plus(sizesOf(one.beforeGain), sums));
        expectNear(found.bias, plus(one.beforeBias, wanted.bias), roundings, plus(sizesOf(one.beforeBias), sums));
      }),
      { seed: 192, numRuns: cases(200) },
    );
  });

  it("leaves the bias of lines that are the same everywhere", async () => {
    const one = { ...problemOf(13, 2, 0, 3), x: new Float32Array(26).fill(0.75) };
    const { out } = await normalised(work, one);
    const wanted = Array.from({ length: 26 }, (_, at) => one.bias[Math.floor(at / 13)]);
    expectNear(
      out,
      wanted,
      64,
      wanted.map(() => 1 / Math.sqrt(EPSILON)),
    );
  });

  it("refuses arrays that do not fit", async () => {
    await work(async ({ kernels, floats }) => {
      const [x, out, statistics] = [await floats(12), await floats(12), await floats(6)];
      const [three, other] = [await floats(3), await floats(3)];
      const refused = { code: "gradient/shape" };
      await kernels.batchNorm(x, 4, three, other, EPSILON, out, statistics);
      for (const [rows, gain, bias, to, facts] of [
        [3, three, other, out, statistics],
        [4, statistics, other, out, statistics],
        [4, three, statistics, out, statistics],
        [4, three, other, three, statistics],
        [4, three, other, out, other],
      ] as const)
        await expect(kernels.batchNorm(x, rows, gain, bias, EPSILON, to, facts)).rejects.toMatchObject(refused);
      const good = [statistics, out, await floats(12), other, await floats(3)] as const;
      for (const at of good.keys()) {
        const [facts, slope, into, intoGain, intoBias] = good.with(at, await floats(5));
        await expect(
          kernels.batchNormGradient(x, 4, three, facts, slope, into, intoGain, intoBias),
        ).rejects.toMatchObject(refused);
      }
    });
  });
});

it("the oracle's gradient is how its numbers change", () => {
  const { rows, x, gain, bias, slope } = problemOf(5, 3, 1, 8);
  const made = batchNormGradient(x, rows, gain, EPSILON, slope);
  const value = (numbers: readonly number[], gains: ArrayLike<number>, biases: ArrayLike<number>) =>
    weighted(batchNorm(numbers, rows, gains, biases, EPSILON), slope);
  expectSlopes(made.x, (numbers) => value(numbers, gain, bias), [...x]);
  expectSlopes(made.gain, (gains) => value([...x], gains, bias), [...gain]);
  expectSlopes(made.bias, (biases) => value([...x], gain, biases), [...bias]);
});

it("the engine's twin without SIMD gives the same bits", async () => {
  const { rows, ...one } = problemOf(43, 3, 0.5, 9);
  const bits = await bitsOf((kernels) => {
    const [x, gain, bias, slope] = [one.x, one.gain, one.bias, one.slope].map((numbers) => kernels.floats(numbers));
    const [out, statistics] = [kernels.floats(one.x.length), kernels.floats(6)];
    const [into, intoGain, intoBias] = [one.before, one.beforeGain, one.beforeBias].map((held) => kernels.floats(held));
    kernels.batchNorm(x, rows, gain, bias, EPSILON, out, statistics);
    kernels.batchNormGradient(x, rows, gain, statistics, slope, into, intoGain, intoBias);
    return [out, statistics, into, intoGain, intoBias];
  });
  expect(bits).toBe("802f2fb6dbc3f9a4");
});
