import { largest } from "../core/largest.js";
import type { Attribute } from "../domain/attribute.js";
import { Calls } from "../engine/calls.js";
import type { Instance } from "../engine/instance.js";
import { Words } from "../engine/words.js";
import { axesOf } from "../queries/marginal.js";
import type { Measurement } from "../queries/measurement.js";
import { cellsIn, isColumnSet, queryOf } from "../queries/query.js";
import { queryWords, writeGrouped } from "../queries/struct.js";
import { MOST_CHAINS, type Pair, StrongestChains } from "./chains.js";
import {
  addEvidence,
  addSignal,
  type Evidence,
  type PlacedSet,
  type PlacedTable,
  type Room,
  shrink,
  tellsOf,
} from "./evidence.js";
import type { PublicCounts } from "./public-counts.js";
import { subsetsOf } from "./subsets.js";

/** Columns with fewer ordered codes have too few Haar coefficients to distinguish noise from signal. */
const LEAST_ORDERED = 13;
/**
 * How many times a table is fitted to its margins. The margins are estimates that contradict each other slightly, so
 * more rounds would gain nothing.
 */
const ROUNDS = 5;
/** Single columns cannot contradict each other: the first round gives their product. */
const ROUNDS_OF_PAIRS = 1;

/** Pointers to tables of sets of columns, f64 each, by the columns. */
type Tables = Map<string, number>;

/**
 * The estimated counts of all combinations of some columns' codes (for a tree: of its leaves), row-major, in an engine.
 * They stay there until it is dropped.
 */
export class EstimatedTables {
  readonly #tables: Tables = new Map();
  /** For each set of columns, the measurements that include all of them, in order. */
  readonly #having = new Map<string, Evidence[]>();
  readonly #measuredPairs: readonly Pair[];
  /** What measured pairs say about others, once these have been estimated. */
  #chains: StrongestChains | undefined;

  /**
   * @param total the number of rows that all estimates share, positive
   * @param publicCounts those of public rows: what single columns and pairs start with, in place of equally frequent
   * values and of what margins and chains imply
   */
  constructor(
    readonly engine: Instance,
    measurements: readonly Measurement[],
    readonly attributes: readonly Attribute[],
    readonly total: number,
    readonly publicCounts?: PublicCounts,
  ) {
    const telling = measurements.filter(({ query }) => isColumnSet(query));
    const queries = telling.map(({ query }) => query);
    const answers = engine.placeAll(telling.map((measurement) => measurement.answers));
    const words = new Words();
    const ordered = queries.map((query) => words.add(orderedCodes(axesOf(query, attributes))));
    const start = words.place(engine);
    for (const [at, placed] of writeGrouped(engine, queries, attributes).entries())
      for (const columns of subsetsOf(queries[at].columns).slice(1)) {
        if (!tellsOf(queries[at], columns)) continue;
        const evidence = { ...placed, measurement: telling[at], answers: answers[at], ordered: start + ordered[at] };
        const having = this.#having.get(columns.join());
        if (having) having.push(evidence);
        else this.#having.set(columns.join(), [evidence]);
      }
    const sets: (readonly number[])[] = [...this.#having.keys()].map((key) => key.split(",").map(Number));
    this.#measuredPairs = sets.filter(isPair).filter((pair) => this.#isMeasured(pair));
  }

  /** The pointer to an estimated table. */
  of(columns: readonly number[]): number {
    return this.#tables.get(columns.join())!;
  }

  /** Pointers to an estimated pair's one-ways, each with its number of codes. */
  marginsOf(pair: Pair): [first: number, rows: number, second: number, columns: number] {
    const [first, second] = pair;
    return [this.of([first]), this.attributes[first].size, this.of([second]), this.attributes[second].size];
  }

  cells(columns: readonly number[]): number {
    return cellsIn(columns.map((column) => this.attributes[column].size));
  }

  /**
   * Estimates the tables of sets of columns, and those that they follow from, unless it has been done. The total is the
   * table of no column.
   */
  estimate(sets: readonly (readonly number[])[]): void {
    const { engine } = this;
    const missing = this.#missing(sets);
    if (!missing.length) return;
    const pointers = this.#reserve(missing);
    for (const [at, columns] of missing.entries()) this.#tables.set(columns.join(), pointers[at]);
    const small = missing.filter(({ length }) => length < 2);
    const ofSmall = pointers.slice(0, small.length);
    engine.writeAll(
      ofSmall,
      small.map(([column]) => this.#evenly(column)),
    );
    this.#fill(small, ofSmall);
    const isMeasuredPair = (columns: readonly number[]): columns is Pair =>
      isPair(columns) && this.#isMeasured(columns);
    this.#fillMeasured(missing.filter(isMeasuredPair));
    const others = missing.filter((columns) => columns.length > 1 && !isMeasuredPair(columns));
    this.#fill(others, this.#allOf(others), this.#tables);
  }

  /** Writes what margins and chains imply about sets that were not measured. Their margins have been estimated. */
  imply(sets: readonly (readonly number[])[], into: readonly number[]): void {
    this.estimate(this.#measuredPairs);
    this.#fill(sets, into, this.#tables);
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
    // Every measured pair may say something about any pair.
    if ([...missing.values()].some(({ length }) => length > 1)) this.#measuredPairs.forEach(need);
    return [...missing.values()].sort((a, b) => a.length - b.length);
  }

  /** What was measured of a set's codes, and what by groups of codes. */
  #evidenceOf(columns: readonly number[]): { byGroups: readonly Evidence[]; byCodes: readonly Evidence[] } {
    const measured = this.#having.get(columns.join()) ?? [];
    const isOf = (query: Measurement["query"]) => query.columns.length === columns.length;
    return {
      byGroups: measured.filter(({ groups, measurement: { query } }) => groups && isOf(query)),
      byCodes: measured.filter(({ measurement: { query } }) =>
        columns.every((column) => !query.groups?.[query.columns.indexOf(column)]),
      ),
    };
  }

  #isMeasured(columns: readonly number[]): boolean {
    const { byGroups, byCodes } = this.#evidenceOf(columns);
    return byGroups.length + byCodes.length > 0;
  }

  /** The table of equally frequent values. */
  #evenly(column: number | undefined): Float64Array {
    if (column === undefined) return Float64Array.of(this.total);
    const { size, missing } = this.attributes[column];
    const values = missing ? size - 1 : size;
    return new Float64Array(size).fill(this.total / values, 0, values);
  }

  #reserve(sets: readonly (readonly number[])[]): number[] {
    return this.engine.reserve(sets.map((columns) => 8 * this.cells(columns)));
  }

  /** Estimates all measured pairs: each on its own and, without public rows, again with what chains imply. */
  #fillMeasured(pairs: readonly Pair[]): void {
    if (!pairs.length) return;
    const { engine, total } = this;
    const tables = this.#allOf(pairs);
    if (this.publicCounts) {
      this.#fill(pairs, tables);
      return;
    }
    engine.scratch(() => {
      const pointers = this.#reserve(pairs);
      const alone: Tables = new Map(pairs.map((pair, at) => [pair.join(), pointers[at]]));
      this.#fill(pairs, pointers);
      const calls = new Calls(engine);
      for (const [at, pair] of pairs.entries()) calls.add("dependenceOf", pointers[at], ...this.marginsOf(pair), total);
      const sizes = this.attributes.map(({ size }) => size);
      this.#chains = new StrongestChains(pairs, calls.results(), sizes);
      this.#fill(pairs, tables, alone);
    });
  }

  /** The pointers to estimated tables. */
  #allOf(sets: readonly (readonly number[])[]): number[] {
    return sets.map((columns) => this.of(columns));
  }

  /**
   * Fills the tables of sets at pointers, those of their margins first.
   * @param linked the tables of pairs that make chains, if chains are to be heard
   */
  #fill(sets: readonly (readonly number[])[], into: readonly number[], linked?: Tables): void {
    if (!sets.length) return;
    this.engine.scratch(() => {
      const placed = this.#place(sets);
      const cells = sets.map((columns) => this.cells(columns));
      // Chains between trees follow the noise of their many leaves (`npm run bench -- table3`: .00054 and .00072).
      const hearsChains = (columns: readonly number[]): columns is Pair =>
        linked !== undefined && isPair(columns) && !columns.some((column) => this.attributes[column].tree);
      const thirds = sets.map((columns) => (hearsChains(columns) && this.#chains?.thirdsOf(columns)) || []);
      const room = this.#room(sets, thirds);
      const known = this.#publicTables(sets);
      const calls = new Calls(this.engine);
      for (const [at, columns] of sets.entries()) {
        const { query, margins, ordered } = placed[at];
        const values = into[at];
        const counts = known.get(columns);
        const sampling = counts && 1 + this.total / this.publicCounts!.rows;
        if (counts) calls.add("publicRowsTable", query, counts, this.total, values, margins, room.scratch);
        else if (columns.length > 1) calls.add("fitMargins", query, values, margins, roundsOf(columns), room.scratch);
        for (const [chain, third] of thirds[at].entries())
          this.#addChain(calls, columns as Pair, third, linked!, room.chains + 8 * chain * cells[at], room.scratch);
        const table = { query, ordered, values, cells: cells[at], chains: thirds[at].length, sampling };
        this.#correct(calls, columns, table, room);
      }
      calls.run();
    });
  }

  /** Where the counts of public rows are, by single column and pair; of no set without public rows. */
  #publicTables(sets: readonly (readonly number[])[]): ReadonlyMap<readonly number[], number> {
    const small = this.publicCounts ? sets.filter(({ length }) => length === 1 || length === 2) : [];
    const pointers = small.length ? this.engine.placeAll(this.publicCounts!.of(small)) : [];
    return new Map(small.map((columns, at) => [columns, pointers[at]]));
  }

  /** Places what calls need to know of sets of columns. Their margins have their pointers already. */
  #place(sets: readonly (readonly number[])[]): PlacedSet[] {
    const words = new Words();
    const places = sets.map((columns) => ({
      query: words.add(queryWords(queryOf(columns, this.attributes), this.attributes)),
      margins: columns.length > 1 ? words.add(this.#allOf(marginsOf(columns))) : 0,
      ordered: words.add(orderedCodes(columns.map((column) => this.attributes[column]))),
    }));
    const start = words.place(this.engine);
    return places.map(({ query, margins, ordered }) => ({
      query: start + query,
      margins: start + margins,
      ordered: start + ordered,
    }));
  }

  /** Memory that calls about these sets work in. @param thirds for each set, the middle columns of its chains */
  #room(sets: readonly (readonly number[])[], thirds: readonly (readonly number[])[]): Room {
    const cells = sets.map((columns) => this.cells(columns));
    const table = largest(cells) + 1;
    const ofChains = largest(thirds.map(({ length }, at) => length * cells[at]));
    const links = sets.flatMap(([one, other], at) =>
      thirds[at].map((third) => this.cells([one, third]) + this.cells([other, third])),
    );
    const counts = [table, table, Math.max(4 * table, largest(links)), table, table, table, MOST_CHAINS];
    const pointers = this.engine.reserve([...counts, ofChains, ofChains].map((count) => 8 * count));
    const [sums, precisions, scratch, held, wanted, implied, weights, chains, grouped] = pointers;
    return { sums, precisions, scratch, held, wanted, implied, weights, chains, grouped };
  }

  /** Calculates what the chain over a third column implies about the interaction of a pair. */
  #addChain(calls: Calls, pair: Pair, third: number, linked: Tables, out: number, scratch: number): void {
    const [left, right] = pair.map((end) => {
      const isLast = third > end;
      return [linked.get((isLast ? [end, third] : [third, end]).join())!, Number(isLast)] as const;
    });
    const middle = [this.of([third]), this.attributes[third].size] as const;
    calls.add("chainInteraction", ...left, ...right, ...middle, ...this.marginsOf(pair), this.total, out, scratch);
  }

  /** Adds what chains and measurements say about a set of columns to what its margins imply. */
  #correct(calls: Calls, columns: readonly number[], table: PlacedTable, room: Room): void {
    const { byGroups, byCodes } = this.#evidenceOf(columns);
    const { values, cells, chains } = table;
    for (const [at, evidence] of byGroups.entries())
      this.#byGroups(calls, evidence, at ? { ...table, chains: 0 } : table, room);
    if (byCodes.length) {
      shrink(calls, byGroups.length ? { ...table, chains: 0 } : table, byCodes, room);
      if (columns.length === 1) calls.add("projectOnSimplex", values, cells, this.total, room.held, room.scratch);
    } else if (chains && !byGroups.length) {
      calls.add("weighChains", values, room.chains, chains, cells, room.weights);
      calls.add("addChains", values, room.chains, chains, cells, room.weights);
    }
  }

  /**
   * Updates a table with a measured marginal of groups of its codes: each group's cells are scaled to the group's
   * estimate.
   */
  #byGroups(calls: Calls, evidence: Evidence, table: PlacedTable, room: Room): void {
    const { measurement, byCode, ordered } = evidence;
    const [byGroup, maps] = evidence.groups!;
    const { values, cells, chains } = table;
    const { held, wanted, implied, weights } = room;
    const count = measurement.answers.length;
    const sum = (from: number, to: number) => {
      calls.add("clear", to, 8 * count);
      calls.add("sumGroups", byCode, byGroup, maps, from, to);
    };
    if (chains) {
      sum(values, implied);
      for (let chain = 0; chain < chains; chain++)
        sum(room.chains + 8 * chain * cells, room.grouped + 8 * chain * count);
      addEvidence(calls, byGroup, [evidence], implied, room);
      calls.add(
        "fitChains",
        ...([byGroup, implied, room.grouped, chains, room.sums, room.precisions, weights, room.scratch] as const),
      );
      calls.add("addChains", values, room.chains, chains, cells, weights);
      calls.add("conditionalCounts", values, 1, cells, 0, values);
    }
    sum(values, held);
    calls.add("copy", held, wanted, 8 * count);
    if (!chains) addEvidence(calls, byGroup, [evidence], held, room);
    addSignal(calls, { query: byGroup, ordered, values: wanted, sampling: table.sampling }, chains ? implied : 0, room);
    calls.add("scaleGroups", byCode, byGroup, maps, values, held, wanted);
  }
}

const isPair = (columns: readonly number[]): columns is Pair => columns.length === 2;

const margins = new WeakMap<readonly number[], readonly (readonly number[])[]>();

/** The sets with one column fewer. */
export function marginsOf(columns: readonly number[]): readonly (readonly number[])[] {
  const sets = margins.get(columns) ?? columns.map((_, axis) => columns.toSpliced(axis, 1));
  margins.set(columns, sets);
  return sets;
}

const roundsOf = ({ length }: readonly number[]): number => (length === 2 ? ROUNDS_OF_PAIRS : ROUNDS);

/** How many codes of each axis, from the first, are ordered and enough to be shrunk as such; otherwise 0. */
function orderedCodes(axes: readonly Attribute[]): number[] {
  return axes.map(({ ordered, size, tree, missing }) => {
    const values = missing ? size - 1 : size;
    return ordered && !tree && values >= LEAST_ORDERED ? values : 0;
  });
}
