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
 * Fills a column with codes in proportion to their weights, as exactly as whole rows allow (systematic sampling), in
 * random order. With a parent, this is done separately for the rows of each of the parent's codes.
 * @param columns pointers to the u16 codes of all columns, `rows` codes each
 * @param size the number of codes of the column
 */
export function startColumn(
  instance: Instance,
  { column, parent, weights }: StartColumn,
  columns: readonly number[],
  rows: number,
  size: number,
  seed: number,
): void {
  const { exports: engine } = instance;
  const given = parent === undefined ? 0 : columns[parent];
  instance.scratch(() => {
    const groups = weights.length / size;
    const [codes, starts, order] = [2 * rows, 4 * groups, 4 * rows].map((bytes) => instance.alloc(bytes));
    engine.quotaCodes(instance.place(weights), groups, size, given, rows, seed, column, codes, starts);
    engine.startColumn(columns[column], rows, given, codes, starts, order, seed, column);
  });
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
