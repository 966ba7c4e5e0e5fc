import type { Attribute } from "../domain/attribute.js";
import { Instance } from "../engine/instance.js";
import { groupedAttributes, groupOfCells } from "../queries/marginal.js";
import type { Measurement } from "../queries/measurement.js";
import { cellsIn, cellsOf, isColumnSet, type Query, queryOf } from "../queries/query.js";
import { writeQuery } from "../queries/struct.js";
import { projectOnSimplex } from "./simplex.js";

/** Columns with fewer ordered codes have too few Haar coefficients to distinguish noise from signal. */
const LEAST_ORDERED = 13;
/**
 * How many times a table is fitted to its margins. The margins are estimates that contradict each other slightly, so
 * more rounds would gain nothing.
 */
const ROUNDS = 5;
/** Single columns cannot contradict each other: the first round gives their product. */
const ROUNDS_OF_PAIRS = 1;

/**
 * The most likely true answers, given all noisy answers: fitting the noisy answers themselves would fit their noise.
 * Each set of columns has one estimate. It consists of what the set's margins imply (the margins are the estimates of
 * the sets with one column fewer; a single column starts with equally frequent values) and, of everything that was
 * measured about the set, the part that stands out from the noise. Queries other than column sets contribute nothing.
 * Estimates are computed in an engine of their own. They are post-processing, based only on noisy answers and public
 * facts.
 */
export class Estimates {
  readonly #instance = new Instance();
  readonly #tables = new Map<string, Float64Array>();
  /** For each set of columns, the measurements that include all of them, in order. */
  readonly #having = new Map<string, Measurement[]>();

  /** @param total the number of rows that all estimates share, positive */
  constructor(
    readonly measurements: readonly Measurement[],
    readonly attributes: readonly Attribute[],
    readonly total: number,
  ) {
    for (const measurement of measurements.filter(({ query }) => isColumnSet(query)))
      for (const columns of subsetsOf(measurement.query.columns)) {
        const having = this.#having.get(columns.join());
        if (having) having.push(measurement);
        else this.#having.set(columns.join(), [measurement]);
      }
  }

  /**
   * For each attribute, the expected counts of its codes: non-negative, summing to the total. An attribute that was not
   * measured is uniform over its values and never missing.
   */
  oneWays(): Float64Array[] {
    return this.attributes.map((_, column) => this.#table([column]));
  }

  /**
   * The expected answers to a query, as counts in the order of its answers; for a grouped query, those of the codes in
   * the groups. For several columns, they may be below 0 where there should be no rows: raising them to 0 would call
   * for more rows than there are.
   */
  answers({ kind, columns }: Query): Float64Array {
    if (kind === "total") return Float64Array.of(this.total);
    const table = this.#table(columns);
    return kind === "tree" ? this.#levels(columns, table) : table;
  }

  /**
   * The answers that a query's margins imply: what to expect of a table about which nothing more is known. In counts,
   * none below 0.
   */
  implied({ kind, columns }: Query): Float64Array {
    const table = this.#implied(columns);
    return kind === "tree" ? this.#levels(columns, table) : table;
  }

  /** The estimated counts of all combinations of some columns' codes (for a tree: of its leaves), row-major. */
  #table(columns: readonly number[]): Float64Array {
    const key = columns.join();
    const known = this.#tables.get(key);
    if (known) return known;
    const table = this.#measured(columns, columns.length === 1 ? this.#uniform(columns[0]) : this.#implied(columns));
    this.#tables.set(key, table);
    return table;
  }

  #uniform(column: number): Float64Array {
    const { size, missing } = this.attributes[column];
    const values = missing ? size - 1 : size;
    return Float64Array.from({ length: size }, (_, code) => (code < values ? this.total / values : 0));
  }

  #implied(columns: readonly number[]): Float64Array {
    const margins = columns.map((_, axis) => this.#table(columns.toSpliced(axis, 1)));
    const cells = this.#cells(columns);
    return this.#run((instance) => {
      const query = this.#write(columns, this.attributes);
      const table = instance.alloc(8 * cells);
      const pointers = instance.place(Uint32Array.from(margins, (margin) => instance.place(margin)));
      const rounds = columns.length === 2 ? ROUNDS_OF_PAIRS : ROUNDS;
      instance.exports.fitMargins(query, table, pointers, rounds, instance.alloc(8 * cells));
      return instance.readF64(table, cells);
    });
  }

  /** Adds what was measured about a set of columns to what is implied: first by groups of codes, then code by code. */
  #measured(columns: readonly number[], implied: Float64Array): Float64Array {
    const measured = this.#having.get(columns.join()) ?? [];
    const table = measured
      .filter(({ query }) => query.groups && query.columns.length === columns.length)
      .reduce((sum, measurement) => this.#byGroups(measurement, sum), implied);
    const telling = measured.filter(({ query }) =>
      columns.every((column) => !query.groups?.[query.columns.indexOf(column)]),
    );
    if (!telling.length) return table;
    const shrunk = this.#shrunk(columns, this.attributes, table, telling);
    return columns.length === 1 ? projectOnSimplex(shrunk, this.total) : shrunk;
  }

  /**
   * Updates a table with a measured marginal of groups of its codes: each group's cells are scaled to the group's
   * estimate.
   */
  #byGroups(measurement: Measurement, table: Float64Array): Float64Array {
    const { query, answers } = measurement;
    const groups = groupOfCells(query, this.attributes);
    const held = new Float64Array(answers.length);
    for (let cell = 0; cell < table.length; cell++) held[groups[cell]] += table[cell];
    const shrunk = this.#shrunk(query.columns, groupedAttributes(query, this.attributes), held, [measurement]);
    const factors = shrunk.map((count, group) => (held[group] > 0 ? count / held[group] : 0));
    const scaled = new Float64Array(table.length);
    for (let cell = 0; cell < table.length; cell++) scaled[cell] = table[cell] * factors[groups[cell]];
    return scaled;
  }

  /** @param attributes with the codes, or groups of codes, that the table and the measurements have in these columns */
  #shrunk(
    columns: readonly number[],
    attributes: readonly Attribute[],
    implied: Float64Array,
    measurements: readonly Measurement[],
  ): Float64Array {
    return this.#run((instance) => {
      const { addMargin, shrinkTable } = instance.exports;
      const margin = this.#write(columns, attributes);
      const table = instance.place(implied);
      const [sums, precisions] = [0, 1].map(() => instance.alloc(8 * implied.length));
      const scratch = instance.alloc(8 * (3 * implied.length + 1));
      for (const { query, answers, sigma2 } of measurements) {
        instance.scratch(() => {
          const measured = this.#write(query.columns, groupedAttributes(query, this.attributes));
          addMargin(measured, margin, instance.place(answers), sigma2, sums, precisions, scratch);
        });
      }
      const ordered = instance.place(Uint32Array.from(columns, (column) => orderedCodes(attributes[column])));
      shrinkTable(margin, ordered, table, sums, precisions, scratch);
      return instance.readF64(table, implied.length);
    });
  }

  #levels(columns: readonly number[], finest: Float64Array): Float64Array {
    const query = queryOf(columns, this.attributes);
    const levels = new Float64Array(cellsOf(query, this.attributes));
    levels.set(finest, levels.length - finest.length);
    return this.#run((instance) => {
      const answers = instance.place(levels);
      instance.exports.estimateLevels(this.#write(columns, this.attributes), answers);
      return instance.readF64(answers, levels.length);
    });
  }

  #cells(columns: readonly number[]): number {
    return cellsIn(columns.map((column) => this.attributes[column].size));
  }

  #write(columns: readonly number[], attributes: readonly Attribute[]): number {
    return writeQuery(this.#instance, queryOf(columns, attributes), attributes);
  }

  #run<T>(job: (instance: Instance) => T): T {
    return this.#instance.scratch(() => job(this.#instance));
  }
}

/** All non-empty subsets of some columns, each in the given order. */
function subsetsOf(columns: readonly number[]): number[][] {
  const subsets: number[][] = [[]];
  for (const column of columns) subsets.push(...subsets.map((subset) => [...subset, column]));
  return subsets.slice(1);
}

/** How many of an attribute's codes, from the first, are ordered and enough to be shrunk as such; otherwise 0. */
function orderedCodes({ ordered, size, tree, missing }: Attribute): number {
  const values = missing ? size - 1 : size;
  return ordered && !tree && values >= LEAST_ORDERED ? values : 0;
}
