import { Engines } from "../src/core/engines.js";
import { type Gpu, gpuLost } from "../src/core/gpu.js";
import { host, provideHost } from "../src/core/host.js";
import type { Kernels } from "../src/core/kernels.js";
import type { SearchDevice } from "../src/core/search-device.js";
import { openWasmKernels } from "../src/gradient/wasm-kernels.js";
import { MapDevice } from "./map-device.js";

const unexpected = () => {
  throw new TypeError("Nobody should ask for this.");
};

/** A GPU that can do so much. */
export const fakeGpu = (members: Partial<Gpu>): Gpu => ({
  name: "a GPU",
  isSoftware: false,
  openCounter: unexpected,
  openKernels: unexpected,
  openSearch: unexpected,
  ...members,
});

/**
 * Engines with a GPU whose kernels are those of WASM, until the reading with this number fails: opening them is the
 * first.
 */
export function failingKernels(at: number) {
  const counted = { readings: 0, open: 0 };
  const reading = () => {
    if (counted.readings++ === at) throw gpuLost("it fell off the bus.");
  };
  const openKernels: Gpu["openKernels"] = async (): Promise<Kernels> => {
    reading();
    const kernels = openWasmKernels();
    counted.open++;
    return {
      ...{ ...kernels, engine: "webgpu" },
      async read(from) {
        reading();
        return kernels.read(from);
      },
      close() {
        counted.open--;
        kernels.close();
      },
    };
  };
  provideHost({ ...host(), gpu: async () => fakeGpu({ openKernels }) });
  return { engines: new Engines("webgpu"), counted };
}

/**
 * Engines with a GPU that knows of searches only what it is told, and of which the call with this number fails: opening
 * a search is the first. Counts the calls, and the searches that are open.
 */
export function failing(at: number) {
  const counted = { calls: 0, open: 0 };
  const call = () => {
    if (counted.calls++ === at) throw gpuLost("it fell off the bus.");
  };
  const openSearch: Gpu["openSearch"] = async (tables): Promise<SearchDevice> => {
    call();
    const device = new MapDevice(tables);
    counted.open++;
    return {
      async findMoves(rows) {
        call();
        return device.findMoves(rows);
      },
      async score(candidates) {
        call();
        return device.score(candidates);
      },
      change(rows, codes) {
        call();
        device.change(rows, codes);
      },
      close() {
        counted.open--;
      },
    };
  };
  provideHost({ ...host(), gpu: async () => fakeGpu({ openSearch }) });
  return { engines: new Engines("webgpu"), counted };
}
