import { Instance } from "../engine/wasm.js";
import { groupedAttributes, groupOfCells } from "../queries/marginal.js";
import type { Measurement } from "../queries/measurement.js";
import { cellsIn, cellsOf, isColumnSet, type Query, queryOf } from "../queries/query.js";
import { writeQuery } from "../queries/struct.js";
import type { Attribute } from "../schema/schema.js";
import { projectOnSimplex } from "./simplex.js";

/** Columns of fewer ordered codes have too few Haar coefficients to tell what is noise. */
const LEAST_ORDERED = 13;
/** Rounds of fitting a table to its margins. They are estimates that contradict each other a little, so that more would gain nothing. */
const ROUNDS = 5;
/** Single columns contradict each other in nothing: the first round gives their product. */
const ROUNDS_OF_PAIRS = 1;

/**
 * What the rows most likely answer, from all noisy answers: fitting these themselves would fit their noise. Each set of
 * columns has one estimate: what its margins imply (the estimates of the sets with a column less; of one column: its
 * values are equally frequent), and of all that was measured about it what stands out of the noise. Queries of other
 * classes than column sets tell it nothing. Made in an engine of its own. Post-processing: noisy answers and public
 * facts alone.
 */
export class Estimates {
  readonly #instance = new Instance();
  readonly #tables = new Map<string, Float64Array>();
  /** For each set of columns the measurements that have them all, in their order. */
  readonly #having = new Map<string, Measurement[]>();

  /** @param total the common number of rows, positive */
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
   * For each attribute its codes' expected counts, non-negative, summing to the total. An attribute that nothing measured is uniform over
   * its values, never missing.
   */
  oneWays(): Float64Array[] {
    return this.attributes.map((_, column) => this.#table([column]));
  }

  /**
   * The expected answers to a query, in counts, in the order of answers; to a grouped one those of the codes in the groups. Of several
   * columns they may be below 0, where rows should have none: lifted to 0 they would ask for more rows than there are.
   */
  answers({ kind, columns }: Query): Float64Array {
    if (kind === "total") return Float64Array.of(this.total);
    const table = this.#table(columns);
    return kind === "tree" ? this.#levels(columns, table) : table;
  }

  /** The answers that a query's margins imply: what to expect of tables about which nothing more is known. In counts, none below 0. */
  implied({ kind, columns }: Query): Float64Array {
    const table = this.#implied(columns);
    return kind === "tree" ? this.#levels(columns, table) : table;
  }

  /** The estimated counts of the combinations of some columns' codes (of a tree: leaves), row-major. */
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
      return instance.f64(table, cells).slice();
    });
  }

  /** What was measured about a set of columns added to what is implied: first by groups of codes, then code by code. */
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

  /** A table after a marginal of groups of its codes was measured: each group's cells scaled to its estimate. */
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

  /** @param attributes with the codes, or groups of them, that the table and the measurements have in these columns */
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
        const mark = instance.exports.mark();
        const measured = this.#write(query.columns, groupedAttributes(query, this.attributes));
        addMargin(measured, margin, instance.place(answers), sigma2, sums, precisions, scratch);
        instance.exports.rewind(mark);
      }
      const ordered = instance.place(Uint32Array.from(columns, (column) => orderedCodes(attributes[column])));
      shrinkTable(margin, ordered, table, sums, precisions, scratch);
      return instance.f64(table, implied.length).slice();
    });
  }

  #levels(columns: readonly number[], finest: Float64Array): Float64Array {
    const query = queryOf(columns, this.attributes);
    const levels = new Float64Array(cellsOf(query, this.attributes));
    levels.set(finest, levels.length - finest.length);
    return this.#run((instance) => {
      const answers = instance.place(levels);
      instance.exports.estimateLevels(this.#write(columns, this.attributes), answers);
      return instance.f64(answers, levels.length).slice();
    });
  }

  #cells(columns: readonly number[]): number {
    return cellsIn(columns.map((column) => this.attributes[column].size));
  }

  #write(columns: readonly number[], attributes: readonly Attribute[]): number {
    return writeQuery(this.#instance, queryOf(columns, attributes), attributes);
  }

  /** Runs a job whose memory is given back. */
  #run<T>(job: (instance: Instance) => T): T {
    const { exports: engine } = this.#instance;
    const mark = engine.mark();
    const result = job(this.#instance);
    engine.rewind(mark);
    return result;
  }
}

/** The sets of one and more of some columns, each in their order. */
function subsetsOf(columns: readonly number[]): number[][] {
  const subsets: number[][] = [[]];
  for (const column of columns) subsets.push(...subsets.map((subset) => [...subset, column]));
  return subsets.slice(1);
}

/** How many of an attribute's codes, from the first, are ordered and enough to be shrunk as such; else 0. */
function orderedCodes({ ordered, size, tree, missing }: Attribute): number {
  const values = missing ? size - 1 : size;
  return ordered && !tree && values >= LEAST_ORDERED ? values : 0;
}
