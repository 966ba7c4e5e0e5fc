import { BLOCK_ROWS } from "../engine/layout.js";
import { writeQuery } from "../engine/query-struct.js";
import { RowBlocks } from "../engine/row-blocks.js";
import { Instance } from "../engine/wasm.js";
import { cellsOf, type Query } from "../queries/query.js";
import type { Attribute } from "../schema/schema.js";

/** The answers of synthetic rows, counted in an engine that holds nothing else. */
export class SyntheticAnswers {
  readonly #engine = new Instance();
  readonly #blocks: RowBlocks;
  readonly #rows: number;

  /** @param codes one array an attribute, equally long */
  constructor(
    readonly attributes: readonly Attribute[],
    codes: readonly Uint16Array[],
  ) {
    this.#blocks = new RowBlocks(this.#engine, attributes);
    this.#rows = codes[0].length;
    for (let start = 0; start < this.#rows; start += BLOCK_ROWS) {
      const length = Math.min(BLOCK_ROWS, this.#rows - start);
      this.#blocks.append(
        codes,
        Uint32Array.from({ length }, (_, row) => start + row),
      );
    }
  }

  /** A query's answers as counts of a table of `total` rows, rounded: 0 … 2^30. */
  of(query: Query, total: number): Int32Array {
    const { exports } = this.#engine;
    const mark = exports.mark();
    const cells = cellsOf(query, this.attributes);
    const counts = this.#engine.alloc(4 * cells);
    this.#blocks.count(query, counts);
    exports.answerLevels(writeQuery(this.#engine, query, this.attributes), counts);
    const scale = total / this.#rows;
    const answers = this.#engine.i32(counts, cells).map((count) => Math.min(2 ** 30, Math.round(count * scale)));
    exports.rewind(mark);
    return answers;
  }
}
