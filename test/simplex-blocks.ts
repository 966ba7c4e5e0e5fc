// Relaxed rows with blocks of lines, for the tests of kernels that map blocks to the simplex.
import fc from "fast-check";
import type { Floats, Indices, Kernels } from "../src/core/kernels.js";
import { randomFloats } from "./floats.js";
import type { Work } from "./gradient-engines.js";
import type { Remote } from "./remote.js";

export interface Blocks {
  readonly rows: number;
  /** Lines that belong to no block come before the first and after the last. */
  readonly blocks: readonly number[];
  readonly x: Float32Array;
  readonly slope: Float32Array;
  /** What the array of a gradient held before. */
  readonly before: Float32Array;
}

/** @param most the largest number */
export function blocksOf(rows: number, sizes: readonly number[], seed: number, most: number): Blocks {
  const blocks = [1];
  for (const size of sizes) blocks.push(blocks[blocks.length - 1] + size);
  const count = rows * (blocks[blocks.length - 1] + 1);
  const [slope, before] = [randomFloats(count, seed + 1), randomFloats(count, seed + 2)];
  return { rows, blocks, x: randomFloats(count, seed, most), slope, before };
}

export const anyBlocks: fc.Arbitrary<Blocks> = fc
  .record({
    rows: fc.integer({ min: 1, max: 40 }),
    sizes: fc.array(fc.integer({ min: 0, max: 12 }), { maxLength: 4 }),
    seed: fc.integer(),
    most: fc.constantFrom(0.1, 1, 10, 80),
  })
  .map(({ rows, sizes, seed, most }) => blocksOf(rows, sizes, seed, most));

/** What a call writes over what `before` holds. */
export const written = (
  work: Work,
  { rows, blocks, x, before }: Blocks,
  call: (kernels: Remote<Kernels>, x: Floats, blocks: Indices, rows: number, out: Floats) => Promise<void>,
): Promise<Float32Array> =>
  work(async ({ kernels, floats, indices }) => {
    const out = await floats(before);
    await call(kernels, await floats(x), await indices(blocks), rows, out);
    return kernels.read(out);
  });

/** What a call leaves where `x` stands. */
export const replaced = (
  work: Work,
  { rows, blocks, x }: Blocks,
  call: (kernels: Remote<Kernels>, x: Floats, blocks: Indices, rows: number, out: Floats) => Promise<void>,
): Promise<Float32Array> =>
  work(async ({ kernels, floats, indices }) => {
    const out = await floats(x);
    await call(kernels, out, await indices(blocks), rows, out);
    return kernels.read(out);
  });

/** What a call for a gradient makes of what `before` holds. @param p where the slopes are */
export const added = (
  work: Work,
  { rows, blocks, slope, before }: Blocks,
  p: Float32Array,
  call: (
    kernels: Remote<Kernels>,
    p: Floats,
    slope: Floats,
    blocks: Indices,
    rows: number,
    into: Floats,
  ) => Promise<void>,
): Promise<Float32Array> =>
  work(async ({ kernels, floats, indices }) => {
    const into = await floats(before);
    await call(kernels, await floats(p), await floats(slope), await indices(blocks), rows, into);
    return kernels.read(into);
  });
