import type { Instance } from "../src/engine/instance.js";
import * as layout from "../src/engine/layout.js";
import { Struct } from "../src/engine/struct.js";
import type { Measured } from "./reference/weights.js";

/** A density in an engine, with tables of these axes, and pointers to its parts. */
export function placeDensity(
  engine: Instance,
  sizes: readonly number[],
  axesOfTables: readonly (readonly number[])[],
  given?: readonly (readonly number[])[],
) {
  const points = given?.length ?? sizes.reduce((product, size) => product * size, 1);
  const cellsOf = (axes: readonly number[]) => axes.reduce((cells, axis) => cells * sizes[axis], 1);
  const tables = axesOfTables.map((axes) => {
    const words = new Uint32Array(layout.TABLE_BYTES / 4 + 2 * axes.length);
    words[layout.TABLE_CELLS / 4] = cellsOf(axes);
    words[layout.TABLE_ORDER / 4] = axes.length;
    words[layout.TABLE_AT / 4] = engine.alloc(8 * cellsOf(axes));
    words.set(
      axes.flatMap((axis, at) => [axis, cellsOf(axes.slice(at + 1))]),
      layout.TABLE_BYTES / 4,
    );
    return engine.place(words);
  });
  const [weights, sums, best, scratch] = [8, 8, 8, 12].map((bytes) => engine.alloc(bytes * points));
  const struct = new Struct(layout.DENSITY_BYTES);
  const fields: [number, number][] = [
    [layout.DENSITY_POINTS, points],
    [layout.DENSITY_WIDTH, sizes.length],
    [layout.DENSITY_SIZES, engine.place(Uint32Array.from(sizes))],
    [layout.DENSITY_TABLES, engine.place(Uint32Array.from(tables))],
    [layout.DENSITY_TABLE_COUNT, tables.length],
    [layout.DENSITY_WEIGHTS, weights],
    [layout.DENSITY_SUMS, sums],
    [layout.DENSITY_BEST, best],
    [layout.DENSITY_SCRATCH, scratch],
    [layout.DENSITY_LISTS, engine.alloc(4 * (sizes.length + 2) * tables.length)],
    [layout.DENSITY_FACTORS, engine.alloc(16 * Math.max(...axesOfTables.map(cellsOf)))],
  ];
  for (const [at, value] of fields) struct.u32(at, value);
  if (given) {
    const codes = sizes.map((_, axis) => engine.place(Uint16Array.from(given, (point) => point[axis])));
    struct.u32(layout.DENSITY_CODES, engine.place(Uint32Array.from(codes)));
  }
  const density = engine.place(struct.bytes);
  engine.exports.densityOpen(density);
  return { density, tables, weights, sums, best, points };
}

/** Gives a density what was measured. */
export function placeMeasured(
  engine: Instance,
  { density, tables }: ReturnType<typeof placeDensity>,
  axesOfTables: readonly (readonly number[])[],
  measured: readonly Measured[],
): void {
  const list = engine.alloc(layout.MEASURED_BYTES * measured.length);
  for (const [at, { axes, cell, targets, slack }] of measured.entries()) {
    const table = tables[axesOfTables.findIndex((own) => own.join() === axes.join())];
    const struct = new Struct(layout.MEASURED_BYTES);
    struct.u32(layout.MEASURED_TABLE, table);
    struct.u32(layout.MEASURED_CELL, cell ?? layout.ALL_CELLS);
    struct.u32(layout.MEASURED_TARGETS, engine.place(Float64Array.from(targets)));
    struct.f64(layout.MEASURED_SLACK, slack);
    engine.write(list + at * layout.MEASURED_BYTES, struct.bytes);
    engine.write(table + layout.TABLE_IS_MEASURED, Uint32Array.of(1));
  }
  engine.write(density + layout.DENSITY_MEASURED, Uint32Array.of(list));
}
