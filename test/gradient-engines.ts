// The engines that gradient models can run on: WASM, or GPUs in the project "gpu". The tests of kernels run on each of
// them.
import { afterAll, beforeEach, describe } from "vitest";
import type { Floats, Indices, Kernels } from "../src/core/kernels.js";
import { openWasmKernels } from "../src/gradient/wasm-kernels.js";
import { gpuEngines } from "./gpu-engines.js";
import { type Remote, remote } from "./remote.js";

export interface GradientEngine {
  readonly name: string;
  /** Why it cannot be used here, if it cannot. */
  readonly missing: string | false;
  open(): Promise<Remote<Kernels>>;
}

export const gradientEngines: readonly GradientEngine[] = process.env.STANDIN_TEST_GPU
  ? gpuEngines.map(({ name, missing, open }) => ({ name, missing, open: async () => (await open()).kernels() }))
  : [{ name: "WASM", missing: false, open: async () => remote(openWasmKernels()) }];

/** So many random cases; fewer on GPUs, where each takes longer. */
export const cases = (count: number): number => (process.env.STANDIN_TEST_GPU ? count / 10 : count);

/** Kernels, and arrays in them that last for one job. */
export interface Desk {
  readonly kernels: Remote<Kernels>;
  floats(content: number | Float32Array): Promise<Floats>;
  indices(content: readonly number[]): Promise<Indices>;
}

/** Runs a job, then frees its arrays. */
export type Work = <T>(job: (desk: Desk) => Promise<T>) => Promise<T>;

/** Describes what holds on each of the engines. */
export function describeOn(
  engines: readonly GradientEngine[],
  tests: (work: Work, open: GradientEngine["open"]) => void,
): void {
  describe.each(engines)("on $name", ({ missing, open }) => {
    let kernels: Remote<Kernels> | undefined;
    beforeEach(async ({ skip }) => {
      if (missing) skip(missing);
      kernels ??= await open();
    });
    afterAll(() => kernels?.close());
    tests((job) => workAt(kernels!, job), open);
  });
}

async function workAt<T>(kernels: Remote<Kernels>, job: (desk: Desk) => Promise<T>): Promise<T> {
  const arrays: (Floats | Indices)[] = [];
  const kept = async <A extends Floats | Indices>(made: Promise<A>) => {
    const array = await made;
    arrays.push(array);
    return array;
  };
  try {
    return await job({
      kernels,
      floats: (content) => kept(kernels.floats(content)),
      indices: (content) => kept(kernels.indices(Uint32Array.from(content))),
    });
  } finally {
    for (const array of arrays) await kernels.free(array);
  }
}
