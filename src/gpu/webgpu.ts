// Who owns WebGPU: one adapter and one device for the life of the process.
import { StandinError } from "../core/errors.js";
import { type CodedRows, type Gpu, gpuNone, type OpenGpu, type RowCounter } from "../core/gpu.js";
import type { Kernels } from "../core/kernels.js";
import type { SearchDevice, SearchTables } from "../core/search-device.js";
import { GpuCounter } from "./counter.js";
import { answered, Device, reasonOf } from "./device.js";
import { openGpuKernels } from "./kernels.js";
import { openSearch } from "./neighbourhoods.js";

const NO_ADAPTER =
  "There is no GPU that WebGPU could use here: check its driver, and on Linux the Vulkan loader (libvulkan1).";

/** A device that is lost this often is not asked for again. */
const MOST_LOST = 3;

/** The GPU that a runtime offers through WebGPU. */
export class WebGpu implements Gpu {
  readonly name: string;
  readonly isSoftware: boolean;

  constructor(
    readonly device: Device,
    { description, vendor, architecture, isFallbackAdapter }: Partial<GPUAdapterInfo> = {},
  ) {
    this.name = description || [vendor, architecture].filter(Boolean).join(" ") || "a GPU without a name";
    this.isSoftware =
      isFallbackAdapter === true || /swiftshader|llvmpipe|lavapipe|basic render/i.test(`${architecture} ${this.name}`);
  }

  openSearch(tables: SearchTables): Promise<SearchDevice> {
    return openSearch(this.device, tables);
  }

  openCounter(rows: CodedRows): RowCounter {
    return new GpuCounter(this.device, rows);
  }

  openKernels(): Promise<Kernels> {
    return openGpuKernels(this.device);
  }
}

/**
 * Opens the GPU that `find` offers when it is first asked for, and again where it has been lost or could not be opened
 * before. An adapter serves a single device, so both are asked for anew.
 * @param find its result is kept, since Dawn ends the process if it is collected before its devices are
 */
export function webGpu(find: () => Promise<GPU | undefined>): OpenGpu {
  let found: Promise<GPU | undefined> | undefined;
  let opened: Promise<WebGpu> | undefined;
  let lost = 0;
  const open = async (): Promise<WebGpu> => {
    found ??= find();
    const gpu = await answered(found, "The package or the page").catch((error) => {
      found = undefined;
      throw error;
    });
    const adapter = await answered(gpu?.requestAdapter({ powerPreference: "high-performance" }), "WebGPU");
    if (!adapter) throw gpuNone(NO_ADAPTER);
    return new WebGpu(await Device.open(adapter), adapter.info);
  };
  const current = async (): Promise<WebGpu> => {
    if (lost >= MOST_LOST) throw gpuNone(`The GPU has failed ${MOST_LOST} times.`);
    opened ??= open();
    const mine = opened;
    // Of several runs that find it unusable, the first one takes it away.
    const takeAway = () => {
      const isMine = opened === mine;
      if (isMine) opened = undefined;
      return isMine;
    };
    const gpu = await mine.catch((error) => {
      takeAway();
      throw error;
    });
    if (gpu.device.failure === undefined) return gpu;
    if (takeAway()) {
      lost++;
      gpu.device.close();
    }
    return current();
  };
  return async () => {
    try {
      return await current();
    } catch (error) {
      throw error instanceof StandinError ? error : gpuNone(`WebGPU cannot be used here: ${reasonOf(error)}`);
    }
  };
}
