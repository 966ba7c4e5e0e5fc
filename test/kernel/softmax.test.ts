import fc from "fast-check";
import { expect, it } from "vitest";
import { bitsOf, expectNear, expectSlopes, leftBy, plus, sizesOf, weighted } from "../floats.js";
import { cases, describeOn, gradientEngines } from "../gradient-engines.js";
import { placesInBlocks, softmax, softmaxGradient } from "../reference/softmax.js";
import { added, anyBlocks, type Blocks, blocksOf, replaced, written } from "../simplex-blocks.js";

/** What softmax should write over `before`. */
function wanted({ x, blocks, rows, before }: Blocks): number[] {
  const [made, within] = [softmax(x, blocks, rows), new Set(placesInBlocks(blocks, rows).flat())];
  return made.map((number, at) => (within.has(at) ? number : before[at]));
}

/** Powers round as their exponents do. */
const roundingsOf = ({ x }: Blocks) => 64 + 12 * Math.max(...sizesOf(x));

describeOn(gradientEngines, (work) => {
  it("is e^x over its sum, for each block of each row", async () => {
    await fc.assert(
      fc.asyncProperty(anyBlocks, async (one) => {
        expectNear(
          await written(work, one, (kernels, ...given) => kernels.softmax(...given)),
          wanted(one),
          roundingsOf(one),
        );
      }),
      { seed: 182, numRuns: cases(200) },
    );
  });

  it("may replace what it is given", async () => {
    const one = blocksOf(21, [3, 5], 1, 4);
    const found = await replaced(work, one, (kernels, ...given) => kernels.softmax(...given));
    expectNear(found, softmax(one.x, one.blocks, one.rows), roundingsOf(one));
  });

  it("gives 1 to a line alone, and shares to equal lines, however large", async () => {
    for (const large of [-1e30, 0, 3e38]) {
      const one = { ...blocksOf(6, [1, 4], 1, 1), x: new Float32Array(42).fill(large) };
      const found = await written(work, one, (kernels, ...given) => kernels.softmax(...given));
      expectNear(found.slice(6, 12), new Array(6).fill(1), 8);
      expectNear(found.slice(12, 36), new Array(24).fill(1 / 4), 8);
    }
  });

  it("gives nothing to lines far below the largest", async () => {
    const one = {
      ...blocksOf(5, [3], 1, 1),
      x: Float32Array.from({ length: 25 }, (_, at) => (at < 10 ? 1e38 : -1e38)),
    };
    const found = await written(work, one, (kernels, ...given) => kernels.softmax(...given));
    expectNear(found.slice(5, 20), [1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], 8);
  });

  it("adds the slopes at what it was given", async () => {
    await fc.assert(
      fc.asyncProperty(anyBlocks, async (one) => {
        const p = Float32Array.from(softmax(one.x, one.blocks, one.rows));
        const found = await added(work, one, p, (kernels, ...given) => kernels.softmaxGradient(...given));
        const sizes = plus(sizesOf(one.before), sizesOf(p));
        expectNear(found, plus(one.before, softmaxGradient(p, one.slope, one.blocks, one.rows)), 32, sizes);
      }),
      { seed: 183, numRuns: cases(200) },
    );
  });

  it("refuses arrays that do not fit", async () => {
    await work(async ({ kernels, floats, indices }) => {
      const [x, other, blocks] = [await floats(12), await floats(8), await indices([0, 3])];
      await kernels.softmax(x, blocks, 4, x);
      const refused = { code: "gradient/shape" };
      await expect(kernels.softmax(x, blocks, 4, other)).rejects.toMatchObject(refused);
      await expect(kernels.softmax(x, blocks, 5, x)).rejects.toMatchObject(refused);
      await expect(kernels.softmax(x, blocks, 0, x)).rejects.toMatchObject(refused);
      await expect(kernels.softmax(x, await indices([]), 4, x)).rejects.toMatchObject(refused);
      await expect(kernels.softmaxGradient(x, other, blocks, 4, await floats(12))).rejects.toMatchObject(refused);
    });
  });
});

it("the oracle's gradient is how its sums change", () => {
  const { rows, blocks, x, slope } = blocksOf(3, [2, 4], 5, 2);
  const gradient = softmaxGradient(softmax(x, blocks, rows), slope, blocks, rows);
  const inside = gradient.map((number, at) => number + (at < rows || at >= 7 * rows ? slope[at] : 0));
  expectSlopes(inside, (numbers) => weighted(softmax(numbers, blocks, rows), slope), [...x]);
});

it("the engine's powers of e are within 2 units in the last place", async () => {
  const rows = 20_000;
  const exponents = Float32Array.from({ length: rows }, (_, at) => -87.32 * (at / (rows - 1)) ** 2);
  const x = new Float32Array(2 * rows);
  x.set(exponents);
  const [p] = await leftBy((kernels) => {
    const out = kernels.floats(2 * rows);
    kernels.softmax(kernels.floats(x), kernels.indices(Uint32Array.of(0, 2)), rows, out);
    return [out];
  });
  // Next to a line of zeros: power / (1 + power) over 1 / (1 + power), where products round twice more.
  const powers = Array.from(exponents, (_, row) => p[row] / p[rows + row]);
  const wanted = Array.from(exponents, (exponent) => Math.exp(exponent));
  expectNear(powers, wanted, 6);
});

it("the engine's twin without SIMD gives the same bits", async () => {
  const { rows, blocks, x, slope, before } = blocksOf(23, [1, 7, 40], 9, 30);
  const bits = await bitsOf((kernels) => {
    const [p, into, lines] = [
      kernels.floats(before),
      kernels.floats(before),
      kernels.indices(Uint32Array.from(blocks)),
    ];
    kernels.softmax(kernels.floats(x), lines, rows, p);
    kernels.softmaxGradient(p, kernels.floats(slope), lines, rows, into);
    return [p, into];
  });
  expect(bits).toBe("119a2c40377b789a");
});
