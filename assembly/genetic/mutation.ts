// Mutation: a row, a column and a code of it, each uniform.
import { below, word } from "../philox";
import { Candidate, Search, activeColumn, fieldOf } from "./search";

/** Proposes a change of the best table, from the block of random words drawn last. */
export function mutate(search: Search, candidate: Candidate): void {
  candidate.row = below(search.rows, word(0));
  candidate.column = activeColumn(search, below(search.activeCount, word(1)));
  candidate.value = below(fieldOf(search, candidate.column).size, word(2));
}
