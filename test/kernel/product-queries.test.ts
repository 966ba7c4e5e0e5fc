import fc from "fast-check";
import { expect, it } from "vitest";
import { bitsOf, expectNear, expectSlopes, plus, randomFloats, randomIndices, sizesOf, weighted } from "../floats.js";
import { cases, type Desk, describeOn, gradientEngines, type Work } from "../gradient-engines.js";
import { occurrences } from "../occurrences.js";
import { type Lines, productQueries, productQueriesGradient } from "../reference/product-queries.js";

interface Problem {
  readonly rows: number;
  readonly width: number;
  readonly order: number;
  readonly queries: Lines;
  readonly x: Float32Array;
  readonly slope: Float32Array;
  readonly before: Float32Array;
}

function problemOf(rows: number, width: number, order: number, count: number, seed: number): Problem {
  const queries = Array.from({ length: count }, (_, at) => randomIndices(order, width, seed + 9 * at));
  const [x, before] = [randomFloats(rows * width, seed), randomFloats(rows * width, seed + 1)];
  return { rows, width, order, queries, x, before, slope: randomFloats(count, seed + 2) };
}

/** Queries of few lines, which they often name twice. */
const anyProblem = fc
  .tuple(
    fc.integer({ min: 1, max: 70 }),
    fc.integer({ min: 1, max: 6 }),
    fc.integer({ min: 1, max: 5 }),
    fc.nat(12),
    fc.integer(),
  )
  .map((given) => problemOf(...given));

async function placed({ indices }: Desk, { order, queries, width }: Problem) {
  const { starts, places } = occurrences(queries.flat(), width);
  return {
    order,
    count: queries.length,
    lines: await indices(queries.flat()),
    starts: await indices(starts),
    places: await indices(places),
  };
}

const answers = (work: Work, one: Problem) =>
  work(async (desk) => {
    const out = await desk.floats(one.queries.length);
    await desk.kernels.productQueries(await desk.floats(one.x), one.rows, await placed(desk, one), out);
    return desk.kernels.read(out);
  });

const gradient = (work: Work, one: Problem) =>
  work(async (desk) => {
    const [x, slope, into] = [await desk.floats(one.x), await desk.floats(one.slope), await desk.floats(one.before)];
    await desk.kernels.productQueriesGradient(x, one.rows, await placed(desk, one), slope, into);
    return desk.kernels.read(into);
  });

/** Expects `before` plus the slopes. */
function expectGradient(found: Float32Array, { rows, queries, x, slope, before }: Problem): void {
  const sizes = productQueriesGradient(sizesOf(x), rows, queries, sizesOf(slope));
  const wanted = plus(before, productQueriesGradient(x, rows, queries, slope));
  expectNear(found, wanted, 16 + queries.length, plus(sizesOf(before), sizes));
}

describeOn(gradientEngines, (work) => {
  it("answers with the mean product of the lines", async () => {
    await fc.assert(
      fc.asyncProperty(anyProblem, async (one) => {
        const sizes = productQueries(sizesOf(one.x), one.rows, one.queries);
        expectNear(await answers(work, one), productQueries(one.x, one.rows, one.queries), one.rows + 8, sizes);
      }),
      { seed: 186, numRuns: cases(200) },
    );
  });

  it("adds the slopes at the numbers, also where a query names a line twice", async () => {
    await fc.assert(
      fc.asyncProperty(anyProblem, async (one) => expectGradient(await gradient(work, one), one)),
      { seed: 187, numRuns: cases(200) },
    );
  });

  it("has slopes where a factor is 0", async () => {
    const one = problemOf(19, 3, 3, 8, 5);
    const zeros = { ...one, x: one.x.map((number, at) => (at % 3 ? number : 0)) };
    expectGradient(await gradient(work, zeros), zeros);
    const factors = { ...problemOf(1, 3, 3, 1, 5), queries: [[0, 1, 2]], x: Float32Array.of(0, 3, 5) };
    expectNear(
      await gradient(work, { ...factors, slope: Float32Array.of(2), before: new Float32Array(3) }),
      [30, 0, 0],
      8,
    );
  });

  it("answers many queries of many rows", async () => {
    const one = problemOf(1000, 40, 2, 300, 6);
    const sizes = productQueries(sizesOf(one.x), one.rows, one.queries);
    expectNear(await answers(work, one), productQueries(one.x, one.rows, one.queries), 1008, sizes);
    expectGradient(await gradient(work, one), one);
  });

  it("refuses arrays that do not fit", async () => {
    const one = problemOf(4, 3, 2, 5, 7);
    await work(async (desk) => {
      const [{ kernels }, queries] = [desk, await placed(desk, one)];
      const [x, five, six] = [await desk.floats(12), await desk.floats(5), await desk.floats(6)];
      const refused = { code: "gradient/shape" };
      await kernels.productQueries(x, 4, queries, five);
      for (const [rows, changed, out] of [
        [5, queries, five],
        [4, queries, six],
        [4, { ...queries, order: 0 }, five],
        [4, { ...queries, count: 6 }, six],
        [4, { ...queries, starts: queries.lines }, five],
        [4, { ...queries, places: queries.starts }, five],
      ] as const)
        await expect(kernels.productQueries(x, rows, changed, out)).rejects.toMatchObject(refused);
      await expect(kernels.productQueriesGradient(x, 4, queries, five, six)).rejects.toMatchObject(refused);
      await expect(kernels.productQueriesGradient(x, 4, queries, six, x)).rejects.toMatchObject(refused);
    });
  });
});

it("the oracle's gradient is how its answers change", () => {
  const { rows, queries, x, slope } = problemOf(3, 4, 3, 6, 8);
  expectSlopes(
    productQueriesGradient(x, rows, queries, slope),
    (numbers) => weighted(productQueries(numbers, rows, queries), slope),
    [...x],
  );
});

it("the engine's twin without SIMD gives the same bits", async () => {
  const { rows, order, queries, x, slope, before, width } = problemOf(43, 5, 3, 20, 9);
  const { starts, places } = occurrences(queries.flat(), width);
  const bits = await bitsOf((kernels) => {
    const [lines, first, at] = [queries.flat(), starts, places].map((list) => kernels.indices(Uint32Array.from(list)));
    const given = { lines, order, count: queries.length, starts: first, places: at };
    const [numbers, out, into] = [kernels.floats(x), kernels.floats(queries.length), kernels.floats(before)];
    kernels.productQueries(numbers, rows, given, out);
    kernels.productQueriesGradient(numbers, rows, given, kernels.floats(slope), into);
    return [out, into];
  });
  expect(bits).toBe("cf7be9cbff530a05");
});
