// The engines that gradient models can run on: WASM, or in the project "gpu" GPUs. The tests of kernels run on each of
// them.
import { afterAll, beforeAll, beforeEach, describe } from "vitest";
import type { Floats, Indices, Kernels } from "../src/gradient/kernels.js";
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
  : [{ name: "wasm", missing: false, open: async () => remote(openWasmKernels()) }];

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

/** Describes what holds on each engine. */
export function onEachEngine(tests: (work: Work, engine: GradientEngine) => void): void {
  describe.each(gradientEngines)("on $name", (engine) => {
    let kernels: Remote<Kernels>;
    beforeAll(async () => {
      if (!engine.missing) kernels = await engine.open();
    });
    beforeEach(({ skip }) => {
      if (engine.missing) skip(engine.missing);
    });
    afterAll(() => kernels?.close());
    tests((job) => workAt(kernels, job), engine);
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
