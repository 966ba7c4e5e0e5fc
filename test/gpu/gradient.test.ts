// Kernels of gradient models at sizes that a GPU divides among workgroups, against the engine.
import { describe, expect, it } from "vitest";
import type { Kernels } from "../../src/core/kernels.js";
import { openWasmKernels } from "../../src/gradient/wasm-kernels.js";
import { expectNear, randomFloats, randomIndices } from "../floats.js";
import { gpuEngines } from "../gpu-engines.js";
import { occurrences } from "../occurrences.js";
import { type Remote, remote } from "../remote.js";

const ROWS = 150;
const LINES = 70;
const QUERIES = 90;
const NUMBERS = ROWS * LINES;

/** What all kernels write, one after the other. */
async function results(kernels: Remote<Kernels>): Promise<Record<string, Float32Array>> {
  const found: Record<string, Float32Array> = {};
  let seed = 0;
  const random = (count: number) => kernels.floats(randomFloats(count, ++seed));
  const indices = (numbers: readonly number[]) => kernels.indices(Uint32Array.from(numbers));
  const [blocks, x, slope] = [await indices([0, 1, 3, LINES]), await random(NUMBERS), await random(NUMBERS)];

  for (const name of ["softmax", "sparsemax"] as const) {
    const [p, into] = [await kernels.floats(NUMBERS), await random(NUMBERS)];
    await kernels[name](x, blocks, ROWS, p);
    await kernels[`${name}Gradient`](p, slope, blocks, ROWS, into);
    Object.assign(found, { [name]: await kernels.read(p), [`${name}Gradient`]: await kernels.read(into) });
  }

  const lines = randomIndices(3 * QUERIES, LINES, 1);
  const { starts, places } = occurrences(lines, LINES);
  const slopes = await random(QUERIES);
  const products = {
    ...{ lines: await indices(lines), order: 3, count: QUERIES },
    ...{ starts: await indices(starts), places: await indices(places) },
  };
  const [answers, into] = [await kernels.floats(QUERIES), await random(NUMBERS)];
  await kernels.productQueries(x, ROWS, products, answers);
  await kernels.productQueriesGradient(x, ROWS, products, slopes, into);
  Object.assign(found, { products: await kernels.read(answers), productsGradient: await kernels.read(into) });

  const [thresholds, sums, intoSums] = [
    await random(QUERIES),
    await random(QUERIES * ROWS),
    await random(QUERIES * ROWS),
  ];
  const [sigmoids, steepness] = [await random(NUMBERS + QUERIES * ROWS), await random(NUMBERS + QUERIES * ROWS)];
  await kernels.sigmoid(sums, ROWS, thresholds, 8, sigmoids);
  await kernels.sigmoidGradient(sigmoids, ROWS, 8, steepness, intoSums);
  Object.assign(found, { sigmoids: await kernels.read(sigmoids), sigmoidGradient: await kernels.read(intoSums) });

  const [out, statistics] = [await kernels.floats(NUMBERS), await kernels.floats(2 * LINES)];
  const [gain, bias, intoGain, intoBias] = await Promise.all([LINES, LINES, LINES, LINES].map(random));
  await kernels.batchNorm(x, ROWS, gain, bias, 1e-5, out, statistics);
  await kernels.batchNormGradient(x, ROWS, gain, statistics, slope, into, intoGain, intoBias);
  Object.assign(found, { batchNorm: await kernels.read(out), batchNormGradient: await kernels.read(into) });
  Object.assign(found, { gain: await kernels.read(intoGain), bias: await kernels.read(intoBias) });

  const [first, second] = [await kernels.floats(NUMBERS), await kernels.floats(NUMBERS)];
  await kernels.adam(out, slope, first, second, { step: 1, rate: 0.1, beta1: 0.9, beta2: 0.99, epsilon: 1e-6 });
  found.adam = await kernels.read(out);
  await kernels.close();
  return found;
}

/** How many roundings of 1 engines may differ by: sums of 150 numbers in different orders, at most. */
const ROUNDINGS = 300;

describe.each(gpuEngines)("$name", ({ missing, open }) => {
  it("kernels give what the engine gives", async ({ skip }) => {
    if (missing) skip(missing);
    const found = await results(await (await open()).kernels());
    const wanted = await results(remote(openWasmKernels()));
    expect(Object.keys(found)).toEqual(Object.keys(wanted));
    for (const [name, numbers] of Object.entries(wanted)) {
      expect(
        numbers.some((number) => number !== 0),
        name,
      ).toBe(true);
      expectNear(
        found[name],
        numbers,
        ROUNDINGS,
        numbers.map((number) => Math.max(1, Math.abs(number))),
      );
    }
  });

  it("kernels run on more workgroups than a GPU has in one dimension", async ({ skip }) => {
    if (missing) skip(missing);
    const kernels = await (await open()).kernels();
    const count = 66_000;
    const blocks = await kernels.indices(Uint32Array.from({ length: count + 1 }, (_, block) => 2 * block));
    const x = await kernels.floats(2 * count);
    await kernels.softmax(x, blocks, 1, x);
    expectNear(await kernels.read(x), new Float32Array(2 * count).fill(1 / 2), 2);
    await kernels.close();
  });
});
