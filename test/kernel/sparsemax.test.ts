import fc from "fast-check";
import { expect, it } from "vitest";
import { bitsOf, expectNear, expectSlopes, plus, sizesOf, weighted } from "../floats.js";
import { cases, describeOn, gradientEngines, type Work } from "../gradient-engines.js";
import { placesInBlocks } from "../reference/softmax.js";
import { sparsemax, sparsemaxGradient } from "../reference/sparsemax.js";
import { added, anyBlocks, type Blocks, blocksOf, replaced, written } from "../simplex-blocks.js";

const projected = (work: Work, one: Blocks) => written(work, one, (kernels, ...given) => kernels.sparsemax(...given));

/** Expects the numbers in the blocks to be projected, and the others to be as before. */
function expectProjected(found: Float32Array, { x, blocks, rows, before }: Blocks, roundings: number): void {
  const [made, within] = [sparsemax(x, blocks, rows), new Set(placesInBlocks(blocks, rows).flat())];
  const wanted = made.map((number, at) => (within.has(at) ? number : before[at]));
  // The numbers that are taken from one another are at most 1 apart.
  expectNear(
    found,
    wanted,
    roundings,
    wanted.map(() => 1),
  );
}

/** Blocks of one row, with these numbers. */
const blockOf = (numbers: readonly number[]): Blocks => ({
  ...blocksOf(1, [numbers.length], 1, 1),
  x: Float32Array.of(0, ...numbers, 0),
});

describeOn(gradientEngines, (work) => {
  it("is the nearest point of the simplex, for each block of each row", async () => {
    await fc.assert(
      fc.asyncProperty(anyBlocks, async (one) => {
        expectProjected(await projected(work, one), one, 24);
      }),
      { seed: 184, numRuns: cases(300) },
    );
  });

  it("may replace what it is given", async () => {
    const one = blocksOf(21, [3, 5], 1, 2);
    const found = await replaced(work, one, (kernels, ...given) => kernels.sparsemax(...given));
    expectNear(found, sparsemax(one.x, one.blocks, one.rows), 24, [...one.x].fill(2));
  });

  it("is exact in blocks where numbers leave one after the other", async () => {
    // Each number is left out only once the next larger ones have raised the threshold.
    const steep = Array.from({ length: 300 }, (_, at) => -(1 - 2 ** -(at / 20)));
    for (const numbers of [steep, [...steep].reverse(), Array.from({ length: 2000 }, (_, at) => -at / 2000)])
      expectProjected(await projected(work, blockOf(numbers)), blockOf(numbers), 2 * numbers.length);
  });

  it("keeps ties together, alone and among others", async () => {
    for (const numbers of [[0.3], [7, 7, 7, 7], [0.5, -0.25, 0.5, -0.25], [-0.5, -0.5, 0.5, 0.5], [1, 0, 0, 0, 0]])
      expectProjected(await projected(work, blockOf(numbers)), blockOf(numbers), 8);
  });

  it("loses nothing in large numbers", async () => {
    for (const numbers of [
      [1e30, 1e30, -1e30],
      [16_777_216, 16_777_215, 16_777_214],
      [-1e38, 1e38, 1e38],
    ])
      expectProjected(await projected(work, blockOf(numbers)), blockOf(numbers), 8);
  });

  it("adds the slopes at what it was given", async () => {
    await fc.assert(
      fc.asyncProperty(anyBlocks, async (one) => {
        const p = Float32Array.from(sparsemax(one.x, one.blocks, one.rows));
        const found = await added(work, one, p, (kernels, ...given) => kernels.sparsemaxGradient(...given));
        const sizes = sizesOf(one.before).map((size) => size + 2);
        expectNear(found, plus(one.before, sparsemaxGradient(p, one.slope, one.blocks, one.rows)), 16, sizes);
      }),
      { seed: 185, numRuns: cases(200) },
    );
  });

  it("refuses arrays that do not fit", async () => {
    await work(async ({ kernels, floats, indices }) => {
      const [x, other, blocks] = [await floats(12), await floats(8), await indices([0, 3])];
      const refused = { code: "gradient/shape" };
      await expect(kernels.sparsemax(x, blocks, 4, other)).rejects.toMatchObject(refused);
      await expect(kernels.sparsemaxGradient(x, await floats(12), blocks, 4, other)).rejects.toMatchObject(refused);
    });
  });
});

it("the oracle's gradient is how its sums change", () => {
  const { rows, blocks, x, slope } = blocksOf(3, [2, 4], 6, 0.5);
  const gradient = sparsemaxGradient(sparsemax(x, blocks, rows), slope, blocks, rows);
  const inside = gradient.map((number, at) => number + (at < rows || at >= 7 * rows ? slope[at] : 0));
  expectSlopes(inside, (numbers) => weighted(sparsemax(numbers, blocks, rows), slope), [...x]);
});

it("the engine's twin without SIMD gives the same bits", async () => {
  const { rows, blocks, x, slope, before } = blocksOf(23, [1, 7, 40], 9, 0.4);
  const bits = await bitsOf((kernels) => {
    const [p, into, lines] = [
      kernels.floats(before),
      kernels.floats(before),
      kernels.indices(Uint32Array.from(blocks)),
    ];
    kernels.sparsemax(kernels.floats(x), lines, rows, p);
    kernels.sparsemaxGradient(p, kernels.floats(slope), lines, rows, into);
    return [p, into];
  });
  expect(bits).toBe("9b5ac190390fad49");
});
