import type { Attribute } from "../domain/attribute.js";
import { Instance } from "../engine/instance.js";
import type { ModelColumn } from "../engine/model-codes.js";
import type { Measurement } from "./measurement.js";
import { cellsOf, type Query } from "./query.js";
import { fillBlocks, RowBlocks } from "./row-blocks.js";
import { writeGroups, writeQuery } from "./struct.js";

/** Exact answers of rows, in an engine of their own: of synthetic rows or, for the owner, of real ones. */
export class RowAnswers {
  readonly #blocks: RowBlocks;

  private constructor(
    readonly attributes: readonly Attribute[],
    readonly rows: number,
  ) {
    this.#blocks = new RowBlocks(new Instance(), attributes);
    this.#blocks.reserve(rows);
  }

  /** @param columns one per attribute, with `rows` codes each */
  static ofColumns(attributes: readonly Attribute[], columns: readonly ModelColumn[], rows: number): RowAnswers {
    const answers = new RowAnswers(attributes, rows);
    const { engine, blocks } = answers.#blocks;
    fillBlocks(engine, blocks, columns, rows);
    return answers;
  }

  /** @param codes one array per attribute, as queries see them */
  static ofCodes(attributes: readonly Attribute[], codes: readonly Uint16Array[]): RowAnswers {
    const columns = codes.map((column, at) => ({ stored: { codes: column }, bytes: 2, last: attributes[at].size - 1 }));
    return RowAnswers.ofColumns(attributes, columns, codes[0].length);
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

  /** Overwrites the rows, which may be real ones, and gives the engine back. Nothing is answered after that. */
  drop(): void {
    this.#blocks.engine.exports.wipe();
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
