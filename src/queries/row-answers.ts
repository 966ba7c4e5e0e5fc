import type { Engines } from "../core/engines.js";
import { slices } from "../core/slices.js";
import { type Attribute, codesOf } from "../domain/attribute.js";
import { Calls } from "../engine/calls.js";
import { Instance } from "../engine/instance.js";
import type { ModelColumn } from "../engine/model-codes.js";
import { GpuCounts } from "./gpu-counts.js";
import { scaleOf } from "./interaction.js";
import type { Measurement } from "./measurement.js";
import { byCode, cellsOf, type Query, structureOf } from "./query.js";
import { fillBlocks, RowBlocks } from "./row-blocks.js";
import { type PlacedQuery, writeGrouped } from "./struct.js";

/** The most cells that are counted together, unless a single query has more. */
const MOST_CELLS = 1 << 20;

/** Where the counts of a query are. */
interface Counts extends PlacedQuery {
  readonly pointer: number;
  readonly cells: number;
}

/**
 * Exact answers of rows, in an engine of their own: of synthetic rows or, for the owner, of real ones. Real rows stay
 * in that engine. Synthetic rows alone may also go to a GPU, which then counts them.
 */
export class RowAnswers {
  readonly #blocks: RowBlocks;
  #gpu: GpuCounts | undefined;

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

  /**
   * @param codes one array per attribute, as queries see them
   * @param engines what may count the rows; given for synthetic rows alone
   */
  static ofCodes(attributes: readonly Attribute[], codes: readonly Uint16Array[], engines?: Engines): RowAnswers {
    const columns = codes.map((column, at) => ({
      stored: { codes: column },
      bytes: 2,
      last: codesOf(attributes[at]) - 1,
    }));
    const answers = RowAnswers.ofColumns(attributes, columns, codes[0].length);
    if (engines) answers.#gpu = new GpuCounts(engines, attributes, codes, answers.#blocks.engine);
    return answers;
  }

  /** A query's counts, on all levels, by codes. */
  of(query: Query): Int32Array {
    return this.#counted([query], [], (calls, read) => {
      calls.run();
      return read()[0];
    });
  }

  /** Queries' counts as those of a table of `total` rows, rounded: 0 … 2^30. */
  async scaled(queries: readonly Query[], total: number): Promise<Int32Array[]> {
    return this.#counted(queries, await this.#countedElsewhere(queries), (calls, read, counts) => {
      for (const { pointer, cells } of counts) calls.add("scaleCounts", pointer, cells, total / this.rows);
      calls.run();
      return read();
    });
  }

  /**
   * Σ (scaled count − noisy answer)² of all measurements, in rows: by groups of codes where the answers are those of
   * groups, and centred where they are.
   */
  async squares(measurements: readonly Measurement[], scale: number): Promise<number> {
    const { engine } = this.#blocks;
    // For each unit that answers have, as a number of them that make a row: a sum.
    const byUnit = new Map<number, number>();
    const unitOf = (query: Query) => scaleOf(structureOf(query, this.attributes));
    for (const { query } of measurements) if (!byUnit.has(unitOf(query))) byUnit.set(unitOf(query), engine.alloc(8));
    for (const slice of slices(measurements, MOST_CELLS, ({ query }) => this.#cells(query))) {
      const queries = slice.map(({ query }) => query);
      this.#counted(queries, await this.#countedElsewhere(queries), (calls, _, counts) => {
        const answers = engine.placeAll(slice.map((measurement) => measurement.answers));
        const sums = engine.reserve(slice.map(({ query, answers }) => (query.groups ? 4 * answers.length : 0)));
        for (const [at, { pointer, byCode, groups, centred }] of counts.entries()) {
          if (groups) calls.add("moveToGroups", byCode, ...groups, pointer, sums[at]);
          const compared = groups ? sums[at] : pointer;
          if (centred) calls.add("centreCounts", ...centred, compared);
          calls.add(
            "addSquares",
            compared,
            answers[at],
            slice[at].answers.length,
            scale,
            byUnit.get(unitOf(slice[at].query))!,
          );
        }
        calls.run();
      });
    }
    return [...byUnit].reduce((sum, [unit, squares]) => sum + engine.readF64(squares, 1)[0] / unit ** 2, 0);
  }

  /** Overwrites the rows, which may be real ones, and gives the engine back. Nothing is answered after that. */
  drop(): void {
    this.#gpu?.close();
    this.#blocks.engine.exports.wipe();
    this.#blocks.engine.drop();
  }

  /** The counts of a GPU, where it has counted a query. */
  async #countedElsewhere(queries: readonly Query[]): Promise<readonly (Int32Array | undefined)[]> {
    return this.#gpu ? this.#gpu.of(queries.map(byCode)) : [];
  }

  /**
   * Queries by codes, whose counts are there once the calls have been made.
   * @param ready those that have been counted elsewhere, without a tree's coarser levels
   */
  #counted<T>(
    queries: readonly Query[],
    ready: readonly (Int32Array | undefined)[],
    use: (calls: Calls, read: () => Int32Array[], counts: readonly Counts[]) => T,
  ): T {
    const { engine } = this.#blocks;
    return engine.scratch(() => {
      const calls = new Calls(engine);
      const blocks = this.#blocks.place();
      const cells = queries.map((query) => this.#cells(query));
      const pointers = engine.reserve(cells.map((count) => 4 * count));
      const counts = writeGrouped(engine, queries, this.attributes).map(
        (placed, at): Counts => ({ ...placed, pointer: pointers[at], cells: cells[at] }),
      );
      for (const [at, { byCode, pointer }] of counts.entries()) {
        const known = ready[at];
        if (known) engine.write(pointer, known);
        else this.#blocks.count(calls, byCode, blocks, pointer);
        calls.add("answerLevels", byCode, pointer);
      }
      return use(calls, () => engine.readAll(pointers, cells, Int32Array), counts);
    });
  }

  /** How many cells a query has by codes. */
  #cells(query: Query): number {
    return cellsOf(byCode(query), this.attributes);
  }
}
