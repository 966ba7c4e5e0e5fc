import { type Attribute, codesOf } from "../domain/attribute.js";
import type { Calls } from "../engine/calls.js";
import type { Instance } from "../engine/instance.js";
import { BLOCK_ROWS } from "../engine/layout.js";
import { type ModelColumn, writeModelCodes } from "../engine/model-codes.js";

/** Up to BLOCK_ROWS rows in an instance's memory. */
export interface RowBlock {
  /** Pointer to the pointers to its columns. */
  readonly table: number;
  /** Pointers to the u16 codes of each column. */
  readonly columns: readonly number[];
  /** May become fewer. */
  rows: number;
}

/** Writes the rows of a table, one column per attribute, into blocks with room for them. */
export function fillBlocks(
  engine: Instance,
  blocks: readonly RowBlock[],
  columns: readonly ModelColumn[],
  rows: number,
): void {
  const places = columns.map((_, at) => blocks.map((block) => block.columns[at]));
  writeModelCodes(engine, columns, places, rows);
}

/** Rows in one instance's memory, in blocks. Each block has one u16 array per column. */
export class RowBlocks {
  readonly blocks: RowBlock[] = [];

  constructor(
    readonly engine: Instance,
    readonly attributes: readonly Attribute[],
  ) {}

  /** Adds blocks for this many rows, whose codes are all 0. */
  reserve(rows: number): void {
    for (let first = 0; first < rows; first += BLOCK_ROWS) {
      const count = Math.min(BLOCK_ROWS, rows - first);
      const columns = this.engine.reserve(this.attributes.map(() => 2 * count));
      this.blocks.push({ table: this.engine.place(Uint32Array.from(columns)), columns, rows: count });
    }
  }

  /**
   * Copies up to BLOCK_ROWS rows into the instance, given as one array per column. Values that are not codes become one
   * of the codes, so that no row can count outside a query's cells.
   */
  append(columns: readonly Uint16Array[]): void {
    const rows = columns[0].length;
    this.reserve(rows);
    this.blocks.at(-1)?.columns.forEach((pointer, at) => {
      this.engine.write(pointer, columns[at]);
      this.engine.exports.capCodes(pointer, rows, codesOf(this.attributes[at]) - 1);
    });
  }

  /** Places pointers to the blocks, and how many rows each has, as calls need them. */
  place(): number {
    return this.engine.place(Uint32Array.from(this.blocks.flatMap(({ table, rows }) => [table, rows])));
  }

  /**
   * Adds every row to the zeroed i32 answers at `counts`. For a tree, only the finest level is counted (the engine's
   * answerLevels sums the others).
   * @param struct the pointer to a QUERY
   * @param blocks what `place` returned
   */
  count(calls: Calls, struct: number, blocks: number, counts: number): void {
    calls.add("answerBlocks", struct, blocks, this.blocks.length, counts);
  }
}
