// What the engine does with the queries of one kind: four functions that the kind's file provides. The answers of a
// query, and in a search their residuals, lie one i32 after the other; residuals are in units of a row.

/**
 * Adds `rows` rows to a query's answers. Counts add up over calls, whatever the order of the rows and however they are
 * split.
 * @param query a QUERY
 * @param columns u32[]: for each column of the table a pointer to its `rows` codes, u16, each below the column's size
 * @param out i32[cells]: the query's answers
 */
export type AnswerRows = (query: usize, columns: usize, rows: u32, out: usize) => void;

/**
 * How much the loss changes, in squared units, when the code of a row on one axis becomes `value`: the sum over the
 * answers that the row enters or leaves of the change of their squared residual.
 * @param codes u16[]: the row
 * @param unit a row in the units of the residuals, even
 */
export type LossOfChange = (query: usize, residuals: usize, codes: usize, axis: u32, value: u32, unit: i32) => i64;

/** Subtracts from the score (i32) of each code of an axis what `LossOfChange` says of it, divided by 2 · unit. */
export type ScoreCodes = (query: usize, residuals: usize, codes: usize, axis: u32, unit: i32, scores: usize) => void;

/**
 * Updates the residuals to what they are when the code of a row on one axis becomes `value`; the row itself is left
 * alone.
 */
export type MoveResiduals = (query: usize, residuals: usize, codes: usize, axis: u32, value: u32, unit: i32) => void;

/** Pointers to the four functions of a kind, in static memory. */
@unmanaged
export class QueryKind {
  answerRows: AnswerRows;
  lossOfChange: LossOfChange;
  scoreCodes: ScoreCodes;
  moveResiduals: MoveResiduals;
}

/** Bytes of a QueryKind. */
export const QUERY_KIND_BYTES = 16;

/** Fills a QueryKind. @param place `memory.data(QUERY_KIND_BYTES)`, one per kind */
export function queryKind(
  place: usize,
  answerRows: AnswerRows,
  lossOfChange: LossOfChange,
  scoreCodes: ScoreCodes,
  moveResiduals: MoveResiduals,
): QueryKind {
  const kind = changetype<QueryKind>(place);
  kind.answerRows = answerRows;
  kind.lossOfChange = lossOfChange;
  kind.scoreCodes = scoreCodes;
  kind.moveResiduals = moveResiduals;
  return kind;
}
