import type { Query } from "../queries/query.js";
import type { Attribute } from "../schema/schema.js";
import { writeQuery } from "./query-struct.js";
import type { Instance } from "./wasm.js";

/** Rows in one instance's memory: blocks of up to BLOCK_ROWS rows, each block one u16 array a column. */
export class RowBlocks {
  readonly #blocks: { table: number; rows: number }[] = [];

  constructor(
    readonly engine: Instance,
    readonly attributes: readonly Attribute[],
  ) {}

  /**
   * Copies up to BLOCK_ROWS rows in: `codes` holds one array a column. Whatever is no code of its column becomes one, so that no row can
   * count outside a query's cells.
   */
  append(codes: readonly Uint16Array[]): void {
    const { engine } = this;
    const table = engine.alloc(4 * codes.length);
    const rows = codes[0].length;
    codes.forEach((column, at) => {
      const pointer = engine.alloc(2 * rows);
      const into = engine.u16(pointer, rows);
      const last = this.attributes[at].size - 1;
      for (let row = 0; row < rows; row++) into[row] = Math.min(column[row], last);
      engine.u32(table, codes.length)[at] = pointer;
    });
    this.#blocks.push({ table, rows });
  }

  /** Counts every row into the zeroed i32 cells at `counts`; of a tree only the finest level (the engine's answerLevels sums the others). */
  count(query: Query, counts: number): void {
    const struct = writeQuery(this.engine, query, this.attributes);
    for (const { table, rows } of this.#blocks) this.engine.exports.answerRows(struct, table, rows, counts);
  }
}
