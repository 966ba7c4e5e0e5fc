// Mutation: a row, a column and a code of it, each uniform.
import { below, word } from "../philox";
import { Candidate, Search, activeColumn, fieldOf } from "./search";

/** Proposes a change of the best table, from the stream's words at `random` and after. */
export function mutate(search: Search, candidate: Candidate, random: u32): void {
  candidate.row = below(search.rows, word(random));
  candidate.column = activeColumn(search, below(search.activeCount, word(random + 1)));
  candidate.value = below(fieldOf(search, candidate.column).size, word(random + 2));
}
