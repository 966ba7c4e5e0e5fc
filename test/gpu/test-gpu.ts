import type { OpenGpu } from "../../src/core/gpu.js";
import { floatWord } from "../../src/gpu/device.js";
import type { WebGpu } from "../../src/gpu/webgpu.js";
import scaled from "./scaled.wgsl";

/** What the tests call on a GPU, wherever it is. */
export interface TestGpu {
  /** What its driver calls it. */
  name(): Promise<string>;
  /** The numbers times a factor: no kernel, but enough to see that commands arrive. */
  scaled(numbers: Float32Array, factor: number): Promise<Float32Array>;
}

export function testGpu(open: OpenGpu): TestGpu {
  const opened = async () => (await open()) as WebGpu;
  return {
    name: async () => (await opened()).name,
    async scaled(numbers, factor) {
      const { device } = await opened();
      const { main } = await device.kernels(scaled, ["main"]);
      const memory = device.place(numbers);
      device.run(main, [numbers.length, floatWord(factor)], [memory], Math.ceil(numbers.length / 64));
      const result = await device.read(memory, new Float32Array(numbers.length));
      memory.destroy();
      return result;
    },
  };
}
