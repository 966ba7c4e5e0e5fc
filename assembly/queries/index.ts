// The kinds of queries. A table's cells are counted here, and searched by genetic/ itself, which keeps a copy of its
// residuals for each axis. Every other kind has a file with the four functions below, and a case in each. Its residuals
// lie in the order of its answers, one i32 an answer, in units of a row.
import { KIND_TABLE } from "../layout";
import { countCells } from "./marginal";
import { kindOf } from "./query";

/** Whether a query is a table of codes: a marginal, a tree or a total. */
@inline
export function isTable(query: usize): bool {
  return kindOf(query) == KIND_TABLE;
}

/**
 * Adds `rows` rows to the query's answers, of a table to the finest level. Counts add up over calls, whatever the order
 * of the rows and however they are split.
 * @param query a QUERY
 * @param columns u32[]: for each column of the table a pointer to its `rows` codes, u16, each below the column's size
 * @param out i32[cells]: the query's answers
 */
export function answerRows(query: usize, columns: usize, rows: u32, out: usize): void {
  switch (kindOf(query)) {
    case KIND_TABLE:
      return countCells(query, columns, rows, out);
    default:
      unreachable();
  }
}

/**
 * How much the loss changes, in squared units, when the code of a row on one axis becomes `value`: the sum over the
 * answers that it enters or leaves of the change of their squared residual. Not for tables.
 * @param codes u16[]: the row
 * @param unit a row in the units of the residuals, even
 */
export function lossOfChange(query: usize, residuals: usize, codes: usize, axis: u32, value: u32, unit: i32): i64 {
  switch (kindOf(query)) {
    default:
      return unreachable();
  }
}

/**
 * Takes off the score (i32) of each code of an axis what `lossOfChange` says of it, divided by 2 · unit. Not for
 * tables.
 */
export function scoreCodes(query: usize, residuals: usize, codes: usize, axis: u32, unit: i32, scores: usize): void {
  switch (kindOf(query)) {
    default:
      unreachable();
  }
}

/**
 * Brings the residuals to what they are when the code of a row on one axis becomes `value`; the row itself is left
 * alone. Not for tables.
 */
export function moveResiduals(query: usize, residuals: usize, codes: usize, axis: u32, value: u32, unit: i32): void {
  switch (kindOf(query)) {
    default:
      unreachable();
  }
}
