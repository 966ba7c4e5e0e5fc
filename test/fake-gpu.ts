import { Engines } from "../src/core/engines.js";
import { type Gpu, gpuLost } from "../src/core/gpu.js";
import { host, provideHost } from "../src/core/host.js";
import type { SearchDevice } from "../src/core/search-device.js";
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
