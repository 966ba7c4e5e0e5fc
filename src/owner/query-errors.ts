import { StandinError } from "../core/errors.js";
import type { Table } from "../core/table.js";
import type { Attribute } from "../domain/attribute.js";
import { cellsIn, classOf, comparedColumns, isColumnSet, keyOf, type Query, shapesOf } from "../queries/query.js";
import type { QueryJson } from "../queries/query-class.js";
import { RowAnswers } from "../queries/row-answers.js";
import { withTarget } from "../queries/target.js";
import { type QueryList, type Workload, workloadQueries } from "../queries/workload.js";
import { modelColumns } from "../schema/encode.js";
import { refined } from "../schema/refine.js";
import type { Schema } from "../schema/schema.js";
import { targetPlaces } from "./target-places.js";

/** How far apart the answers of two tables are, exactly. This is what `standin evaluate --json` prints. */
export interface QueryErrors extends Errors {
  /**
   * These numbers were computed from the real rows without noise: anyone who sees them learns about the people in the
   * table.
   */
  readonly private: false;
  readonly workload: Workload;
  /** The queries besides those of the workload, if any. */
  readonly queries?: QueryList;
  /** The columns to predict, if any: with each of them, the column sets of the workload are compared too. */
  readonly targets?: readonly string[];
  readonly rows: { readonly real: number; readonly synthetic: number };
  /** Number of queries compared. */
  readonly workloads: number;
  /** The same for the queries of each class, column sets by their size, in the order in which these first occur. */
  readonly classes: readonly ClassErrors[];
  /** The queries with the largest distances, worst first. */
  readonly worst: readonly FarQuery[];
}

/** A query, as releases state it, and its total variation distance. */
export interface FarQuery extends QueryJson {
  /** The class. */
  readonly query: string;
  readonly columns: readonly string[];
  readonly tv: number;
}

/** How far apart the answers to the queries of one class are. */
export interface ClassErrors extends Errors {
  /** The class: `"marginal"`, `"tree"`, `"random-prefixes"` … */
  readonly query: string;
  /** How many columns each set has, for column sets. */
  readonly order?: number;
  readonly workloads: number;
}

/** How far apart answers are. */
interface Errors {
  /** Number of cells compared, in all levels of trees. */
  readonly cells: number;
  /**
   * Mean and maximum over the queries of the total variation distance ½ Σ|p − q|, 0 to 1: of a column set on its
   * codes or leaves, of other queries the largest of any of their partitions. Of a predicate it is |p − q|.
   */
  readonly meanTv: number;
  readonly maxTv: number;
  /**
   * Mean, maximum and root mean square of |p − q| over all cells of all levels, each table's counts divided by its own
   * number of rows; 0 to 1.
   */
  readonly meanError: number;
  readonly maxError: number;
  readonly rmse: number;
}

const WORST = 5;

/**
 * NOT PRIVATE. Compares a synthetic table with the real one, exactly and without noise. The result is only for the
 * owner of the real table: publishing it would reveal what the release protects.
 *
 * @param workload the queries to compare (default `"2-way"`)
 * @param more queries to compare besides them
 * @param targets columns that rows should predict: each column set is also compared with each of them added (of two
 *   columns that predict a third only together, pairs show nothing)
 * @throws {StandinError} `workload/…`; `evaluate/target`; `evaluate/empty` if a table has no rows, and so no shares to
 *   compare
 * @example
 * const schema = parseSchema({ fields: [{ name: "sex", type: "string", constraints: { enum: ["F", "M"] } }] });
 * const real = parseCsv("sex\nF\nM\n", schema);
 * const synthetic = parseCsv("sex\nF\nF\n", schema);
 * nonPrivateQueryErrors(real, synthetic, schema).meanTv; // → 0.5
 */
export function nonPrivateQueryErrors(
  real: Table,
  synthetic: Table,
  schema: Schema,
  workload: Workload = "2-way",
  more?: QueryList,
  targets: readonly string[] = [],
): QueryErrors {
  const queries = withTargets(workloadQueries(workload, schema, more), targets, schema);
  const coded = refined(schema, comparedColumns(queries));
  const rows = { real: real.length, synthetic: synthetic.length };
  const errors = withShares(real, coded, "real", (ofReal) =>
    withShares(synthetic, coded, "synthetic", (ofSynthetic) =>
      errorsBetween(ofReal, ofSynthetic, queries, coded.attributes),
    ),
  );
  const named = { ...(more && { queries: more }), ...(targets.length && { targets }) };
  return { private: false, workload, ...named, rows, ...errors };
}

/** The queries, and after them their column sets with each of the targets added. */
function withTargets(queries: Query[], targets: readonly string[], schema: Schema): Query[] {
  if (!targets.length || !queries.some(isColumnSet)) return queries;
  const lists = targetPlaces(schema, targets).map((place) => withTarget({ queries }, place, schema.attributes).queries);
  return [...new Map([queries, ...lists].flat().map((query) => [keyOf(query), query])).values()];
}

function errorsBetween(
  ofReal: Shares,
  ofSynthetic: Shares,
  queries: readonly Query[],
  attributes: readonly Attribute[],
): Omit<QueryErrors, "private" | "workload" | "queries" | "rows"> {
  const all = new Sums();
  const classes = new Map<string, { readonly of: { query: string; order?: number }; readonly sums: Sums }>();
  const distances: { query: Query; tv: number }[] = [];
  for (const query of queries) {
    const p = ofReal(query);
    const differences = ofSynthetic(query).map((q, cell) => Math.abs(p[cell] - q));
    const tv = distanceOf(differences, query, attributes);
    const order = isColumnSet(query) ? query.columns.length : undefined;
    const key = `${query.kind} ${order}`;
    const ofClass = classes.get(key) ?? { of: { query: query.kind, ...(order && { order }) }, sums: new Sums() };
    classes.set(key, ofClass);
    for (const sums of [all, ofClass.sums]) sums.add(differences, tv);
    distances.push({ query, tv });
  }
  return {
    workloads: queries.length,
    ...all.errors(),
    classes: [...classes.values()].map(({ of, sums }) => ({ ...of, workloads: sums.queries, ...sums.errors() })),
    worst: distances
      .toSorted((a, b) => b.tv - a.tv)
      .slice(0, WORST)
      .map(({ query, tv }) => {
        const columns = query.columns.map((column) => attributes[column].name);
        return { query: query.kind, columns, ...classOf(query).json(query), tv };
      }),
  };
}

/** The total variation distance between answers with these differences (`Errors`). */
function distanceOf(differences: Float64Array, query: Query, attributes: readonly Attribute[]): number {
  const sizes = shapesOf(query, attributes).map(cellsIn);
  const counted = isColumnSet(query) ? sizes.slice(-1) : sizes;
  let cell = sizes.slice(0, sizes.length - counted.length).reduce((sum, size) => sum + size, 0);
  let largest = 0;
  for (const size of counted) {
    let sum = 0;
    for (const end = cell + size; cell < end; cell++) sum += differences[cell];
    largest = Math.max(largest, sum / 2);
  }
  for (; cell < differences.length; cell++) largest = Math.max(largest, differences[cell]);
  return largest;
}

/** The sums from which `Errors` follow. */
class Sums {
  queries = 0;
  #cells = 0;
  #sum = 0;
  #squares = 0;
  #largest = 0;
  #tv = 0;
  #largestTv = 0;

  /** @param differences |p − q| of a query's answers. @param tv their total variation distance */
  add(differences: Float64Array, tv: number): void {
    this.queries++;
    this.#cells += differences.length;
    for (const difference of differences) {
      this.#sum += difference;
      this.#squares += difference * difference;
      this.#largest = Math.max(this.#largest, difference);
    }
    this.#tv += tv;
    this.#largestTv = Math.max(this.#largestTv, tv);
  }

  errors(): Errors {
    return {
      cells: this.#cells,
      meanTv: this.#tv / this.queries,
      maxTv: this.#largestTv,
      meanError: this.#sum / this.#cells,
      maxError: this.#largest,
      rmse: Math.sqrt(this.#squares / this.#cells),
    };
  }
}

/** Answers a query with shares of a table's rows, for all levels. */
type Shares = (query: Query) => Float64Array;

/** Loads a table into an instance of its own, which holds it no longer than `use` takes. */
function withShares<T>(table: Table, schema: Schema, which: string, use: (shares: Shares) => T): T {
  expectRows(table, which);
  const answers = RowAnswers.ofColumns(schema.attributes, modelColumns(table, schema), table.length);
  try {
    return use((query) => Float64Array.from(answers.of(query), (count) => count / table.length));
  } finally {
    answers.drop();
  }
}

/** @throws {StandinError} `evaluate/empty` @internal */
export function expectRows(table: Table, which: string): void {
  if (!table.length)
    throw new StandinError("evaluate/empty", `The ${which} table has no rows.`, "Compare tables with rows.");
}
