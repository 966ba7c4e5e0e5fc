import type { Attribute } from "../domain/attribute.js";
import type { Instance } from "../engine/instance.js";
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
    const pointers = columns.map((column, at) => {
      const codes = this.#codes[at];
      const pointer = engine.place(codes ? column.map((value) => codes[value]) : column);
      engine.exports.capCodes(pointer, rows, this.attributes[at].size - 1);
      return pointer;
    });
    engine.write(table, Uint32Array.from(pointers));
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
