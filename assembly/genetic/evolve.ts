// The genetic search of Private-GSD (Liu et al., "Generating private synthetic data with genetic algorithms", ICML
// 2023): a generation changes one cell of the best table in each of its candidates, mutations and crossovers, and keeps
// the best tables of those and the old elites.
import { alloc } from "../arena";
import { MOST_BYTES, SEARCH_LIMIT, SEARCH_RUNNING, SEARCH_SETTLED, STREAM_GENERATION } from "../layout";
import { drawWords } from "../philox";
import { Elite, cross, eliteBytes, holdCell } from "./crossover";
import { mutate } from "./mutation";
import { changeCell, lossChange } from "./residuals";
import { Candidate, Search, codeOf, rowOf } from "./search";

@unmanaged
class Evolution {
  search: Search;
  mutations: u32;
  crossovers: u32;
  elites: u32;
  generations: u32;
  tolerance: f64;
  /** The loss when the present window of `rows` generations began. */
  before: i64;
  /** How many tables are kept so far (at first only the start), best first; and room for the next generation's. */
  kept: u32;
  tables: usize;
  next: usize;
  /** Candidate[elites + 2]: the best of this generation, best first, one more and a spare. */
  best: usize;
}

/**
 * Reserves an evolution of a search.
 * @param elites how many tables are kept, 1 or more
 * @param generations the most generations
 * @param tolerance the evolution has settled when `rows` generations lower the loss by no more than this share
 * @returns the evolution, or 0 where the memory does not suffice
 */
export function evolveOpen(
  search: usize,
  mutations: u32,
  crossovers: u32,
  elites: u32,
  generations: u32,
  tolerance: f64,
): usize {
  // A kept table falls behind at least one rank whenever the best table changes, and differs by one more cell from it
  // then.
  // The kept tables and the next generation's together take half of the memory at most.
  if (<u64>elites * eliteBytes(elites) > MOST_BYTES >> 2) return 0;
  const tables = <usize>elites * eliteBytes(elites);
  const memory = alloc(offsetof<Evolution>() + 2 * tables + (elites + 2) * offsetof<Candidate>() + 16);
  if (!memory) return 0;
  const evolution = changetype<Evolution>(memory);
  evolution.search = changetype<Search>(search);
  evolution.mutations = mutations;
  evolution.crossovers = crossovers;
  evolution.elites = elites;
  evolution.generations = generations;
  evolution.tolerance = tolerance;
  evolution.before = evolution.search.loss;
  evolution.kept = 1;
  evolution.best = memory + ((offsetof<Evolution>() + 15) & ~15);
  evolution.tables = evolution.best + (elites + 2) * offsetof<Candidate>();
  evolution.next = evolution.tables + tables;
  return memory;
}

/** Makes up to `budget` more generations. Returns SEARCH_RUNNING, SEARCH_SETTLED or SEARCH_LIMIT. */
export function evolve(pointer: usize, budget: u32): u32 {
  const evolution = changetype<Evolution>(pointer);
  const search = evolution.search;
  for (; budget > 0; budget--) {
    keep(evolution, propose(evolution));
    search.steps++;
    if (search.steps % search.rows == 0) {
      const gain = evolution.before - search.loss;
      if (<f64>gain <= evolution.tolerance * <f64>evolution.before) return SEARCH_SETTLED;
      evolution.before = search.loss;
    }
    if (search.steps >= evolution.generations) return SEARCH_LIMIT;
  }
  return SEARCH_RUNNING;
}

@inline
function candidateAt(evolution: Evolution, rank: u32): Candidate {
  return changetype<Candidate>(evolution.best + rank * offsetof<Candidate>());
}

@inline
function tableAt(evolution: Evolution, tables: usize, rank: u32): Elite {
  return changetype<Elite>(tables + rank * eliteBytes(evolution.elites));
}

/** Scores this generation's candidates and ranks the best of them. Returns how many are ranked. */
function propose(evolution: Evolution): u32 {
  const search = evolution.search;
  const population = evolution.mutations + evolution.crossovers;
  const first = <u64>search.steps * population;
  let ranked: u32 = 0;
  for (let index: u32 = 0; index < population; index++) {
    const candidate = candidateAt(evolution, ranked);
    const random = (first + index) << 2;
    if (!index || !(random & 15)) drawWords(search.seed, STREAM_GENERATION, 0, random >> 4);
    if (index < evolution.mutations) mutate(search, candidate, <u32>random);
    else cross(search, candidate, <u32>random, evolution.tables, evolution.kept, eliteBytes(evolution.elites));
    // A candidate that changes nothing is the best table itself, which is kept already.
    if (candidate.value == codeOf(search, candidate.row, candidate.column)) continue;
    candidate.change = lossChange(search, rowOf(search, candidate.row), candidate.column, candidate.value);
    rank(evolution, ranked);
    if (ranked < evolution.elites) ranked++;
  }
  search.candidates += population;
  return ranked;
}

/** Moves the candidate at `from` up to behind the last one that is at least as good. */
function rank(evolution: Evolution, from: u32): void {
  for (let at = from; at > 0; at--) {
    const upper = candidateAt(evolution, at - 1);
    const lower = candidateAt(evolution, at);
    if (upper.change <= lower.change) return;
    const spare = candidateAt(evolution, evolution.elites + 1);
    copyCandidate(spare, upper);
    copyCandidate(upper, lower);
    copyCandidate(lower, spare);
  }
}

function copyCandidate(to: Candidate, from: Candidate): void {
  memory.copy(changetype<usize>(to), changetype<usize>(from), offsetof<Candidate>());
}

/** Keeps the best of the old tables and the `ranked` candidates; a tie keeps what is older. */
function keep(evolution: Evolution, ranked: u32): void {
  const search = evolution.search;
  const move = candidateAt(evolution, 0);
  const moves = ranked > 0 && move.change < 0;
  const undone = moves ? codeOf(search, move.row, move.column) : 0;
  let kept: u32 = 0;
  let young: u32 = 0;
  let old: u32 = 0;
  for (; kept < evolution.elites && (young < ranked || old < evolution.kept); kept++) {
    const table = tableAt(evolution, evolution.next, kept);
    if (old < evolution.kept && (young == ranked || isOlderBetter(evolution, old, young)))
      copyTable(evolution, table, tableAt(evolution, evolution.tables, old++));
    else differBy(table, candidateAt(evolution, young++));
    if (!moves) continue;
    table.excess -= move.change;
    holdCell(table, move.row, move.column, undone);
  }
  evolution.kept = kept;
  swapTables(evolution);
  if (!moves) return;
  changeCell(search, rowOf(search, move.row), move.column, move.value, move.change);
  tableAt(evolution, evolution.tables, 0).cells = 0;
}

function isOlderBetter(evolution: Evolution, old: u32, young: u32): bool {
  return tableAt(evolution, evolution.tables, old).excess <= candidateAt(evolution, young).change;
}

function copyTable(evolution: Evolution, to: Elite, from: Elite): void {
  memory.copy(changetype<usize>(to), changetype<usize>(from), eliteBytes(evolution.elites));
}

/** The table that a candidate would make of the best one. */
function differBy(table: Elite, candidate: Candidate): void {
  table.excess = candidate.change;
  table.cells = 0;
  holdCell(table, candidate.row, candidate.column, candidate.value);
}

function swapTables(evolution: Evolution): void {
  const tables = evolution.tables;
  evolution.tables = evolution.next;
  evolution.next = tables;
}
