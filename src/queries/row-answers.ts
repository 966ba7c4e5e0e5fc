import type { Attribute } from "../domain/attribute.js";
import { Instance } from "../engine/instance.js";
import { BLOCK_ROWS } from "../engine/layout.js";
import type { Measurement } from "./measurement.js";
import { cellsOf, type Query } from "./query.js";
import { RowBlocks } from "./row-blocks.js";
import { writeGroups, writeQuery } from "./struct.js";

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

  /** A query's counts, on all levels, by codes. */
  of(query: Query): Int32Array {
    return this.#counted(query, (engine, counts, cells) => engine.readI32(counts, cells));
  }

  /** A query's counts as those of a table of `total` rows, rounded: 0 … 2^30. */
  scaled(query: Query, total: number): Int32Array {
    return this.#counted(query, (engine, counts, cells) => {
      engine.exports.scaleCounts(counts, cells, total / this.rows);
      return engine.readI32(counts, cells);
    });
  }

  /** Adds to a sum Σ (scaled count − noisy answer)², by groups of codes if the answers are those of groups. */
  addSquares({ query, answers }: Measurement, scale: number, sum: number): number {
    return this.#counted({ ...query, groups: undefined }, (engine, counts) => {
      const compared = query.groups ? engine.alloc(4 * answers.length) : counts;
      if (query.groups) engine.exports.moveToGroups(...writeGroups(engine, query, this.attributes), counts, compared);
      return engine.exports.addSquares(compared, engine.place(answers), answers.length, scale, sum);
    });
  }

  /** Gives the engine's memory back. Nothing is answered after that. */
  drop(): void {
    this.#blocks.engine.drop();
  }

  #counted<T>(query: Query, use: (engine: Instance, counts: number, cells: number) => T): T {
    const { engine } = this.#blocks;
    return engine.scratch(() => {
      const cells = cellsOf(query, this.attributes);
      const counts = engine.alloc(4 * cells);
      this.#blocks.count(query, counts);
      engine.exports.answerLevels(writeQuery(engine, query, this.attributes), counts);
      return use(engine, counts, cells);
    });
  }
}
