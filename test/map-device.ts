import type { SearchDevice, SearchTables } from "../src/core/search-device.js";
import {
  MAP_ACTIVE,
  MAP_AXIS,
  MAP_AXIS_COLUMN,
  MAP_AXIS_STRIDE,
  MAP_AXIS_TREE,
  MAP_COLUMN,
  MAP_COLUMN_FIRST,
  MAP_COLUMN_INDEX,
  MAP_COLUMN_LEVELS,
  MAP_COLUMN_LINKS,
  MAP_COLUMN_SIZE,
  MAP_COLUMN_TREE,
  MAP_COPIES,
  MAP_COPY_AXES,
  MAP_COPY_LEVELS,
  MAP_COPY_ORDER,
  MAP_COPY_TABLE,
  MAP_FIRST_COPY,
  MAP_HEAD,
  MAP_UNIT,
  MAP_WIDTH,
  TREE_LEAVES,
  TREE_LEVELS,
} from "../src/engine/layout.js";

const sharedLevels = (a: number, b: number): number => Math.max(0, Math.clz32(a ^ b) - (32 - TREE_LEVELS));

/** The codes that share a level with `code`. */
function near(code: number): number[] {
  const half = TREE_LEAVES / 2;
  if (code === TREE_LEAVES) return [code];
  return Array.from({ length: half }, (_, at) => Math.floor(code / half) * half + at);
}

interface Axis {
  readonly column: number;
  readonly stride: number;
  readonly isTree: boolean;
}

/** A device that knows of the search only what its MAP says. */
export class MapDevice implements SearchDevice {
  readonly #map: Uint32Array;
  readonly #residuals: Int32Array;
  readonly #codes: Uint16Array;
  /** The axes of each copy. */
  readonly #axes: ReadonlyMap<number, readonly Axis[]>;
  isClosed = false;

  constructor({ map, residuals, codes }: SearchTables) {
    this.#map = map;
    this.#residuals = residuals;
    this.#codes = codes;
    const copies = map.subarray(map[MAP_FIRST_COPY], map[MAP_FIRST_COPY] + map[MAP_COPIES]);
    this.#axes = new Map([...copies].map((copy) => [copy, this.#axesOf(copy)]));
  }

  async findMoves(rows: Uint32Array): Promise<Uint32Array> {
    const active = this.#map[MAP_ACTIVE];
    const words = Math.ceil(active / 32);
    const found = new Uint32Array(rows.length * words);
    for (const [at, row] of rows.entries())
      for (let index = 0; index < active; index++)
        if (this.#hasMove(row, MAP_HEAD + index * MAP_COLUMN)) found[at * words + (index >> 5)] |= 1 << (index & 31);
    return found;
  }

  async score(candidates: Uint32Array): Promise<BigInt64Array> {
    const map = this.#map;
    const columns = Array.from({ length: map[MAP_ACTIVE] }, (_, index) => MAP_HEAD + index * MAP_COLUMN);
    return BigInt64Array.from({ length: candidates.length / 3 }, (_, at) => {
      const [row, column, value] = candidates.subarray(3 * at);
      const entry = columns.find((place) => map[place + MAP_COLUMN_INDEX] === column)!;
      const codes = this.#rowOf(row);
      const scores = this.#scores(codes, entry);
      return codes[column] === value ? 0n : 2n * BigInt(map[MAP_UNIT]) * BigInt(scores.stay - scores.of(value));
    });
  }

  change(rows: Uint32Array, codes: Uint16Array): void {
    const width = this.#map[MAP_WIDTH];
    for (const [at, row] of rows.entries()) {
      const next = codes.subarray(at * width, (at + 1) * width);
      this.#add(this.#rowOf(row), this.#map[MAP_UNIT]);
      this.#add(next, -this.#map[MAP_UNIT]);
      this.#rowOf(row).set(next);
    }
  }

  close(): void {
    this.isClosed = true;
  }

  #hasMove(row: number, column: number): boolean {
    const scores = this.#scores(this.#rowOf(row), column);
    for (let code = 0; code < this.#map[column + MAP_COLUMN_SIZE]; code++)
      if (scores.of(code) > scores.stay) return true;
    return false;
  }

  #rowOf(row: number): Uint16Array {
    const width = this.#map[MAP_WIDTH];
    return this.#codes.subarray(row * width, (row + 1) * width);
  }

  /** Of the codes of a MAP_COLUMN, the higher the better; and of the present one, if it stays. */
  #scores(codes: Uint16Array, column: number): { readonly of: (code: number) => number; readonly stay: number } {
    const map = this.#map;
    const own = codes[map[column + MAP_COLUMN_INDEX]];
    const isTree = map[column + MAP_COLUMN_TREE] !== 0;
    const links = map[column + MAP_COLUMN_LINKS];
    const lines = Array.from({ length: links }, (_, link) =>
      this.#lineOf(map[map[column + MAP_COLUMN_FIRST] + link], codes),
    );
    const scoreOf = (code: number) =>
      lines.reduce(
        (sum, line) => sum + this.#residuals[line + code],
        isTree ? map[MAP_UNIT] * links * sharedLevels(own, code) : 0,
      );
    return { of: scoreOf, stay: scoreOf(own) + (isTree ? 0 : map[MAP_UNIT] * map[column + MAP_COLUMN_LEVELS]) };
  }

  /** Where the row's line in a copy begins. */
  #lineOf(copy: number, codes: Uint16Array): number {
    let line = this.#map[copy + MAP_COPY_TABLE];
    for (const { column, stride } of this.#axes.get(copy)!) if (stride > 1) line += codes[column] * stride;
    return line;
  }

  #axesOf(copy: number): Axis[] {
    const map = this.#map;
    return Array.from({ length: map[copy + MAP_COPY_ORDER] }, (_, axis) => {
      const at = copy + MAP_COPY_AXES + axis * MAP_AXIS;
      return {
        column: map[at + MAP_AXIS_COLUMN],
        stride: map[at + MAP_AXIS_STRIDE],
        isTree: map[at + MAP_AXIS_TREE] !== 0,
      };
    });
  }

  /** Adds to what the row's cells hold in all copies of all tables. */
  #add(codes: Uint16Array, amount: number): void {
    const map = this.#map;
    for (const [copy, axes] of this.#axes) {
      let cells = [{ at: map[copy + MAP_COPY_TABLE], shared: map[copy + MAP_COPY_LEVELS] }];
      for (const { column, stride, isTree } of axes) {
        const own = codes[column];
        cells = cells.flatMap(({ at, shared }) =>
          isTree
            ? near(own).map((code) => ({ at: at + code * stride, shared: Math.min(shared, sharedLevels(own, code)) }))
            : [{ at: at + own * stride, shared }],
        );
      }
      for (const { at, shared } of cells) this.#residuals[at] += amount * shared;
    }
  }
}
