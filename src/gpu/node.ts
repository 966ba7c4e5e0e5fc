// WebGPU in Node: Dawn, which the package "webgpu" brings. It is optional, so it is looked for when it is needed.
import { gpuNone } from "../core/gpu.js";
import { webGpu } from "./webgpu.js";

/** @throws {StandinError} `gpu/none` where the package is missing, or cannot be loaded on this machine */
export const openGpu = webGpu(async () => {
  try {
    const { create } = await import("webgpu");
    return create([]);
  } catch (error) {
    const reason = /MODULE_NOT_FOUND$/.test((error as NodeJS.ErrnoException).code ?? "")
      ? "is not installed"
      : `cannot be loaded: ${(error as Error).message}`;
    throw gpuNone(`The package "webgpu" ${reason}.`);
  }
});
