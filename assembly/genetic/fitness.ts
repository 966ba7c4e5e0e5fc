// The fitness of candidates: by how much each of many one-cell changes would change the loss of a search.
import { lossChange } from "./residuals";
import { Candidate, Search, rowOf } from "./search";

/**
 * Scores one-cell changes, each by itself, with the tables as they are.
 * @param candidates u32[count][3]: a row, a column with a query, and a code for the cell
 * @param out i64[count], replaced: how much the loss would change, in squared units
 */
export function scoreCandidates(pointer: usize, candidates: usize, count: u32, out: usize): void {
  const search = changetype<Search>(pointer);
  for (const end = out + (<usize>count << 3); out < end; out += 8, candidates += offsetof<Candidate>()) {
    const candidate = changetype<Candidate>(candidates);
    store<i64>(out, lossChange(search, rowOf(search, candidate.row), candidate.column, candidate.value));
  }
}
