import { slices } from "../core/slices.js";
import type { Attribute } from "../domain/attribute.js";
import { Calls } from "../engine/calls.js";
import { Instance } from "../engine/instance.js";
import { Words } from "../engine/words.js";
import { axesOf } from "../queries/marginal.js";
import type { Measurement } from "../queries/measurement.js";
import { cellsIn, cellsOf, isColumnSet, type Query, queryOf } from "../queries/query.js";
import { type PlacedQuery, queryWords, writeGrouped } from "../queries/struct.js";
import type { PublicCounts } from "./public-counts.js";

/** Columns with fewer ordered codes have too few Haar coefficients to distinguish noise from signal. */
const LEAST_ORDERED = 13;
/**
 * How many times a table is fitted to its margins. The margins are estimates that contradict each other slightly, so
 * more rounds would gain nothing.
 */
const ROUNDS = 5;
/** Single columns cannot contradict each other: the first round gives their product. */
const ROUNDS_OF_PAIRS = 1;

/** The most answers that are handed over together, unless a single query has more. */
const MOST_CELLS = 1 << 20;

/** Noisy answers in the engine, with the QUERY structs of their query, and how many codes of each axis are ordered. */
interface Evidence extends PlacedQuery {
  readonly measurement: Measurement;
  readonly answers: number;
  readonly ordered: number;
}

/** What the engine knows of a set of columns: its QUERY, pointers to its margins, how many codes are ordered. */
interface PlacedSet {
  readonly query: number;
  readonly margins: number;
  readonly ordered: number;
}

/** A table of estimates, f64 each. */
interface PlacedTable extends Omit<PlacedSet, "margins"> {
  readonly values: number;
  readonly cells: number;
}

/** Memory to work in: room for a table each, but for three in `scratch`. Sums and precisions are zeroed. */
interface Room {
  readonly sums: number;
  readonly precisions: number;
  readonly scratch: number;
  readonly held: number;
  readonly wanted: number;
}

/**
 * The most likely true answers, given all noisy answers: fitting the noisy answers themselves would fit their noise.
 * Each set of columns has one estimate. It consists of what the set's margins imply (the margins are the estimates of
 * the sets with one column fewer; a single column starts with equally frequent values) and, of everything that was
 * measured about the set, the part that stands out from the noise. Queries other than column sets contribute nothing.
 * Estimates are computed in an engine of their own. They are post-processing, based only on noisy answers and public
 * facts.
 */
export class Estimates {
  readonly #engine = new Instance();
  /** Pointers to the tables that were estimated, f64 each. They stay. */
  readonly #tables = new Map<string, number>();
  /** For each set of columns, the measurements that include all of them, in order. */
  readonly #having = new Map<string, Evidence[]>();

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
    const telling = measurements.filter(({ query }) => isColumnSet(query));
    const queries = telling.map(({ query }) => query);
    const answers = this.#engine.placeAll(telling.map((measurement) => measurement.answers));
    const words = new Words();
    const ordered = queries.map((query) => words.add(orderedCodes(axesOf(query, attributes))));
    const start = words.place(this.#engine);
    for (const [at, placed] of writeGrouped(this.#engine, queries, attributes).entries())
      for (const columns of subsetsOf(queries[at].columns)) {
        const evidence = { ...placed, measurement: telling[at], answers: answers[at], ordered: start + ordered[at] };
        const having = this.#having.get(columns.join());
        if (having) having.push(evidence);
        else this.#having.set(columns.join(), [evidence]);
      }
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
    this.#estimate(queries.map(({ columns }) => columns));
    const engine = this.#engine;
    const answers: Float64Array[] = [];
    for (const together of slices(queries, MOST_CELLS, (query) => this.#answers(query)))
      engine.scratch(() => {
        const cells = together.map((query) => this.#answers(query));
        const pointers = engine.reserve(cells.map((count) => 8 * count));
        const structs = writeGrouped(engine, together, this.attributes);
        const calls = new Calls(engine);
        for (const [at, { kind, columns }] of together.entries()) {
          const finest = this.#cells(columns);
          calls.add("copy", this.#tableOf(columns), pointers[at] + 8 * (cells[at] - finest), 8 * finest);
          if (kind === "tree") calls.add("estimateLevels", structs[at].byCode, pointers[at]);
        }
        calls.run();
        answers.push(...engine.readAll(pointers, cells, Float64Array));
      });
    return answers;
  }

  /**
   * What to expect of tables about which nothing is known beyond their margins, as targets of a selection, and the L1
   * distance from them that chance contributes.
   * @param most the largest target allowed
   */
  implied(queries: readonly Query[], most: number): { readonly targets: Int32Array; readonly chance: number }[] {
    this.#estimate(queries.flatMap(({ columns }) => marginsOf(columns)));
    const engine = this.#engine;
    return engine.scratch(() => {
      const cells = queries.map((query) => this.#answers(query));
      const targets = engine.reserve(cells.map((count) => 4 * count));
      const largest = cells.reduce((a, b) => Math.max(a, b), 0);
      const [expected, scratch] = engine.reserve([8 * largest, 8 * largest]);
      const tables = this.#place(queries.map(({ columns }) => columns));
      const calls = new Calls(engine);
      const chances = queries.map(({ kind, columns }, at) => {
        const { query, margins } = tables[at];
        const table = expected + 8 * (cells[at] - this.#cells(columns));
        calls.add("fitMargins", query, table, margins, roundsOf(columns), scratch);
        if (kind === "tree") calls.add("estimateLevels", query, expected);
        return calls.add("chanceTargets", expected, cells[at], most, targets[at]);
      });
      const results = calls.results();
      const read = engine.readAll(targets, cells, Int32Array);
      return chances.map((place, at) => ({ targets: read[at], chance: results[place] }));
    });
  }

  /** Of each pair of columns, in ascending order: Σ |count − expected count for independent columns| over its codes. */
  interactions(pairs: readonly (readonly [number, number])[]): Float64Array {
    this.#estimate(pairs);
    const calls = new Calls(this.#engine);
    for (const pair of pairs) {
      const [first, second] = pair.map((column) => this.#tableOf([column]));
      const [rows, columns] = pair.map((column) => this.attributes[column].size);
      calls.add("interactionOf", this.#tableOf(pair), first, rows, second, columns, this.total);
    }
    return calls.results();
  }

  /** The counts of columns' codes for each code of another column, none below 0. */
  conditionals(asked: readonly { readonly column: number; readonly given: number }[]): Float64Array[] {
    const pairs = asked.map(({ column, given }) => [Math.min(column, given), Math.max(column, given)]);
    this.#estimate(pairs);
    const engine = this.#engine;
    return engine.scratch(() => {
      const cells = pairs.map((pair) => this.#cells(pair));
      const counts = engine.reserve(cells.map((count) => 8 * count));
      const calls = new Calls(engine);
      for (const [at, pair] of pairs.entries()) {
        const [rows, columns] = pair.map((one) => this.attributes[one].size);
        const isTransposed = Number(asked[at].column < asked[at].given);
        calls.add("conditionalCounts", this.#tableOf(pair), rows, columns, isTransposed, counts[at]);
      }
      calls.run();
      return engine.readAll(counts, cells, Float64Array);
    });
  }

  /** Gives the engine's memory back. Nothing is estimated after that. */
  drop(): void {
    this.#engine.drop();
  }

  /** The estimated counts of all combinations of some columns' codes (for a tree: of its leaves), row-major. */
  #tableOf(columns: readonly number[]): number {
    return this.#tables.get(columns.join())!;
  }

  /**
   * Estimates the tables of sets of columns, and those that they follow from, unless it has been done. The total is the
   * table of no column.
   */
  #estimate(sets: readonly (readonly number[])[]): void {
    const engine = this.#engine;
    const missing = this.#missing(sets);
    if (!missing.length) return;
    const cells = missing.map((columns) => this.#cells(columns));
    const pointers = engine.reserve(cells.map((count) => 8 * count));
    for (const [at, columns] of missing.entries()) this.#tables.set(columns.join(), pointers[at]);
    const even = missing.filter((columns) => columns.length < 2);
    engine.writeAll(
      pointers,
      even.map(([column]) => this.#evenly(column)),
    );
    engine.scratch(() => {
      const tables = this.#place(missing);
      const room = this.#room(cells.reduce((a, b) => Math.max(a, b)));
      const calls = new Calls(engine);
      const known = this.#publicTables(missing);
      for (const [at, columns] of missing.entries()) {
        const { query, margins, ordered } = tables[at];
        const values = pointers[at];
        const counts = known.get(columns);
        if (counts !== undefined)
          calls.add("publicRowsTable", query, counts, this.total, values, margins, room.scratch);
        else if (columns.length > 1) calls.add("fitMargins", query, values, margins, roundsOf(columns), room.scratch);
        this.#correct(calls, columns, { query, ordered, values, cells: cells[at] }, room);
      }
      calls.run();
    });
  }

  /** Where the counts of public rows are, by single column and pair; of no set without public rows. */
  #publicTables(sets: readonly (readonly number[])[]): ReadonlyMap<readonly number[], number> {
    const small = this.publicCounts ? sets.filter(({ length }) => length === 1 || length === 2) : [];
    const pointers = small.length ? this.#engine.placeAll(this.publicCounts!.of(small)) : [];
    return new Map(small.map((columns, at) => [columns, pointers[at]]));
  }

  /** The sets whose tables have not been estimated, and those that they follow from: smaller ones first. */
  #missing(sets: readonly (readonly number[])[]): (readonly number[])[] {
    const missing = new Map<string, readonly number[]>();
    const need = (columns: readonly number[]) => {
      const key = columns.join();
      if (this.#tables.has(key) || missing.has(key)) return;
      missing.set(key, columns);
      if (columns.length > 1) marginsOf(columns).forEach(need);
    };
    sets.forEach(need);
    return [...missing.values()].sort((a, b) => a.length - b.length);
  }

  /** The table of equally frequent values. */
  #evenly(column: number | undefined): Float64Array {
    if (column === undefined) return Float64Array.of(this.total);
    const { size, missing } = this.attributes[column];
    const values = missing ? size - 1 : size;
    return new Float64Array(size).fill(this.total / values, 0, values);
  }

  /** Places what calls need to know of sets of columns. Their margins have their pointers already. */
  #place(sets: readonly (readonly number[])[]): PlacedSet[] {
    const words = new Words();
    const places = sets.map((columns) => ({
      query: words.add(queryWords(queryOf(columns, this.attributes), this.attributes)),
      margins: columns.length > 1 ? words.add(marginsOf(columns).map((margin) => this.#tableOf(margin))) : 0,
      ordered: words.add(orderedCodes(columns.map((column) => this.attributes[column]))),
    }));
    const start = words.place(this.#engine);
    return places.map(({ query, margins, ordered }) => ({
      query: start + query,
      margins: start + margins,
      ordered: start + ordered,
    }));
  }

  /** Memory that calls about tables of at most so many cells work in. */
  #room(cells: number): Room {
    const sizes = [1, 1, 3, 1, 1].map((tables) => 8 * (tables * cells + 1));
    const [sums, precisions, scratch, held, wanted] = this.#engine.reserve(sizes);
    return { sums, precisions, scratch, held, wanted };
  }

  /** Adds what was measured about a set of columns to what is implied: first by groups of codes, then code by code. */
  #correct(calls: Calls, columns: readonly number[], table: PlacedTable, room: Room): void {
    const measured = this.#having.get(columns.join()) ?? [];
    for (const evidence of measured)
      if (evidence.groups && evidence.measurement.query.columns.length === columns.length)
        this.#byGroups(calls, evidence, table, room);
    const telling = measured.filter(({ measurement: { query } }) =>
      columns.every((column) => !query.groups?.[query.columns.indexOf(column)]),
    );
    if (!telling.length) return;
    this.#shrink(calls, columns, table, telling, room);
    if (columns.length === 1)
      calls.add("projectOnSimplex", table.values, table.cells, this.total, room.held, room.scratch);
  }

  /**
   * Updates a table with a measured marginal of groups of its codes: each group's cells are scaled to the group's
   * estimate.
   */
  #byGroups(calls: Calls, evidence: Evidence, { values }: PlacedTable, room: Room): void {
    const { measurement, byCode, ordered } = evidence;
    const [byGroup, maps] = evidence.groups!;
    const { held, wanted } = room;
    const cells = measurement.answers.length;
    calls.add("clear", held, 8 * cells);
    calls.add("sumGroups", byCode, byGroup, maps, values, held);
    calls.add("copy", held, wanted, 8 * cells);
    this.#shrink(calls, measurement.query.columns, { query: byGroup, ordered, values: wanted }, [evidence], room);
    calls.add("scaleGroups", byCode, byGroup, maps, values, held, wanted);
  }

  /** Adds to what is implied about a table whatever stands out from the noise of measurements. */
  #shrink(
    calls: Calls,
    columns: readonly number[],
    { query, ordered, values }: Omit<PlacedTable, "cells">,
    measured: readonly Evidence[],
    { sums, precisions, scratch }: Room,
  ): void {
    for (const { byCode, groups, answers, measurement } of measured)
      calls.add("addMargin", groups?.[0] ?? byCode, query, answers, measurement.sigma2, sums, precisions, scratch);
    const { publicCounts } = this;
    if (publicCounts && (columns.length === 1 || columns.length === 2)) {
      const sampling = 1 + this.total / publicCounts.rows;
      calls.add("correctPublicTable", query, ordered, values, sums, precisions, sampling, scratch);
    } else calls.add("shrinkTable", query, ordered, values, sums, precisions, scratch);
  }

  /** How many answers a query has by codes, all levels of a tree. */
  #answers({ kind, columns }: Query): number {
    return kind === "tree" ? cellsOf({ kind, columns }, this.attributes) : this.#cells(columns);
  }

  #cells(columns: readonly number[]): number {
    return cellsIn(columns.map((column) => this.attributes[column].size));
  }
}

const margins = new WeakMap<readonly number[], readonly (readonly number[])[]>();

/** The sets with one column fewer. */
function marginsOf(columns: readonly number[]): readonly (readonly number[])[] {
  const sets = margins.get(columns) ?? columns.map((_, axis) => columns.toSpliced(axis, 1));
  margins.set(columns, sets);
  return sets;
}

const roundsOf = ({ length }: readonly number[]): number => (length === 2 ? ROUNDS_OF_PAIRS : ROUNDS);

/** All non-empty subsets of some columns, each in the given order. */
function subsetsOf(columns: readonly number[]): number[][] {
  const subsets: number[][] = [[]];
  for (const column of columns) subsets.push(...subsets.map((subset) => [...subset, column]));
  return subsets.slice(1);
}

/** How many codes of each axis, from the first, are ordered and enough to be shrunk as such; otherwise 0. */
function orderedCodes(axes: readonly Attribute[]): number[] {
  return axes.map(({ ordered, size, tree, missing }) => {
    const values = missing ? size - 1 : size;
    return ordered && !tree && values >= LEAST_ORDERED ? values : 0;
  });
}
