import residualsCode from "../../gpu/residuals.wgsl";
import type { OpenGpu } from "../../src/core/gpu.js";
import type { SearchDevice } from "../../src/core/search-device.js";
import { MAP_WIDTH } from "../../src/engine/layout.js";
import { floatWord } from "../../src/gpu/device.js";
import { inWords } from "../../src/gpu/neighbourhoods.js";
import type { WebGpu } from "../../src/gpu/webgpu.js";
import scaled from "./scaled.wgsl";

/** What the tests call on a GPU, wherever it is. */
export interface TestGpu {
  /** What its driver calls it. */
  name(): Promise<string>;
  /** The numbers times a factor: no kernel, but enough to see that commands arrive. */
  scaled(numbers: Float32Array, factor: number): Promise<Float32Array>;
  openSearch(map: Uint32Array, residuals: Int32Array, codes: Uint16Array): Promise<SearchDevice>;
  /** The tables of a search, and the words of its codes, after `rows` were given other codes. */
  movedRows(
    map: Uint32Array,
    residuals: Int32Array,
    codes: Uint16Array,
    rows: Uint32Array,
    changed: Uint16Array,
  ): Promise<[Int32Array, Uint32Array]>;
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
    openSearch: async (map, residuals, codes) => (await opened()).openSearch({ map, residuals, codes }),
  };
}
