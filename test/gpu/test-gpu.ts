import type { OpenGpu } from "../../src/core/gpu.js";
import { GpuCounter } from "../../src/gpu/counter.js";
import { floatWord } from "../../src/gpu/device.js";
import { openGpuKernels } from "../../src/gpu/kernels.js";
import type { WebGpu } from "../../src/gpu/webgpu.js";
import type { Floats, Kernels } from "../../src/gradient/kernels.js";
import { type Remote, remote } from "../remote.js";
import blocks from "./blocks.wgsl";
import scaled from "./scaled.wgsl";

/** What the tests call on a GPU, wherever it is. */
export interface TestGpu {
  /** What its driver calls it. */
  name(): Promise<string>;
  /** The numbers times a factor: no kernel, but enough to see that commands arrive. */
  scaled(numbers: Float32Array, factor: number): Promise<Float32Array>;
  /** The kernels of gradient models. */
  kernels(): Promise<Remote<Kernels>>;
  /** Reads an array, and loses the GPU meanwhile; the next call gets another one. */
  readAndLose(kernels: Remote<Kernels>, array: Floats): Promise<Float32Array>;
  /** Blocks of Philox, u32[4] each. @param counters u32[4] each @param keys u32[2] each */
  philoxBlocks(counters: Uint32Array, keys: Uint32Array): Promise<Uint32Array>;
  /**
   * The counts of queries, by their QUERY structs.
   * @param magnitudes of each query, what the engine's `halfSpaceMagnitudes` writes, if it is of half-spaces
   * @param mostBytes what a buffer may hold; absent means what the device's can
   */
  count(
    codes: readonly Uint16Array[],
    queries: readonly Uint32Array[],
    magnitudes: readonly Uint32Array[],
    mostBytes?: number,
  ): Promise<Int32Array[]>;
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
    kernels: async () => remote(await openGpuKernels((await opened()).device)),
    async readAndLose(kernels, array) {
      const { device } = await opened();
      const reading = kernels.read(array);
      device.close();
      return reading;
    },
    async philoxBlocks(counters, keys) {
      const { device } = await opened();
      const { main } = await device.kernels(blocks, ["main"]);
      const memories = [device.place(counters), device.place(keys), device.reserve(counters.length)];
      device.run(main, [counters.length / 4], memories, Math.ceil(counters.length / 256));
      const result = await device.read(memories[2], new Uint32Array(counters.length));
      for (const memory of memories) memory.destroy();
      return result;
    },
    async count(codes, queries, magnitudes, mostBytes) {
      const { device } = await opened();
      const magnitudesOf = (query: Uint32Array) => magnitudes[queries.indexOf(query)];
      const counter = new GpuCounter(device, { codes, rows: codes[0].length, magnitudes: magnitudesOf }, mostBytes);
      try {
        return await counter.count(queries);
      } finally {
        counter.close();
      }
    },
  };
}
