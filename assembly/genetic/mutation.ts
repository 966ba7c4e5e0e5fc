// Mutation: a row, a column and a code of it, each uniform; where codes are finer than cells, a cell, and a code in it.
import { TREE_LEAVES } from "../layout";
import { below, word } from "../philox";
import { Candidate, Search, activeColumn, fieldOf, firstIn } from "./search";

/** Proposes a change of the best table, from the stream's words at `random` and after. */
export function mutate(search: Search, candidate: Candidate, random: u32): void {
  candidate.row = below(search.rows, word(random));
  candidate.column = activeColumn(search, below(search.activeCount, word(random + 1)));
  const field = fieldOf(search, candidate.column);
  const cell = below(field.size, word(random + 2));
  if (!field.fine) candidate.value = cell;
  else {
    const first = firstIn(field, cell);
    candidate.value = first + below(cell < <u32>TREE_LEAVES ? firstIn(field, cell + 1) - first : 1, word(random + 3));
  }
}
