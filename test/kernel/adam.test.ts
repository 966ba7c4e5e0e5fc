import fc from "fast-check";
import { expect, it } from "vitest";
import type { AdamStep } from "../../src/core/kernels.js";
import { bitsOf, expectNear, expectSlopes, randomFloats, sizesOf } from "../floats.js";
import { cases, describeOn, gradientEngines, type Work } from "../gradient-engines.js";
import { type AdamState, adam } from "../reference/adam.js";

const USUAL = { rate: 1e-3, beta1: 0.9, beta2: 0.999, epsilon: 1e-8 };

/** The state after a step, and the one before, as the kernel sees them. */
const stepped = (work: Work, { parameters, first, second }: AdamState, slope: Float32Array, given: AdamStep) =>
  work(async ({ kernels, floats }) => {
    const [to, slopes, means, squares] = [
      await floats(Float32Array.from(parameters)),
      await floats(slope),
      await floats(Float32Array.from(first)),
      await floats(Float32Array.from(second)),
    ];
    await kernels.adam(to, slopes, means, squares, given);
    const [moved, left, other] = [await kernels.read(to), await kernels.read(means), await kernels.read(squares)];
    return { parameters: [...moved], first: [...left], second: [...other] };
  });

function stateOf(count: number, seed: number): AdamState {
  const [parameters, first, second] = [0, 1, 2].map((at) => [...randomFloats(count, seed + at)]);
  return { parameters, first, second: sizesOf(second) };
}

function expectStep(found: AdamState, before: AdamState, slope: Float32Array, given: AdamStep): void {
  const wanted = adam(before, [...slope], given);
  const moves = wanted.parameters.map((number, at) => Math.abs(number - before.parameters[at]));
  const spread = before.first.map((mean, at) => Math.abs(mean) + Math.abs(slope[at]));
  expectNear(found.first, wanted.first, 4, spread);
  expectNear(found.second, wanted.second, 8);
  // What cancels in the mean counts in the move, too.
  const sizes = moves.map((move, at) => {
    const cancelled = Math.max(1, spread[at] / Math.max(Math.abs(wanted.first[at]), 1e-6));
    return Math.abs(before.parameters[at]) + move * cancelled;
  });
  expectNear(found.parameters, wanted.parameters, 32, sizes);
}

describeOn(gradientEngines, (work) => {
  it("moves the first parameters alone where it has means of no others", async () => {
    const [before, slope] = [stateOf(7, 1), randomFloats(7, 4)];
    const first = { ...before, first: before.first.slice(0, 5), second: before.second.slice(0, 5) };
    const given = { ...USUAL, step: 3 };
    const [all, found] = [await stepped(work, before, slope, given), await stepped(work, first, slope, given)];
    expect(found.parameters).toEqual([...all.parameters.slice(0, 5), ...before.parameters.slice(5)]);
  });

  it("takes a step of any number", async () => {
    const given = fc.record({
      step: fc.constantFrom(1, 2, 3, 17, 1000, 1_000_000),
      rate: fc.constantFrom(1e-4, 1e-2, 0.5),
      beta1: fc.constantFrom(0, 0.5, 0.9),
      beta2: fc.constantFrom(0.9, 0.999),
      epsilon: fc.constantFrom(1e-8, 1e-3),
    });
    await fc.assert(
      fc.asyncProperty(fc.nat(40), fc.integer(), given, async (count, seed, step) => {
        const [before, slope] = [stateOf(count, seed), randomFloats(count, seed + 3)];
        expectStep(await stepped(work, before, slope, step), before, slope, step);
      }),
      { seed: 190, numRuns: cases(200) },
    );
  });

  it("moves by its rate at first, and stays where there is no slope", async () => {
    const zeros = { parameters: [1, 1, 1, 1, 1], first: [0, 0, 0, 0, 0], second: [0, 0, 0, 0, 0] };
    const slope = Float32Array.of(-1e-3, 0, 1e-3, 1e6, -1e6);
    const found = await stepped(work, zeros, slope, { ...USUAL, step: 1 });
    expectNear(found.parameters, [1.001, 1, 0.999, 0.999, 1.001], 256);
    expect(found.parameters[1]).toBe(1);
  });

  it("takes one step after the other", async () => {
    const before = stateOf(21, 5);
    const slopes = Array.from({ length: 20 }, (_, at) => randomFloats(21, 10 + at));
    const found = await work(async ({ kernels, floats }) => {
      const [to, means, squares] = [
        await floats(Float32Array.from(before.parameters)),
        await floats(Float32Array.from(before.first)),
        await floats(Float32Array.from(before.second)),
      ];
      const slope = await floats(21);
      for (const [at, numbers] of slopes.entries()) {
        await kernels.write(slope, numbers);
        await kernels.adam(to, slope, means, squares, { ...USUAL, step: at + 1 });
      }
      return kernels.read(to);
    });
    const wanted = slopes.reduce((state, slope, at) => adam(state, [...slope], { ...USUAL, step: at + 1 }), before);
    expectNear(found, wanted.parameters, 64, [...found].fill(1));
  });

  it("refuses arrays that do not fit", async () => {
    await work(async ({ kernels, floats }) => {
      const [five, six] = [await floats(5), await floats(6)];
      const others = [await floats(5), await floats(5), await floats(5)];
      for (const at of [0, 1, 2]) {
        const [slope, first, second] = others.with(at, six);
        await expect(kernels.adam(five, slope, first, second, { ...USUAL, step: 1 })).rejects.toMatchObject({
          code: "gradient/shape",
        });
      }
    });
  });
});

it("the oracle's first moves go down the slope of a function", () => {
  const numbers = [0.5, -0.25, 0.125];
  const value = (at: readonly number[]) => at.reduce((sum, number) => sum + number ** 4 - number, 0);
  const slope = numbers.map((number) => 4 * number ** 3 - 1);
  expectSlopes(slope, value, numbers);
  const zeros = numbers.map(() => 0);
  const moved = adam({ parameters: numbers, first: zeros, second: zeros }, slope, { ...USUAL, step: 1 });
  expect(value(moved.parameters)).toBeLessThan(value(numbers));
});

it("the engine's twin without SIMD gives the same bits", async () => {
  const { parameters, first, second } = stateOf(43, 9);
  const bits = await bitsOf((kernels) => {
    const [to, means, squares] = [parameters, first, second].map((list) => kernels.floats(Float32Array.from(list)));
    kernels.adam(to, kernels.floats(randomFloats(43, 12)), means, squares, { ...USUAL, step: 7 });
    return [to, means, squares];
  });
  expect(bits).toBe("29df1dfed8663020");
});
