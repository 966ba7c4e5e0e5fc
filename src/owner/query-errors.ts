import { StandinError } from "../core/errors.js";
import type { Table } from "../core/table.js";
import type { Attribute } from "../domain/attribute.js";
import { cellsIn, comparedColumns, type Query, shapesOf } from "../queries/query.js";
import { RowAnswers } from "../queries/row-answers.js";
import { type QueryList, type Workload, workloadQueries } from "../queries/workload.js";
import { modelColumns } from "../schema/encode.js";
import { refined } from "../schema/refine.js";
import type { Schema } from "../schema/schema.js";

/** How far apart the answers of two tables are, exactly. This is what `standin evaluate --json` prints. */
export interface QueryErrors {
  /**
   * These numbers were computed from the real rows without noise: anyone who sees them learns about the people in the
   * table.
   */
  readonly private: false;
  readonly workload: Workload;
  /** The queries besides those of the workload, if any. */
  readonly queries?: QueryList;
  readonly rows: { readonly real: number; readonly synthetic: number };
  /** Number of column sets compared. */
  readonly workloads: number;
  /** Number of cells compared, in all levels of trees. */
  readonly cells: number;
  /**
   * Mean and maximum over the column sets of the total variation distance ½ Σ|p − q| (for trees, on their leaves; for
   * queries that are not partitions, the largest |p − q|); 0 to 1.
   */
  readonly meanTv: number;
  readonly maxTv: number;
  /**
   * Mean and maximum of |p − q| over all cells of all levels, each table's counts divided by its own number of rows; 0
   * to 1.
   */
  readonly meanError: number;
  readonly maxError: number;
  /** The column sets with the largest distances, worst first. */
  readonly worst: readonly { readonly columns: readonly string[]; readonly tv: number }[];
}

const WORST = 5;

/**
 * NOT PRIVATE. Compares a synthetic table with the real one, exactly and without noise. The result is only for the
 * owner of the real table: publishing it would reveal what the release protects.
 *
 * @param workload the queries to compare (default `"2-way"`)
 * @param more queries to compare besides them
 * @throws {StandinError} `workload/…`; `evaluate/empty` if a table has no rows, and so no shares to compare
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
): QueryErrors {
  const queries = workloadQueries(workload, schema, more);
  const coded = refined(schema, comparedColumns(queries));
  const rows = { real: real.length, synthetic: synthetic.length };
  const errors = withShares(real, coded, "real", (ofReal) =>
    withShares(synthetic, coded, "synthetic", (ofSynthetic) =>
      errorsBetween(ofReal, ofSynthetic, queries, coded.attributes),
    ),
  );
  const named = more && { queries: more };
  return { private: false, workload, ...named, rows, workloads: queries.length, ...errors };
}

function errorsBetween(
  ofReal: Shares,
  ofSynthetic: Shares,
  queries: readonly Query[],
  attributes: readonly Attribute[],
): Pick<QueryErrors, "cells" | "meanTv" | "maxTv" | "meanError" | "maxError" | "worst"> {
  const distances: { columns: string[]; tv: number }[] = [];
  let cells = 0;
  let sum = 0;
  let maxError = 0;
  for (const query of queries) {
    const p = ofReal(query);
    const q = ofSynthetic(query);
    const leaves = shapesOf(query, attributes).at(-1);
    const finest = leaves ? p.length - cellsIn(leaves) : p.length;
    let tv = 0;
    let largest = 0;
    for (let cell = 0; cell < p.length; cell++) {
      const error = Math.abs(p[cell] - q[cell]);
      sum += error;
      largest = Math.max(largest, error);
      if (cell >= finest) tv += error / 2;
    }
    cells += p.length;
    maxError = Math.max(maxError, largest);
    const columns = query.columns.map((column) => attributes[column].name);
    distances.push({ columns, tv: leaves ? tv : largest });
  }
  const worst = distances.toSorted((a, b) => b.tv - a.tv).slice(0, WORST);
  return {
    cells,
    meanTv: distances.reduce((total, { tv }) => total + tv, 0) / queries.length,
    maxTv: worst[0].tv,
    meanError: sum / cells,
    maxError,
    worst,
  };
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
