import type { Attribute } from "../domain/attribute.js";
import { Instance } from "../engine/instance.js";
import { BLOCK_ROWS } from "../engine/layout.js";
import { cellsOf, type Query } from "./query.js";
import { RowBlocks } from "./row-blocks.js";
import { writeQuery } from "./struct.js";

/** Exact answers of rows, in an engine of their own: of synthetic rows or, for the owner, of real ones. */
export class RowAnswers {
  readonly #blocks: RowBlocks;

  /** @param codes one array per attribute, `rows` long */
  constructor(
    readonly attributes: readonly Attribute[],
    codes: readonly Uint16Array[],
    readonly rows: number,
  ) {
    this.#blocks = new RowBlocks(new Instance(), attributes);
    for (let start = 0; start < rows; start += BLOCK_ROWS)
      this.#blocks.append(codes.map((column) => column.subarray(start, Math.min(start + BLOCK_ROWS, rows))));
  }

  /** A query's counts, on all levels. */
  of(query: Query): Int32Array {
    const { engine } = this.#blocks;
    return engine.scratch(() => {
      const cells = cellsOf(query, this.attributes);
      const counts = engine.alloc(4 * cells);
      this.#blocks.count(query, counts);
      engine.exports.answerLevels(writeQuery(engine, query, this.attributes), counts);
      return engine.readI32(counts, cells);
    });
  }
}
