// What the engine does with the queries of one kind: seven functions that the kind's file provides. The answers of a
// query, and in a search their residuals, lie one i32 after the other; residuals are in units of a row. A search keeps
// a state of each query beside its residuals, whose bytes only the kind knows: whatever spares it work from one call to
// the next.

/**
 * Adds `rows` rows to a query's answers. Counts add up over calls, whatever the order of the rows and however they are
 * split.
 * @param query a QUERY
 * @param columns u32[]: for each column of the table a pointer to its `rows` codes, u16, each below the column's size
 * @param out i32[cells]: the query's answers
 */
export type AnswerRows = (query: usize, columns: usize, rows: u32, out: usize) => void;

/**
 * The bytes of a query's state, 0 for none; a float, since a query that is refused may need more than a pointer holds.
 */
export type StateBytes = (query: usize) => f64;

/** Fills a query's state, which is zeroed, before a search looks at any row. */
export type OpenState = (query: usize, state: usize) => void;

/**
 * How much the loss changes, in squared units, when the code of a row on one axis becomes `value`: the sum over the
 * answers that the row enters or leaves of the change of their squared residual.
 * @param codes u16[]: the row, at the same address in all calls; its codes change after `MoveResiduals` alone
 * @param unit a row in the units of the residuals, even
 */
export type LossOfChange = (
  query: usize,
  residuals: usize,
  state: usize,
  codes: usize,
  axis: u32,
  value: u32,
  unit: i32,
) => i64;

/**
 * Marks the codes of an axis at which the answers of rows may change: two codes without a mark after the first of them
 * are in the same cells. Called for columns with fine codes only; every code of another column counts as marked.
 * @param marks u16[codes]: set to 1 where there is a mark, otherwise left alone
 */
export type MarkCodes = (query: usize, axis: u32, marks: usize) => void;

/**
 * Subtracts from the scores of an axis' codes what `LossOfChange` says of each, divided by 2 · unit. Codes between two
 * marks are one run with one score, and what is changed are the steps from the score of one run to that of the next.
 * @param runOf u16[codes + 1]: the run of each code, the last entry being the number of runs
 * @param steps i32[runs + 1]: the score of run r is the sum of the first r + 1
 */
export type ScoreCodes = (
  query: usize,
  residuals: usize,
  state: usize,
  codes: usize,
  axis: u32,
  unit: i32,
  runOf: usize,
  steps: usize,
) => void;

/**
 * Updates the residuals to what they are when the code of a row on one axis becomes `value`; the row itself is left
 * alone.
 */
export type MoveResiduals = (
  query: usize,
  residuals: usize,
  state: usize,
  codes: usize,
  axis: u32,
  value: u32,
  unit: i32,
) => void;

/** Pointers to the seven functions of a kind, in static memory. */
@unmanaged
export class QueryKind {
  answerRows: AnswerRows;
  stateBytes: StateBytes;
  openState: OpenState;
  lossOfChange: LossOfChange;
  markCodes: MarkCodes;
  scoreCodes: ScoreCodes;
  moveResiduals: MoveResiduals;
}

/** Bytes of a QueryKind. */
export const QUERY_KIND_BYTES = 28;

/** Fills a QueryKind. @param place `memory.data(QUERY_KIND_BYTES)`, one per kind */
export function queryKind(
  place: usize,
  answerRows: AnswerRows,
  stateBytes: StateBytes,
  openState: OpenState,
  lossOfChange: LossOfChange,
  markCodes: MarkCodes,
  scoreCodes: ScoreCodes,
  moveResiduals: MoveResiduals,
): QueryKind {
  const kind = changetype<QueryKind>(place);
  kind.answerRows = answerRows;
  kind.stateBytes = stateBytes;
  kind.openState = openState;
  kind.lossOfChange = lossOfChange;
  kind.markCodes = markCodes;
  kind.scoreCodes = scoreCodes;
  kind.moveResiduals = moveResiduals;
  return kind;
}

/** The bytes of the state of a kind that keeps none, and what fills it. */
export function noStateBytes(_query: usize): f64 {
  return 0;
}

export function openNoState(_query: usize, _state: usize): void {}
