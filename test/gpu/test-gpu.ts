import residualsCode from "../../gpu/residuals.wgsl";
import type { OpenGpu } from "../../src/core/gpu.js";
import type { Floats, Kernels } from "../../src/core/kernels.js";
import type { SearchDevice } from "../../src/core/search-device.js";
import { MAP_WIDTH } from "../../src/engine/layout.js";
import { GpuCounter } from "../../src/gpu/counter.js";
import { floatWord } from "../../src/gpu/device.js";
import { openGpuKernels } from "../../src/gpu/kernels.js";
import { inWords } from "../../src/gpu/neighbourhoods.js";
import type { WebGpu } from "../../src/gpu/webgpu.js";
import { type Remote, remote } from "../remote.js";
import blocks from "./blocks.wgsl";
import scaled from "./scaled.wgsl";

/** What the tests call on a GPU, wherever it is. */
export interface TestGpu {
  /** What its driver calls it. */
  name(): Promise<string>;
  /** The numbers times a factor: no kernel, but enough to see that commands arrive. */
  scaled(numbers: Float32Array, factor: number): Promise<Float32Array>;
  /** A search, of which this is what it takes. */
  openSearch(map: Uint32Array, residuals: Int32Array, codes: Uint16Array): Promise<Remote<SearchDevice>>;
  /** The tables of a search, and the words of its codes, after `rows` were given other codes. */
  movedRows(
    map: Uint32Array,
    residuals: Int32Array,
    codes: Uint16Array,
    rows: Uint32Array,
    changed: Uint16Array,
  ): Promise<[Int32Array, Uint32Array]>;
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
    async movedRows(map, residuals, codes, rows, changed) {
      const { device } = await opened();
      const { moveRows } = await device.kernels(residualsCode, ["moveRows"]);
      const width = map[MAP_WIDTH];
      const words = inWords(codes, width);
      const contents = [map, residuals, words, rows, inWords(changed, width)];
      const memories = contents.map((content) => device.place(content));
      device.run(moveRows, [rows.length, Math.ceil(width / 2)], memories, rows.length);
      const tables = await device.read(memories[1], new Int32Array(residuals.length));
      const now = await device.read(memories[2], new Uint32Array(words.length));
      for (const memory of memories) memory.destroy();
      return [tables, now];
    },
    openSearch: async (map, residuals, codes) => remote(await (await opened()).openSearch({ map, residuals, codes })),
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
