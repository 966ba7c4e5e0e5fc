// Rows on a GPU, and the kernels that count them. What a buffer cannot hold is counted in several parts: slabs of rows,
// windows of cells, tiles of the members of a set. Counts are sums of whole numbers, so parts cannot change them.
import halfSpacesCode from "../../gpu/half-spaces.wgsl";
import linesCode from "../../gpu/half-spaces-lines.wgsl";
import marginalCode from "../../gpu/marginal.wgsl";
import rangesCode from "../../gpu/ranges.wgsl";
import type { CodedRows, RowCounter } from "../core/gpu.js";
import { KIND_HALF_SPACES, KIND_RANGES, KIND_TABLE } from "../engine/layout.js";
import { Counted, sortedByCell } from "./counted.js";
import type { Device, Kernel, Memory } from "./device.js";

/** The rows that a workgroup counts into a table. */
const TABLE_ROWS = 4096;
/** For its boxes or members, it counts 1 to 4 times so many, the more the more workgroups there are. */
const CHUNK_ROWS = 128;
/** So many workgroups keep a GPU busy. */
const BUSY = 4096;
/** Members of a lane of half-spaces.wgsl. */
const MEMBERS = 4;
/** Lines that are drawn besides those of coordinates (half-spaces-lines.wgsl). */
const MORE_LINES = 4;
/** The bytes of lines that are drawn together: caches of GPUs hold as much. */
const LINES_BYTES = 1 << 24;

const lanesOf = (code: string) => Number(/workgroup_size\((\d+)/.exec(code)![1]);
const BOXES = lanesOf(rangesCode);
const TILE = MEMBERS * lanesOf(halfSpacesCode);
const LINE_LANES = lanesOf(linesCode);

/** Consecutive rows that fit buffers. */
interface Slab {
  readonly rows: number;
  readonly codes: readonly Uint16Array[];
  /** The words of a column. */
  readonly stride: number;
  readonly memory: Memory;
  /** Where the rows' numbers are, in any order or by the cells of `cells`. */
  readonly sorted: Memory;
  cells: string;
}

/** Some cells of a query, from one of those on that are counted. */
interface Window {
  readonly query: Counted;
  readonly first: number;
  readonly count: number;
  /** Where its counts belong. */
  readonly into: Int32Array;
}

/** A window in what is counted together: where its QUERY and its counts are, in words. */
interface Placed extends Window {
  readonly struct: number;
  readonly out: number;
}

export class GpuCounter implements RowCounter {
  readonly #device: Device;
  readonly #slabs: readonly Slab[];
  readonly #magnitudesOf: CodedRows["magnitudes"];
  /** What members are drawn with, by the number of dimensions. */
  readonly #magnitudes = new Map<number, Memory>();
  /** Words of a buffer. */
  readonly #most: number;
  readonly #linesBytes: number;

  /** @param mostBytes of a buffer, and of lines */
  constructor(device: Device, rows: CodedRows, mostBytes = device.mostBytes) {
    this.#device = device;
    this.#most = Math.floor(mostBytes / 4);
    this.#linesBytes = Math.min(mostBytes, LINES_BYTES);
    this.#magnitudesOf = rows.magnitudes;
    this.#slabs = slabsOf(device, rows, this.#most);
  }

  async count(queries: readonly Uint32Array[]): Promise<Int32Array[]> {
    const counted = queries.map((words) => new Counted(words));
    const results = counted.map(({ cells }) => new Int32Array(cells));
    const kernels = await this.#kernels(counted);
    const windows = counted.flatMap((query, at) => windowsOf(query, results[at], this.#most));
    for (const together of this.#batches(windows)) await this.#run(together, kernels);
    return results;
  }

  close(): void {
    for (const { memory, sorted } of this.#slabs) {
      memory.destroy();
      sorted.destroy();
    }
    for (const memory of this.#magnitudes.values()) memory.destroy();
  }

  /** The kernels of these queries, by their kinds. */
  async #kernels(queries: readonly Counted[]): Promise<Kernels> {
    const kinds = [...new Set(queries.map(({ kind }) => kind))];
    const load = async (code: string) => (await this.#device.kernels(code, ["main"])).main;
    const lines = kinds.includes(KIND_HALF_SPACES) ? await load(linesCode) : undefined;
    const loaded = kinds.map(async (kind) => [kind, await load(CODE[kind])] as const);
    return { lines, of: new Map(await Promise.all(loaded)) };
  }

  /** Windows whose structs, and whose counts, fit a buffer together. */
  *#batches(windows: readonly Window[]): Generator<Placed[]> {
    let placed: Placed[] = [];
    let [structs, out] = [0, 0];
    for (const window of windows) {
      const { words } = window.query;
      if (placed.length && Math.max(structs + words.length, out + window.count) > this.#most) {
        yield placed;
        placed = [];
        structs = out = 0;
      }
      placed.push({ ...window, struct: structs, out });
      structs += words.length;
      out += window.count;
    }
    if (placed.length) yield placed;
  }

  /**
   * Counts windows. All memory is there before the first command: were it refused later, commands would be left that
   * speak of memory given back.
   */
  async #run(windows: readonly Placed[], kernels: Kernels): Promise<void> {
    const device = this.#device;
    const last = windows[windows.length - 1];
    const words = new Uint32Array(last.struct + last.query.words.length);
    for (const { query, struct } of windows) words.set(query.words, struct);
    for (const { query } of windows) this.#place(query);
    const memories: Memory[] = [];
    const kept = (memory: Memory) => {
      memories.push(memory);
      return memory;
    };
    try {
      const structs = kept(device.place(words));
      const counts = kept(device.reserve(last.out + last.count));
      const lineWords = windows.map((window) => this.#lineWords(window)).reduce((a, b) => Math.max(a, b), 0);
      const lines = kept(device.reserve(lineWords));
      for (const window of windows) this.#add(window, kernels, structs, counts, lines);
      const read = await device.read(counts, new Int32Array(last.out + last.count));
      for (const { query, first, count, into, out } of windows)
        into.set(read.subarray(out, out + count), query.cells - query.finest + first);
    } finally {
      for (const memory of memories) memory.destroy();
    }
  }

  /** Places what members are drawn with. */
  #place({ kind, words, dimensions }: Counted): void {
    if (kind === KIND_HALF_SPACES && !this.#magnitudes.has(dimensions))
      this.#magnitudes.set(dimensions, this.#device.place(this.#magnitudesOf(words)));
  }

  /** Adds the commands that count a window. */
  #add(window: Placed, kernels: Kernels, structs: Memory, counts: Memory, lines: Memory): void {
    const { query, first, count, struct } = window;
    const { kind, each, coordinates, dimensions } = query;
    const kernel = kernels.of.get(kind)!;
    const from = Math.floor(first / each);
    const to = Math.ceil((first + count) / each);
    if (kind !== KIND_HALF_SPACES) {
      const tiles = kind === KIND_TABLE ? 1 : Math.ceil((to - from) / BOXES);
      this.#addSlabs(window, kernel, [structs, counts], { tiles });
      return;
    }
    const most = this.#membersOf(window);
    for (let member = from; member < to; member += most) {
      const tiles = Math.ceil(Math.min(most, to - member) / TILE);
      const width = (TILE * tiles) / MEMBERS;
      this.#device.run(
        kernels.lines!,
        [struct, 0, 0, 0, 0, 0, 0, 0, 0, member, width, coordinates],
        [structs, this.#magnitudes.get(dimensions)!, lines],
        Math.ceil((2 * width * (coordinates + MORE_LINES)) / LINE_LANES),
      );
      this.#addSlabs(window, kernel, [structs, counts, lines], { tiles, member, width });
    }
  }

  /** Counts all slabs: for each chunk of their rows, there is a workgroup for each tile of boxes or members. */
  #addSlabs(
    { query, struct, first, count, out }: Placed,
    kernel: Kernel,
    [structs, counts, ...lines]: readonly Memory[],
    { tiles, member = 0, width = 0 }: { tiles: number; member?: number; width?: number },
  ): void {
    const isTable = query.kind === KIND_TABLE;
    for (const slab of this.#slabs) {
      if (!isTable) sort(this.#device, slab, query);
      const times = Math.ceil((slab.rows * tiles) / (BUSY * CHUNK_ROWS));
      const chunk = isTable ? TABLE_ROWS : CHUNK_ROWS * Math.min(4, times);
      const chunks = Math.ceil(slab.rows / chunk);
      const groups = tiles * chunks;
      this.#device.run(
        kernel,
        [
          ...[struct, slab.rows, slab.stride, first, count, out],
          ...[groups, chunks, chunk, member, width, query.coordinates],
        ],
        [structs, slab.memory, counts, ...(isTable ? [] : [slab.sorted]), ...lines],
        groups,
      );
    }
  }

  /** How many members of a window get lines together. */
  #membersOf({ query: { each, coordinates }, first, count }: Window): number {
    const asked = Math.ceil((first + count) / each) - Math.floor(first / each);
    const fitting = Math.floor(this.#linesBytes / (2 * (coordinates + MORE_LINES)) / TILE);
    return TILE * Math.min(Math.ceil(asked / TILE), Math.max(1, fitting));
  }

  /** The words of their lines. */
  #lineWords(window: Window): number {
    if (window.query.kind !== KIND_HALF_SPACES) return 0;
    return ((window.query.coordinates + MORE_LINES) * this.#membersOf(window)) / 2;
  }
}

const CODE: Readonly<Record<number, string>> = {
  [KIND_TABLE]: marginalCode,
  [KIND_RANGES]: rangesCode,
  [KIND_HALF_SPACES]: halfSpacesCode,
};

/** Kernels by the kind of queries, and the one that draws lines, if there are half-spaces. */
interface Kernels {
  readonly of: ReadonlyMap<number, Kernel>;
  readonly lines: Kernel | undefined;
}

/** As many windows as it takes for each to fit a buffer. */
function windowsOf(query: Counted, into: Int32Array, most: number): Window[] {
  return Array.from({ length: Math.ceil(query.finest / most) }, (_, at) => {
    const first = at * most;
    return { query, first, count: Math.min(most, query.finest - first), into };
  });
}

function slabsOf(device: Device, { codes, rows }: CodedRows, most: number): Slab[] {
  const size = Math.max(2, Math.min(rows, 2 * Math.floor(most / Math.max(2, codes.length))));
  return Array.from({ length: Math.ceil(rows / size) }, (_, at): Slab => {
    const own = codes.map((column) => column.subarray(at * size, (at + 1) * size));
    const held = Math.min(size, rows - at * size);
    const stride = Math.ceil(held / 2);
    const packed = new Uint16Array(2 * stride * Math.max(1, codes.length));
    for (const [column, values] of own.entries()) packed.set(values, 2 * stride * column);
    const memory = device.place(new Uint32Array(packed.buffer));
    const sorted = device.place(Uint32Array.from({ length: held }, (_, row) => row));
    return { rows: held, codes: own, stride, memory, sorted, cells: "" };
  });
}

/** Sorts a slab's rows by the cells of a query. Without cells, any order will do. */
function sort(device: Device, slab: Slab, { divided }: Counted): void {
  const cells = divided.map(({ column }) => column).join();
  if (!divided.length || slab.cells === cells) return;
  slab.cells = cells;
  device.write(slab.sorted, sortedByCell(divided, slab.codes, slab.rows));
}
