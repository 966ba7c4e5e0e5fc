// The kinds of queries. A table's cells are counted here, and searched by genetic/ itself, which keeps a copy of its
// residuals for each axis. Every other kind is one file with a QueryKind, and one case in `kindOf`.
import { KIND_EXPRESSION } from "../instructions";
import { KIND_RANGES, KIND_TABLE } from "../layout";
import { EXPRESSIONS } from "./expression";
import { QueryKind } from "./kind";
import { countCells } from "./marginal";
import { kindNumberOf } from "./query";
import { RANGES } from "./ranges";
import { rangesScratch } from "./ranges-rows";

/** Whether a query is a table of codes: a marginal, a tree or a total. */
@inline
export function isTable(query: usize): bool {
  return kindNumberOf(query) == KIND_TABLE;
}

/** The kind of a query that is not a table. */
export function kindOf(query: usize): QueryKind {
  switch (kindNumberOf(query)) {
    case KIND_RANGES:
      return RANGES;
    case KIND_EXPRESSION:
      return EXPRESSIONS;
    default:
      return unreachable();
  }
}

/** Adds `rows` rows to the query's answers (`AnswerRows`), of a table to the finest level. */
export function answerRows(query: usize, columns: usize, rows: u32, out: usize): void {
  if (isTable(query)) countCells(query, columns, rows, out);
  else kindOf(query).answerRows(query, columns, rows, out);
}

/** The bytes that `answerRows` takes of the arena until it returns. */
export function answerScratch(query: usize): u32 {
  return kindNumberOf(query) == KIND_RANGES ? <u32>rangesScratch(query) : 0;
}

/**
 * Adds the rows of blocks to the query's answers.
 * @param blocks usize[count][2]: of each block a pointer to the pointers to its columns, and how many rows it has
 */
export function answerBlocks(query: usize, blocks: usize, count: u32, out: usize): void {
  for (let end = blocks + (<usize>count << 3); blocks < end; blocks += 8)
    answerRows(query, load<usize>(blocks), load<u32>(blocks, 4), out);
}
