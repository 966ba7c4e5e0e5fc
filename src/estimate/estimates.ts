import type { Attribute } from "../domain/attribute.js";
import { Instance } from "../engine/instance.js";
import { groupedAttributes } from "../queries/marginal.js";
import type { Measurement } from "../queries/measurement.js";
import { cellsIn, cellsOf, isColumnSet, type Query, queryOf } from "../queries/query.js";
import { writeGroups, writeQuery } from "../queries/struct.js";

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
  /** Pointers to the tables that were estimated, f64 each. They stay. */
  readonly #tables = new Map<string, number>();
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
    return this.attributes.map(({ size }, column) => this.#instance.readF64(this.#table([column]), size));
  }

  /**
   * The expected answers to a query, as counts in the order of its answers; for a grouped query, those of the codes in
   * the groups. For several columns, they may be below 0 where there should be no rows: raising them to 0 would call
   * for more rows than there are.
   */
  answers({ kind, columns }: Query): Float64Array {
    if (kind === "total") return Float64Array.of(this.total);
    const table = this.#table(columns);
    if (kind !== "tree") return this.#instance.readF64(table, this.#cells(columns));
    return this.#instance.scratch(() => this.#instance.readF64(...this.#levels(columns, table)));
  }

  /**
   * What to expect of a table about which nothing is known beyond its margins, as targets of a selection, and the L1
   * distance from them that chance contributes.
   * @param most the largest target allowed
   */
  implied({ kind, columns }: Query, most: number): { readonly targets: Int32Array; readonly chance: number } {
    const margins = this.#margins(columns);
    const instance = this.#instance;
    return instance.scratch(() => {
      const table = instance.alloc(8 * this.#cells(columns));
      this.#fit(columns, margins, table);
      const [answers, cells] = kind === "tree" ? this.#levels(columns, table) : [table, this.#cells(columns)];
      const targets = instance.alloc(4 * cells);
      const chance = instance.exports.chanceTargets(answers, cells, most, targets);
      return { targets: instance.readI32(targets, cells), chance };
    });
  }

  /** Σ |count − expected count for independent columns| over the codes of two columns, in ascending order. */
  interaction([row, column]: readonly [number, number]): number {
    const [first, second, table] = [[row], [column], [row, column]].map((columns) => this.#table(columns));
    const [rows, columns] = [row, column].map((one) => this.attributes[one].size);
    return this.#instance.exports.interactionOf(table, first, rows, second, columns, this.total);
  }

  /** The counts of a column's codes for each code of another column, none below 0. */
  conditional(column: number, given: number): Float64Array {
    const pair = [Math.min(column, given), Math.max(column, given)];
    const table = this.#table(pair);
    const [rows, columns] = pair.map((one) => this.attributes[one].size);
    const instance = this.#instance;
    return instance.scratch(() => {
      const counts = instance.alloc(8 * rows * columns);
      instance.exports.conditionalCounts(table, rows, columns, Number(column < given), counts);
      return instance.readF64(counts, rows * columns);
    });
  }

  /** Gives the engine's memory back. Nothing is estimated after that. */
  drop(): void {
    this.#instance.drop();
  }

  /**
   * The estimated counts of all combinations of some columns' codes (for a tree: of its leaves), row-major. Never
   * called within scratch, which would free the table.
   */
  #table(columns: readonly number[]): number {
    const key = columns.join();
    const known = this.#tables.get(key);
    if (known) return known;
    const margins = columns.length === 1 ? [] : this.#margins(columns);
    const table = this.#instance.alloc(8 * this.#cells(columns));
    if (columns.length === 1) this.#instance.write(table, this.#uniform(columns[0]));
    else this.#fit(columns, margins, table);
    this.#correct(columns, table);
    this.#tables.set(key, table);
    return table;
  }

  #margins(columns: readonly number[]): number[] {
    return columns.map((_, axis) => this.#table(columns.toSpliced(axis, 1)));
  }

  #uniform(column: number): Float64Array {
    const { size, missing } = this.attributes[column];
    const values = missing ? size - 1 : size;
    return new Float64Array(size).fill(this.total / values, 0, values);
  }

  /** Replaces a table by what its margins imply. */
  #fit(columns: readonly number[], margins: readonly number[], table: number): void {
    const instance = this.#instance;
    instance.scratch(() => {
      const query = this.#write(columns, this.attributes);
      const rounds = columns.length === 2 ? ROUNDS_OF_PAIRS : ROUNDS;
      const scratch = instance.alloc(8 * this.#cells(columns));
      instance.exports.fitMargins(query, table, instance.place(Uint32Array.from(margins)), rounds, scratch);
    });
  }

  /** Adds what was measured about a set of columns to what is implied: first by groups of codes, then code by code. */
  #correct(columns: readonly number[], table: number): void {
    const measured = this.#having.get(columns.join()) ?? [];
    for (const measurement of measured)
      if (measurement.query.groups && measurement.query.columns.length === columns.length)
        this.#byGroups(measurement, table);
    const telling = measured.filter(({ query }) =>
      columns.every((column) => !query.groups?.[query.columns.indexOf(column)]),
    );
    if (!telling.length) return;
    const cells = this.#cells(columns);
    this.#shrink(columns, this.attributes, table, cells, telling);
    if (columns.length > 1) return;
    this.#instance.scratch(() => {
      const [order, scratch] = [4, 16].map((bytes) => this.#instance.alloc(bytes * cells));
      this.#instance.exports.projectOnSimplex(table, cells, this.total, order, scratch);
    });
  }

  /**
   * Updates a table with a measured marginal of groups of its codes: each group's cells are scaled to the group's
   * estimate.
   */
  #byGroups(measurement: Measurement, table: number): void {
    const { query, answers } = measurement;
    const instance = this.#instance;
    const { sumGroups, scaleGroups, copy } = instance.exports;
    instance.scratch(() => {
      const structs = writeGroups(instance, query, this.attributes);
      const [held, wanted] = [0, 1].map(() => instance.alloc(8 * answers.length));
      sumGroups(...structs, table, held);
      copy(held, wanted, 8 * answers.length);
      const grouped = groupedAttributes(query, this.attributes);
      this.#shrink(query.columns, grouped, wanted, answers.length, [measurement]);
      scaleGroups(...structs, table, held, wanted);
    });
  }

  /**
   * Adds to what is implied about a table whatever stands out from the noise of measurements.
   * @param attributes with the codes, or groups of codes, that the table and the measurements have in these columns
   */
  #shrink(
    columns: readonly number[],
    attributes: readonly Attribute[],
    table: number,
    cells: number,
    measurements: readonly Measurement[],
  ): void {
    const instance = this.#instance;
    const { addMargin, shrinkTable } = instance.exports;
    instance.scratch(() => {
      const margin = this.#write(columns, attributes);
      const [sums, precisions] = [0, 1].map(() => instance.alloc(8 * cells));
      const scratch = instance.alloc(8 * (3 * cells + 1));
      for (const { query, answers, sigma2 } of measurements)
        instance.scratch(() => {
          const measured = this.#write(query.columns, groupedAttributes(query, this.attributes));
          addMargin(measured, margin, instance.place(answers), sigma2, sums, precisions, scratch);
        });
      const ordered = instance.place(Uint32Array.from(columns, (column) => orderedCodes(attributes[column])));
      shrinkTable(margin, ordered, table, sums, precisions, scratch);
    });
  }

  /** All levels of a tree, given the finest: a pointer to them, in scratch, and their cells. */
  #levels(columns: readonly number[], finest: number): [levels: number, cells: number] {
    const cells = cellsOf(queryOf(columns, this.attributes), this.attributes);
    const last = this.#cells(columns);
    const levels = this.#instance.alloc(8 * cells);
    this.#instance.exports.copy(finest, levels + 8 * (cells - last), 8 * last);
    this.#instance.exports.estimateLevels(this.#write(columns, this.attributes), levels);
    return [levels, cells];
  }

  #cells(columns: readonly number[]): number {
    return cellsIn(columns.map((column) => this.attributes[column].size));
  }

  #write(columns: readonly number[], attributes: readonly Attribute[]): number {
    return writeQuery(this.#instance, queryOf(columns, attributes), attributes);
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
