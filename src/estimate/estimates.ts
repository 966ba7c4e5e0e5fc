import { slices } from "../core/slices.js";
import type { Attribute } from "../domain/attribute.js";
import { Calls } from "../engine/calls.js";
import { Instance } from "../engine/instance.js";
import type { Measurement } from "../queries/measurement.js";
import { cellsOf, type Query } from "../queries/query.js";
import { writeGrouped } from "../queries/struct.js";
import type { Pair } from "./chains.js";
import type { PublicCounts } from "./public-counts.js";
import { EstimatedTables, marginsOf } from "./tables.js";

/** The most answers that are handed over together, unless a single query has more. */
const MOST_CELLS = 1 << 20;

/**
 * The most likely true answers, given all noisy answers: fitting the noisy answers themselves would fit their noise.
 * Each set of columns has one estimate. It consists of what the set's margins imply (the margins are the estimates of
 * the sets with one column fewer; a single column starts with equally frequent values), for pairs of what chains over
 * third columns imply and, of everything that was measured about the set, the part that stands out from the noise.
 * Queries other than column sets contribute nothing.
 * Estimates are computed in an engine of their own. They are post-processing, based only on noisy answers and public
 * facts.
 */
export class Estimates {
  readonly #engine = new Instance();
  readonly #tables: EstimatedTables;

  /**
   * @param total the number of rows that all estimates share, positive
   * @param publicCounts those of public rows: what single columns and pairs start with, in place of equally frequent
   * values and of what margins imply
   */
  constructor(
    measurements: readonly Measurement[],
    readonly attributes: readonly Attribute[],
    readonly total: number,
    readonly publicCounts?: PublicCounts,
  ) {
    this.#tables = new EstimatedTables(this.#engine, measurements, attributes, total, publicCounts);
  }

  /**
   * For each attribute, the expected counts of its codes: non-negative, summing to the total. An attribute that was not
   * measured is uniform over its values and never missing.
   */
  oneWays(): Float64Array[] {
    return this.answers(this.attributes.map((_, column) => ({ kind: "marginal", columns: [column] })));
  }

  /**
   * The expected answers to queries, as counts in the order of their answers; for grouped queries, those of the codes
   * in the groups. For several columns, they may be below 0 where there should be no rows: raising them to 0 would call
   * for more rows than there are.
   */
  answers(queries: readonly Query[]): Float64Array[] {
    this.#tables.estimate(queries.map(({ columns }) => columns));
    const engine = this.#engine;
    const answers: Float64Array[] = [];
    for (const together of slices(queries, MOST_CELLS, (query) => this.#answers(query)))
      engine.scratch(() => {
        const cells = together.map((query) => this.#answers(query));
        const pointers = engine.reserve(cells.map((count) => 8 * count));
        const structs = writeGrouped(engine, together, this.attributes);
        const calls = new Calls(engine);
        for (const [at, { kind, columns }] of together.entries()) {
          const finest = this.#tables.cells(columns);
          calls.add("copy", this.#tables.of(columns), pointers[at] + 8 * (cells[at] - finest), 8 * finest);
          if (kind === "tree") calls.add("estimateLevels", structs[at].byCode, pointers[at]);
        }
        calls.run();
        answers.push(...engine.readAll(pointers, cells, Float64Array));
      });
    return answers;
  }

  /**
   * What to expect of tables that were not measured, as targets of a selection, and the L1 distance from them that
   * chance contributes.
   * @param most the largest target allowed
   */
  implied(queries: readonly Query[], most: number): { readonly targets: Int32Array; readonly chance: number }[] {
    const engine = this.#engine;
    const sets = queries.map(({ columns }) => columns);
    this.#tables.estimate(sets.flatMap(marginsOf));
    return engine.scratch(() => {
      const cells = queries.map((query) => this.#answers(query));
      const targets = engine.reserve(cells.map((count) => 4 * count));
      const expected = engine.reserve(cells.map((count) => 8 * count));
      const finest = expected.map((pointer, at) => pointer + 8 * (cells[at] - this.#tables.cells(sets[at])));
      this.#tables.imply(sets, finest);
      const structs = writeGrouped(engine, queries, this.attributes);
      const calls = new Calls(engine);
      const chances = queries.map(({ kind }, at) => {
        if (kind === "tree") calls.add("estimateLevels", structs[at].byCode, expected[at]);
        return calls.add("chanceTargets", expected[at], cells[at], most, targets[at]);
      });
      const results = calls.results();
      const read = engine.readAll(targets, cells, Int32Array);
      return chances.map((place, at) => ({ targets: read[at], chance: results[place] }));
    });
  }

  /** Of each pair of columns, in ascending order: Σ |count − expected count for independent columns| over its codes. */
  interactions(pairs: readonly Pair[]): Float64Array {
    this.#tables.estimate(pairs);
    const calls = new Calls(this.#engine);
    for (const pair of pairs)
      calls.add("interactionOf", this.#tables.of(pair), ...this.#tables.marginsOf(pair), this.total);
    return calls.results();
  }

  /** The counts of columns' codes for each code of another column, none below 0. */
  conditionals(asked: readonly { readonly column: number; readonly given: number }[]): Float64Array[] {
    const pairs = asked.map(({ column, given }) => [Math.min(column, given), Math.max(column, given)]);
    this.#tables.estimate(pairs);
    const engine = this.#engine;
    return engine.scratch(() => {
      const cells = pairs.map((pair) => this.#tables.cells(pair));
      const counts = engine.reserve(cells.map((count) => 8 * count));
      const calls = new Calls(engine);
      for (const [at, pair] of pairs.entries()) {
        const [rows, columns] = pair.map((one) => this.attributes[one].size);
        const isTransposed = Number(asked[at].column < asked[at].given);
        calls.add("conditionalCounts", this.#tables.of(pair), rows, columns, isTransposed, counts[at]);
      }
      calls.run();
      return engine.readAll(counts, cells, Float64Array);
    });
  }

  /** Gives the engine's memory back. Nothing is estimated after that. */
  drop(): void {
    this.#engine.drop();
  }

  /** How many answers a query has by codes, all levels of a tree. */
  #answers({ kind, columns }: Query): number {
    return kind === "tree" ? cellsOf({ kind, columns }, this.attributes) : this.#tables.cells(columns);
  }
}
