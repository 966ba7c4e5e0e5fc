// The engines that gradient models can run on. The tests of kernels run on each of them.
import { afterAll, beforeAll, describe } from "vitest";
import type { Floats, Indices, Kernels } from "../src/gradient/kernels.js";
import { openWasmKernels } from "../src/gradient/wasm-kernels.js";
import { type Remote, remote } from "./remote.js";

export interface GradientEngine {
  readonly name: string;
  open(): Promise<Remote<Kernels>>;
}

export const gradientEngines: readonly GradientEngine[] = [
  { name: "wasm", open: async () => remote(openWasmKernels()) },
];

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
      kernels = await engine.open();
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
