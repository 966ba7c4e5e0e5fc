import type { Attribute } from "../domain/attribute.js";
import type { Instance } from "../engine/instance.js";
import * as layout from "../engine/layout.js";
import { Struct } from "../engine/struct.js";
import { codesOfCells } from "../queries/cells.js";
import type { Query } from "../queries/query.js";
import type { PublicTable } from "./model.js";

/** The density that rows follow. */
export const ITERATES = ["last", "average", "best"] as const;
export type Iterate = (typeof ITERATES)[number];

interface PlacedTable {
  readonly pointer: number;
  readonly cells: number;
}

/**
 * A density over some columns, in an engine (assembly/density/): over all combinations of their codes, or over public
 * rows. Columns of one code are left out, since they say nothing.
 */
export class DensityPart {
  readonly #engine: Instance;
  readonly #attributes: readonly Attribute[];
  /** The columns of the axes, in the order of the axes. */
  readonly #axes: readonly number[];
  readonly #tables = new Map<string, PlacedTable>();
  readonly #density: number;
  readonly #isGiven: boolean;
  #measured = 0;
  #room = 0;

  /**
   * @param columns its columns, ascending
   * @param queries those that it answers, all of them marginals of its columns or cells of such
   * @throws {StandinError} `engine/memory`
   */
  constructor(
    engine: Instance,
    attributes: readonly Attribute[],
    readonly columns: readonly number[],
    queries: readonly Query[],
    iterate: Iterate,
    publicTable: PublicTable | undefined,
  ) {
    this.#engine = engine;
    this.#attributes = attributes;
    this.#isGiven = publicTable !== undefined;
    const axes = columns.filter((column) => attributes[column].size > 1);
    // The largest first: what is summed out first then leaves the fewest sums.
    this.#axes = publicTable ? axes : axes.sort((a, b) => attributes[b].size - attributes[a].size || a - b);
    const sizes = Uint32Array.from(this.#axes, (column) => attributes[column].size);
    const points = publicTable ? publicTable.rows : sizes.reduce((product, size) => product * size, 1);
    for (const query of queries) this.#placeTable(query);
    const tables = [...this.#tables.values()];
    const most = tables.reduce((most, { cells }) => Math.max(most, cells), 0);
    const struct = new Struct(layout.DENSITY_BYTES);
    struct.u32(layout.DENSITY_POINTS, points);
    struct.u32(layout.DENSITY_WIDTH, sizes.length);
    struct.u32(layout.DENSITY_SIZES, engine.place(sizes));
    if (publicTable) {
      const codes = this.#axes.map((column) => engine.place(publicTable.codes[column]));
      struct.u32(layout.DENSITY_CODES, engine.place(Uint32Array.from(codes)));
    }
    struct.u32(layout.DENSITY_TABLES, engine.place(Uint32Array.from(tables, ({ pointer }) => pointer)));
    struct.u32(layout.DENSITY_TABLE_COUNT, tables.length);
    struct.u32(layout.DENSITY_WEIGHTS, engine.alloc(8 * points));
    if (iterate === "average") struct.u32(layout.DENSITY_SUMS, engine.alloc(8 * points));
    if (iterate === "best") struct.u32(layout.DENSITY_BEST, engine.alloc(8 * points));
    struct.u32(layout.DENSITY_SCRATCH, engine.alloc((publicTable ? 12 : 8) * points));
    struct.u32(layout.DENSITY_LISTS, engine.alloc(4 * (sizes.length + 2) * tables.length));
    struct.u32(layout.DENSITY_FACTORS, engine.alloc(16 * most));
    this.#density = engine.place(struct.bytes);
    engine.exports.densityOpen(this.#density);
  }

  /** The bytes that a density over so many points takes at most, without what was measured. */
  static bytes(attributes: readonly Attribute[], queries: readonly Query[], points: number, given: boolean): number {
    const width = attributes.length;
    const cells = queries.map(({ columns }) => columns.reduce((product, at) => product * attributes[at].size, 1));
    const tables = cells.reduce((sum, size) => sum + 24 * size + 4 * width + 200, 0);
    const most = cells.reduce((most, size) => Math.max(most, size), 0);
    return points * (given ? 2 * width + 28 : 24) + tables + 16 * most + (given ? errorBytes(width) : 0);
  }

  /**
   * Adds what was measured, without an update. Returns its number.
   * @param fractions noisy answers, as fractions of the rows
   * @param slack how far from them answers may be, 0 or more
   */
  measure(query: Query, fractions: Float64Array, slack: number): number {
    const engine = this.#engine;
    const table = this.#tables.get(this.#keyOf(query))!;
    const isCell = query.kind === "ranges";
    const targets = engine.place(fractions);
    if (!isCell && !this.#isGiven) this.#project(targets, fractions.length);
    if (this.#measured === this.#room) this.#grow();
    const list = engine.readU32(this.#density + layout.DENSITY_MEASURED, 1)[0];
    const cell = isCell ? this.#cellOf(query) : layout.ALL_CELLS;
    const struct = new Struct(layout.MEASURED_BYTES);
    struct.u32(layout.MEASURED_TABLE, table.pointer);
    struct.u32(layout.MEASURED_CELL, cell);
    struct.u32(layout.MEASURED_TARGETS, targets);
    struct.f64(layout.MEASURED_SLACK, slack);
    engine.write(list + layout.MEASURED_BYTES * this.#measured, struct.bytes);
    engine.write(table.pointer + layout.TABLE_IS_MEASURED, Uint32Array.of(1));
    return this.#measured++;
  }

  /** As `shrinkAnswers` (assembly/density/shrunk-answers.ts). */
  shrink(index: number, total: number, noise: number): void {
    this.#engine.exports.shrinkAnswers(this.#density, index, total, noise);
  }

  /** From now on, its answers may be that far from what was measured. */
  allow(index: number, slack: number): void {
    const engine = this.#engine;
    const list = engine.readU32(this.#density + layout.DENSITY_MEASURED, 1)[0];
    engine.write(list + layout.MEASURED_BYTES * index + layout.MEASURED_SLACK, Float64Array.of(slack));
  }

  /** Makes its answers to one thing that was measured right. */
  projectOne(index: number): void {
    this.#engine.exports.projectOne(this.#density, index);
  }

  /** As `multiplyWeights` (assembly/density/multiplicative-weights.ts). */
  multiply(index: number, hasPast: boolean, repeats: number, seed: number): void {
    this.#engine.exports.multiplyWeights(this.#density, index, hasPast, repeats, seed);
  }

  /** As `projectEntropy` (assembly/density/entropy-projection.ts). */
  project(count: number, most: number, tolerance: number): void {
    this.#engine.exports.projectEntropy(this.#density, count, most, tolerance);
  }

  /** Σ (error)² of all that was measured, in fractions. */
  loss(): number {
    return this.#engine.exports.densityLoss(this.#density, this.#measured);
  }

  /** Its answers to marginals, as whole counts of a table with `total` rows. */
  answers(queries: readonly Query[], total: number): Int32Array[] {
    const engine = this.#engine;
    const found = queries.map((query) => this.#tables.get(this.#keyOf(query)));
    const own = found.flatMap((table) => table ?? []);
    const cells = own.reduce((sum, table) => sum + table.cells, 0);
    const counts = engine.scratch(() => {
      const out = engine.alloc(Math.max(1, 4 * cells));
      const tables = engine.place(Uint32Array.from(own, ({ pointer }) => pointer));
      engine.exports.densityAnswers(this.#density, tables, own.length, total, out);
      return engine.readI32(out, cells);
    });
    let next = 0;
    return found.map((table) => {
      if (!table) return Int32Array.of(Math.round(total));
      next += table.cells;
      return counts.subarray(next - table.cells, next);
    });
  }

  /**
   * Codes of rows that follow the density, in the order of the columns.
   * @param part its number among all that are drawn with the seed
   */
  rows(iterate: Iterate, rows: number, seed: number, part: number): Uint16Array[] {
    const engine = this.#engine;
    const which = [layout.DENSITY_LAST, layout.DENSITY_AVERAGE, layout.DENSITY_BEST_ITERATE][ITERATES.indexOf(iterate)];
    return engine.scratch(() => {
      const slots = this.#isGiven ? errorBytes(this.#axes.length) : 0;
      const [points, codes, errors] = engine.reserve([4 * rows, 2 * rows, slots]);
      engine.exports.densityPoints(this.#density, which, rows, seed, part, points, errors);
      return this.columns.map((column) => {
        const axis = this.#axes.indexOf(column);
        if (axis < 0) return new Uint16Array(rows);
        engine.exports.pointCodes(this.#density, points, rows, axis, codes);
        return engine.readU16(codes, rows);
      });
    });
  }

  #keyOf({ columns }: Query): string {
    return columns.filter((column) => this.#attributes[column].size > 1).join();
  }

  /** The table of a query's columns, in the order of the query's cells. */
  #placeTable({ columns }: Query): void {
    const key = this.#keyOf({ columns } as Query);
    if (!key || this.#tables.has(key)) return;
    let cells = 1;
    const strides = new Map<number, number>();
    for (const column of [...columns].reverse()) {
      strides.set(column, cells);
      cells *= this.#attributes[column].size;
    }
    const axes = this.#axes.flatMap((column, axis) => (strides.has(column) ? [axis, strides.get(column)!] : []));
    const words = new Uint32Array(layout.TABLE_BYTES / 4 + axes.length);
    words[layout.TABLE_CELLS / 4] = cells;
    words[layout.TABLE_ORDER / 4] = axes.length / 2;
    words[layout.TABLE_AT / 4] = this.#engine.alloc(8 * cells);
    words.set(axes, layout.TABLE_BYTES / 4);
    this.#tables.set(key, { pointer: this.#engine.place(words), cells });
  }

  /** The place of a cell in the table of its columns. */
  #cellOf(query: Query): number {
    const codes = codesOfCells(query, this.#attributes, 0, 1);
    return query.columns.reduce((cell, column, at) => cell * this.#attributes[column].size + codes[at], 0);
  }

  #project(values: number, count: number): void {
    const engine = this.#engine;
    engine.scratch(() => {
      const [order, scratch] = engine.reserve([4 * count, 16 * count]);
      engine.exports.projectOnSimplex(values, count, 1, order, scratch);
    });
  }

  /** Makes room for twice as much that was measured. */
  #grow(): void {
    const engine = this.#engine;
    const old = engine.readU32(this.#density + layout.DENSITY_MEASURED, 1)[0];
    this.#room = Math.max(64, 2 * this.#room);
    const list = engine.alloc(layout.MEASURED_BYTES * this.#room);
    if (this.#measured) engine.exports.copy(old, list, layout.MEASURED_BYTES * this.#measured);
    engine.write(this.#density + layout.DENSITY_MEASURED, Uint32Array.of(list));
  }
}

/** What rounding weights of given rows takes. */
const errorBytes = (width: number) => 8 * layout.ERROR_SLOTS + 4 * width;
