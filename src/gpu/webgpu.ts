// Who owns WebGPU: one adapter and one device for the life of the process.
import { StandinError } from "../core/errors.js";
import { type CodedRows, type Gpu, gpuNone, type OpenGpu, type RowCounter } from "../core/gpu.js";
import type { SearchDevice, SearchTables } from "../core/search-device.js";
import { GpuCounter } from "./counter.js";
import { Device } from "./device.js";
import { openSearch } from "./neighbourhoods.js";

/** A device that is lost this often is not asked for again. */
const MOST_LOST = 3;

/** The GPU that a runtime offers through WebGPU. */
export class WebGpu implements Gpu {
  readonly name: string;
  readonly isSoftware: boolean;

  constructor(
    readonly device: Device,
    { description, vendor, architecture, isFallbackAdapter }: GPUAdapterInfo,
  ) {
    this.name = description || [vendor, architecture].filter(Boolean).join(" ") || "a GPU without a name";
    this.isSoftware =
      isFallbackAdapter || /swiftshader|llvmpipe|lavapipe|basic render/i.test(`${architecture} ${this.name}`);
  }

  openSearch(tables: SearchTables): Promise<SearchDevice> {
    return openSearch(this.device, tables);
  }

  openCounter(rows: CodedRows): RowCounter {
    return new GpuCounter(this.device, rows);
  }
}

/**
 * Opens the GPU that `find` offers when it is first asked for, and again where it has been lost meanwhile. An adapter
 * serves a single device, so both are asked for anew.
 * @param find called once; its result is kept, since Dawn ends the process if it is collected before its devices are
 */
export function webGpu(find: () => Promise<GPU | undefined>): OpenGpu {
  let found: Promise<GPU | undefined> | undefined;
  let opened: Promise<WebGpu> | undefined;
  let lost = 0;
  const open = async (): Promise<WebGpu> => {
    found ??= find();
    const adapter = await (await found)?.requestAdapter({ powerPreference: "high-performance" });
    if (!adapter) throw gpuNone("There is no GPU that WebGPU could use here.");
    return new WebGpu(await Device.open(adapter), adapter.info);
  };
  return async () => {
    try {
      opened ??= open();
      const gpu = await opened;
      if (gpu.device.failure === undefined) return gpu;
      if (++lost >= MOST_LOST) throw gpuNone(`The GPU has failed ${lost} times: ${gpu.device.failure}`);
      opened = open();
      return await opened;
    } catch (error) {
      throw error instanceof StandinError ? error : gpuNone(`WebGPU cannot be used here: ${error}`);
    }
  };
}
