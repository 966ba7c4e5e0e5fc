import fc from "fast-check";
import { expect, it } from "vitest";
import {
  bitsOf,
  expectNear,
  expectSlopes,
  leftBy,
  plus,
  randomFloats,
  randomIndices,
  sizesOf,
  weighted,
} from "../floats.js";
import { cases, type Desk, describeOn, gradientEngines, type Work } from "../gradient-engines.js";
import { occurrences } from "../occurrences.js";
import { sigmoidQueries, sigmoidQueriesGradient } from "../reference/sigmoid-queries.js";

const WIDTH = 3;

interface Problem {
  readonly rows: number;
  readonly scale: number;
  readonly thresholds: Float32Array;
  readonly labels?: readonly number[];
  readonly sums: Float32Array;
  readonly x: Float32Array;
  readonly slope: Float32Array;
  readonly beforeSums: Float32Array;
  readonly beforeX: Float32Array;
}

function problemOf(rows: number, count: number, scale: number, labelled: boolean, seed: number): Problem {
  return {
    rows,
    scale,
    thresholds: randomFloats(count, seed),
    labels: labelled ? randomIndices(count, WIDTH, seed) : undefined,
    sums: randomFloats(count * rows, seed + 1),
    x: randomFloats(WIDTH * rows, seed + 2),
    slope: randomFloats(count, seed + 3),
    beforeSums: randomFloats(count * rows, seed + 4),
    beforeX: randomFloats(WIDTH * rows, seed + 5),
  };
}

const anyProblem = fc
  .tuple(fc.integer({ min: 1, max: 40 }), fc.nat(8), fc.constantFrom(0.5, 2, 64, 4096), fc.boolean(), fc.integer())
  .map((given) => problemOf(...given));

async function placed({ floats, indices }: Desk, { thresholds, scale, labels }: Problem) {
  const queries = { count: thresholds.length, thresholds: await floats(thresholds), scale };
  if (!labels) return queries;
  const { starts, places } = occurrences(labels, WIDTH);
  const lists = { lines: await indices(labels), starts: await indices(starts), queries: await indices(places) };
  return { ...queries, labels: lists };
}

const answers = (work: Work, one: Problem) =>
  work(async (desk) => {
    const [out, sums] = [await desk.floats(one.thresholds.length), await desk.floats(one.sums)];
    const x = one.labels && (await desk.floats(one.x));
    await desk.kernels.sigmoidQueries(sums, one.rows, await placed(desk, one), x, out);
    return desk.kernels.read(out);
  });

const gradient = (work: Work, one: Problem) =>
  work(async (desk) => {
    const [x, intoX] = one.labels ? [await desk.floats(one.x), await desk.floats(one.beforeX)] : [];
    const [sums, slope, intoSums] = [
      await desk.floats(one.sums),
      await desk.floats(one.slope),
      await desk.floats(one.beforeSums),
    ];
    await desk.kernels.sigmoidQueriesGradient(sums, one.rows, await placed(desk, one), x, slope, intoSums, intoX);
    return { sums: await desk.kernels.read(intoSums), x: intoX ? await desk.kernels.read(intoX) : one.beforeX };
  });

/** Roundings of what one row can add at most. */
const ROUNDINGS = 24;

describeOn(gradientEngines, (work) => {
  it("answers with the mean sigmoid, times the label", async () => {
    await fc.assert(
      fc.asyncProperty(anyProblem, async (one) => {
        const wanted = sigmoidQueries(one.sums, one.rows, one, one.x);
        expectNear(
          await answers(work, one),
          wanted,
          ROUNDINGS + one.rows,
          wanted.map(() => 1),
        );
      }),
      { seed: 188, numRuns: cases(200) },
    );
  });

  it("adds the slopes at the sums, and at the labels", async () => {
    await fc.assert(
      fc.asyncProperty(anyProblem, async (one) => {
        const [found, wanted] = [
          await gradient(work, one),
          sigmoidQueriesGradient(one.sums, one.rows, one, one.x, one.slope),
        ];
        const sizes = sizesOf(one.beforeSums).map((size) => size + one.scale / one.rows);
        expectNear(found.sums, plus(one.beforeSums, wanted.sums), ROUNDINGS, sizes);
        const most = one.thresholds.length / one.rows;
        const sizesX = sizesOf(one.beforeX).map((size) => size + most);
        expectNear(found.x, plus(one.beforeX, wanted.x), ROUNDINGS + one.thresholds.length, sizesX);
      }),
      { seed: 189, numRuns: cases(200) },
    );
  });

  it("is 0 or 1 and flat far from the threshold, however large the scale", async () => {
    const sums = Float32Array.of(-1e34, -1e6, 1e6, 1e34, -1, 1);
    const one = { ...problemOf(6, 1, 4096, false, 1), thresholds: Float32Array.of(0), sums };
    expectNear(await answers(work, one), [0.5], 8);
    const flat = await gradient(work, { ...one, slope: Float32Array.of(1), beforeSums: new Float32Array(6) });
    expectNear(flat.sums, [0, 0, 0, 0, 0, 0], 0);
  });

  it("refuses arrays that do not fit", async () => {
    const one = problemOf(4, 5, 2, true, 7);
    await work(async (desk) => {
      const [{ kernels }, queries] = [desk, await placed(desk, one)];
      const [sums, intoAll, x, other, five, six] = [
        await desk.floats(20),
        await desk.floats(20),
        await desk.floats(12),
        await desk.floats(12),
        await desk.floats(5),
        await desk.floats(6),
      ];
      const refused = { code: "gradient/shape" };
      await kernels.sigmoidQueries(sums, 4, queries, x, five);
      for (const [rows, changed, numbers, out] of [
        [5, queries, x, five],
        [4, queries, x, six],
        [4, queries, five, five],
        [4, queries, undefined, five],
        [4, { ...queries, thresholds: six }, x, five],
        [4, { ...queries, count: 6 }, x, five],
      ] as const)
        await expect(kernels.sigmoidQueries(sums, rows, changed, numbers, out)).rejects.toMatchObject(refused);
      for (const [slope, intoSums, intoX] of [
        [six, intoAll, other],
        [five, other, other],
        [five, intoAll, five],
        [five, intoAll, undefined],
      ])
        await expect(
          kernels.sigmoidQueriesGradient(sums, 4, queries, x, slope!, intoSums!, intoX),
        ).rejects.toMatchObject(refused);
    });
  });
});

it("the oracle's gradient is how its answers change", () => {
  const { rows, sums, x, slope, ...queries } = problemOf(3, 4, 2, true, 8);
  const wanted = sigmoidQueriesGradient(sums, rows, queries, x, slope);
  expectSlopes(wanted.sums, (numbers) => weighted(sigmoidQueries(numbers, rows, queries, x), slope), [...sums]);
  expectSlopes(wanted.x, (numbers) => weighted(sigmoidQueries(sums, rows, queries, numbers), slope), [...x]);
});

it("in the engine, products with the scale may be too large for a number", async () => {
  const numbers = await leftBy((kernels) => {
    const sums = kernels.floats(Float32Array.of(-3e38, 3e38, 3e38, -3e38, 3e38));
    const queries = { count: 1, thresholds: kernels.floats(Float32Array.of(-3e38)), scale: 4096 };
    const [out, into] = [kernels.floats(1), kernels.floats(5)];
    kernels.sigmoidQueries(sums, 5, queries, undefined, out);
    kernels.sigmoidQueriesGradient(sums, 5, queries, undefined, kernels.floats(1), into, undefined);
    return [out, into];
  });
  expect(numbers.map((array) => [...array])).toEqual([[Math.fround(1 / 5)], [0, 0, 0, 0, 0]]);
});

it("the engine's twin without SIMD gives the same bits", async () => {
  const { rows, scale, labels, ...one } = problemOf(43, 6, 16, true, 9);
  const { starts, places } = occurrences(labels!, WIDTH);
  const bits = await bitsOf((kernels) => {
    const [lines, first, queries] = [labels!, starts, places].map((list) => kernels.indices(Uint32Array.from(list)));
    const plain = { count: 6, thresholds: kernels.floats(one.thresholds), scale };
    const given = { ...plain, labels: { lines, starts: first, queries } };
    const [sums, x, slope] = [one.sums, one.x, one.slope].map((numbers) => kernels.floats(numbers));
    const [out, bare, intoSums, intoX] = [6, 6, one.beforeSums, one.beforeX].map((content) => kernels.floats(content));
    kernels.sigmoidQueries(sums, rows, given, x, out);
    kernels.sigmoidQueries(sums, rows, plain, undefined, bare);
    kernels.sigmoidQueriesGradient(sums, rows, given, x, slope, intoSums, intoX);
    return [out, bare, intoSums, intoX];
  });
  expect(bits).toBe("46fd563fe1327c1c");
});
