// WebGPU in Node: Dawn, which the package "webgpu" brings. It is optional, so it is looked for when it is needed.
import { gpuNone } from "../core/gpu.js";
import { reasonOf } from "./device.js";
import { webGpu } from "./webgpu.js";

/** @throws {StandinError} `gpu/none` where the package is missing, or cannot be loaded on this machine */
export const openGpu = webGpu(async () => {
  try {
    const { create } = await import("webgpu");
    return create([]);
  } catch (error) {
    const reason = reasonOf(error);
    const isMissing = /Cannot find (package|module) ['"]webgpu['"]/.test(reason);
    const how = isMissing ? "was not found next to standin: npm install webgpu@0.6.2" : `cannot be loaded: ${reason}`;
    throw gpuNone(`The package "webgpu" ${how}.`);
  }
});
