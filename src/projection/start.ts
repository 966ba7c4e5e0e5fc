import type { Attribute } from "../domain/attribute.js";
import { leafStarts } from "../domain/grid.js";
import { Calls } from "../engine/calls.js";
import { Instance } from "../engine/instance.js";

/** How a column is filled before a search: on its own, or given the codes of a column that was filled earlier. */
export interface StartColumn {
  readonly column: number;
  /** The column that it depends on. */
  readonly parent?: number;
  /**
   * Weights of its codes, 0 or more: one per code or, with a parent, one per code for each code of the parent. If all
   * are 0, the codes are equally frequent.
   */
  readonly weights: Float64Array;
}

/**
 * Fills columns with codes in proportion to their weights, as exactly as whole rows allow (systematic sampling), in
 * random order. With a parent, this is done separately for the rows of each of the parent's codes.
 * @param start each column after its parent
 * @param columns pointers to the u16 codes of all columns, `rows` codes each
 * @param sizes the number of codes of each column
 */
export function startColumns(
  engine: Instance,
  start: readonly StartColumn[],
  columns: readonly number[],
  sizes: readonly number[],
  rows: number,
  seed: number,
): void {
  engine.scratch(() => {
    const weights = engine.placeAll(start.map((from) => from.weights));
    const groups = start.map((from) => from.weights.length / sizes[from.column]);
    const most = groups.reduce((a, b) => Math.max(a, b), 0);
    const [codes, starts, order, keys] = engine.reserve([2 * rows, 4 * most, 4 * rows, 4 * rows]);
    const calls = new Calls(engine);
    for (const [at, { column, parent }] of start.entries()) {
      const size = sizes[column];
      const given = parent === undefined ? 0 : keys;
      if (parent !== undefined) {
        calls.add("clear", keys, 4 * rows);
        calls.add("addRowKeys", columns[parent], rows, 1, keys);
      }
      calls.add("quotaCodes", weights[at], groups[at], size, given, rows, seed, column, codes, starts);
      calls.add("startColumn", columns[column], rows, given, codes, starts, order, seed, column);
    }
    calls.run();
  });
}

/**
 * Gives each row of columns with fine codes a uniform code of its cell. Other columns are left alone.
 * @param filled the columns that hold cells
 */
export function refineColumns(
  engine: Instance,
  filled: readonly number[],
  attributes: readonly Attribute[],
  columns: readonly number[],
  rows: number,
  seed: number,
): void {
  for (const column of filled) {
    const { fine } = attributes[column];
    if (fine === undefined) continue;
    // Streams after those with which points are drawn and rows are repaired.
    const stream = 2 * attributes.length + column;
    engine.scratch(() => {
      const starts = leafStarts(fine);
      const calls = new Calls(engine);
      const cells = columns[column];
      calls.add(
        "drawPoints",
        ...([cells, 2, cells, rows, engine.place(starts), starts.length, fine, fine, seed, stream] as const),
      );
      calls.run();
    });
  }
}

/**
 * So many of some rows, in random order: a sample without replacement where there are more, each of them equally often
 * (to one) where there are fewer.
 * @param table codes, one array per attribute, of at least one row
 */
export function sampledRows(table: readonly Uint16Array[], rows: number, seed: number): Uint16Array[] {
  const instance = new Instance();
  const count = table[0]?.length ?? 0;
  const order = instance.alloc(4 * count);
  instance.scratch(() => instance.exports.sampleOrder(order, count, seed, instance.alloc(16 * count)));
  const sampled = table.map((column) =>
    instance.scratch(() => {
      const taken = instance.alloc(2 * rows);
      instance.exports.takeRows(instance.place(column), order, count, taken, rows);
      return instance.readU16(taken, rows);
    }),
  );
  instance.drop();
  return sampled;
}
