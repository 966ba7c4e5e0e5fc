import fc from "fast-check";
import { expect, it } from "vitest";
import type { Product } from "../../src/core/kernels.js";
import { bitsOf, expectNear, leftBy, randomFloats, sizesOf } from "../floats.js";
import { cases, describeOn, gradientEngines, type Work } from "../gradient-engines.js";
import { matrixProduct } from "../reference/matrix-product.js";

const size = fc.integer({ min: 0, max: 40 });
const products: fc.Arbitrary<Product> = fc.record({
  rows: size,
  inner: size,
  columns: size,
  transposedA: fc.boolean(),
  transposedB: fc.boolean(),
  adds: fc.boolean(),
});

/** The matrix, and a number beyond it. */
const longer = (numbers: Float32Array) =>
  Float32Array.from({ length: numbers.length + 1 }, (_, at) => numbers[at] ?? 1);

const factors = ({ rows, inner, columns }: Product) =>
  [randomFloats(rows * inner, 1), randomFloats(inner * columns, 2)] as const;

/** What a call leaves where 1 stood everywhere. */
const found = (work: Work, product: Product) =>
  work(async ({ kernels, floats }) => {
    const [a, b] = factors(product);
    const out = await floats(new Float32Array(product.rows * product.columns + 1).fill(1));
    await kernels.matrixProduct(await floats(a), await floats(longer(b)), out, product);
    return kernels.read(out);
  });

function expectProduct(numbers: Float32Array, product: Product): void {
  const [a, b] = factors(product);
  const before = Number(product.adds ?? false);
  const [sizes, wanted] = [matrixProduct(sizesOf(a), sizesOf(b), product), matrixProduct(a, b, product)];
  const ofAll = (sums: readonly number[]) => [...sums.map((sum) => sum + before), 1];
  expectNear(numbers, ofAll(wanted), product.inner + 2, ofAll(sizes));
}

describeOn(gradientEngines, (work) => {
  it("multiplies matrices of all sizes, stored either way", async () => {
    await fc.assert(
      fc.asyncProperty(products, async (product) => expectProduct(await found(work, product), product)),
      { seed: 181, numRuns: cases(300) },
    );
  });

  it.each([
    { rows: 3, inner: 700, columns: 9 },
    { rows: 9, inner: 257, columns: 521, transposedA: true },
    { rows: 130, inner: 4, columns: 1100, transposedB: true },
    { rows: 67, inner: 515, columns: 35, transposedA: true, transposedB: true },
    { rows: 10, inner: 600, columns: 20, adds: true },
  ])("goes through large matrices part by part: $rows × $inner × $columns", async (product) => {
    expectProduct(await found(work, product), product);
  });

  it("refuses arrays that do not fit", async () => {
    await work(async ({ kernels, floats }) => {
      const product = { rows: 2, inner: 3, columns: 4 };
      const [six, seven, eight, twelve] = await Promise.all([6, 7, 8, 12].map(floats));
      await kernels.matrixProduct(six, twelve, eight, product);
      for (const [a, b, out] of [
        [eight, twelve, eight],
        [twelve, eight, eight],
        [six, eight, twelve],
        [six, twelve, seven],
      ])
        await expect(kernels.matrixProduct(a, b, out, product)).rejects.toMatchObject({ code: "gradient/shape" });
    });
  });
});

it("in the engine, the numbers of a row and a column meet nowhere else", async () => {
  const product = { rows: 6, inner: 3, columns: 10 };
  const [a, b] = factors(product);
  a.fill(Number.POSITIVE_INFINITY, 15, 18);
  b[9] = Number.NaN;
  const [numbers] = await leftBy((kernels) => {
    const out = kernels.floats(60);
    kernels.matrixProduct(kernels.floats(a), kernels.floats(b), out, product);
    return [out];
  });
  const finite = Array.from(numbers, Number.isFinite);
  expect(finite).toEqual(finite.map((_, cell) => cell < 50 && cell % 10 !== 9));
});

it("the engine's twin without SIMD gives the same bits", async () => {
  const product = { rows: 13, inner: 600, columns: 21 };
  const [a, b] = factors(product);
  const bits = await bitsOf((kernels) => {
    const out = kernels.floats(13 * 21);
    kernels.matrixProduct(kernels.floats(a), kernels.floats(b), out, product);
    return [out];
  });
  expect(bits).toBe("027812ddda95eeb3");
});
