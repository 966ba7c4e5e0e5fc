import type { Attribute } from "../domain/attribute.js";
import type { Instance } from "../engine/wasm.js";
import type { Query } from "./query.js";
import { writeQuery } from "./struct.js";

/** Rows in one instance's memory, in blocks of up to BLOCK_ROWS rows. Each block has one u16 array per column. */
export class RowBlocks {
  readonly #blocks: { table: number; rows: number }[] = [];
  readonly #codes: readonly (Uint16Array | undefined)[];

  /**
   * @param codes for each attribute, the code that each value of its column stands for, or undefined where a value is
   * its own code. Values that are not codes are replaced by one, so that no row can count outside a query's cells
   */
  constructor(
    readonly engine: Instance,
    readonly attributes: readonly Attribute[],
    codes: readonly (Uint16Array | undefined)[] = [],
  ) {
    this.#codes = codes;
  }

  /**
   * Copies up to BLOCK_ROWS rows into the instance, given as one array per column. Values that do not stand for a code
   * become one of the codes.
   */
  append(columns: readonly Uint16Array[]): void {
    const { engine } = this;
    const table = engine.alloc(4 * columns.length);
    const rows = columns[0].length;
    columns.forEach((column, at) => {
      const pointer = engine.alloc(2 * rows);
      const into = engine.u16(pointer, rows);
      const codes = this.#codes[at];
      if (codes) for (let row = 0; row < rows; row++) into[row] = codes[column[row]];
      else into.set(column);
      engine.exports.capCodes(pointer, rows, this.attributes[at].size - 1);
      engine.u32(table, columns.length)[at] = pointer;
    });
    this.#blocks.push({ table, rows });
  }

  /**
   * Adds every row to the zeroed i32 answers at `counts`. For a tree, only the finest level is counted (the engine's
   * answerLevels sums the others).
   */
  count(query: Query, counts: number): void {
    const struct = writeQuery(this.engine, query, this.attributes);
    for (const { table, rows } of this.#blocks) this.engine.exports.answerRows(struct, table, rows, counts);
  }
}
