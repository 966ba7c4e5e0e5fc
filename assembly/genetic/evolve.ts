// The genetic search of Private-GSD (Liu et al., "Generating private synthetic data with genetic algorithms", ICML
// 2023): a generation changes one cell of the best table in each of its candidates, mutations and crossovers, and keeps
// the best tables of those and the old elites.
import { alloc } from "../arena";
import { MOST_BYTES, SEARCH_LIMIT, SEARCH_RUNNING, SEARCH_SETTLED, STREAM_GENERATION } from "../layout";
import { drawWords } from "../philox";
import { Elite, cross, eliteBytes, holdCell } from "./crossover";
import { scoreCandidates } from "./fitness";
import { mutate } from "./mutation";
import { changeCell } from "./residuals";
import { Candidate, Search, codeOf, rowOf } from "./search";

/** The GENERATION that hosts see (search-layout.ts), and what else is kept. */
@unmanaged
class Evolution {
  candidates: usize;
  changes: usize;
  changed: u32;
  row: u32;
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
  /** u32[elites]: the best candidates of this generation, best first. */
  best: usize;
}

/**
 * Reserves an evolution of a search.
 * @param elites how many tables are kept, 1 or more
 * @param generations the most generations
 * @param tolerance the evolution has settled when `rows` generations lower the loss by no more than this share
 * @returns a GENERATION, or 0 where the memory does not suffice
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
  const head: usize = (offsetof<Evolution>() + 15) & ~15;
  const population = <u64>mutations + crossovers;
  const bytes = head + 2 * tables + (elites << 2) + population * (sizeof<i64>() + offsetof<Candidate>());
  const memory: usize = bytes > MOST_BYTES ? 0 : alloc(<usize>bytes);
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
  evolution.tables = memory + head;
  evolution.next = evolution.tables + tables;
  evolution.changes = evolution.next + tables;
  evolution.candidates = evolution.changes + <usize>population * sizeof<i64>();
  evolution.best = evolution.candidates + <usize>population * offsetof<Candidate>();
  return memory;
}

/** Makes up to `budget` more generations. Returns SEARCH_RUNNING, SEARCH_SETTLED or SEARCH_LIMIT. */
export function evolve(pointer: usize, budget: u32): u32 {
  const evolution = changetype<Evolution>(pointer);
  for (; budget > 0; budget--) {
    const count = evolveDraw(pointer);
    scoreCandidates(changetype<usize>(evolution.search), evolution.candidates, count, evolution.changes);
    const status = evolveKeep(pointer, count);
    if (status != SEARCH_RUNNING) return status;
  }
  return SEARCH_RUNNING;
}

/**
 * Draws the candidates of the next generation, and the same ones until `evolveKeep`. Those that change nothing are
 * left out: each is the best table itself, which is kept already.
 * @returns how many are left
 */
export function evolveDraw(pointer: usize): u32 {
  const evolution = changetype<Evolution>(pointer);
  const search = evolution.search;
  const population = evolution.mutations + evolution.crossovers;
  const first = <u64>search.steps * population;
  let at = evolution.candidates;
  for (let index: u32 = 0; index < population; index++) {
    const candidate = changetype<Candidate>(at);
    const random = (first + index) << 2;
    if (!index || !(random & 15)) drawWords(search.seed, STREAM_GENERATION, 0, random >> 4);
    if (index < evolution.mutations) mutate(search, candidate, <u32>random);
    else cross(search, candidate, <u32>random, evolution.tables, evolution.kept, eliteBytes(evolution.elites));
    if (candidate.value != codeOf(search, candidate.row, candidate.column)) at += offsetof<Candidate>();
  }
  return u32((at - evolution.candidates) / offsetof<Candidate>());
}

/**
 * Ends a generation of which the `count` candidates have been scored. Notes the row that changes, if one does.
 * @returns as `evolve`
 */
export function evolveKeep(pointer: usize, count: u32): u32 {
  const evolution = changetype<Evolution>(pointer);
  const search = evolution.search;
  keep(evolution, rank(evolution, count));
  search.candidates += evolution.mutations + evolution.crossovers;
  search.steps++;
  if (search.steps % search.rows == 0) {
    const gain = evolution.before - search.loss;
    if (<f64>gain <= evolution.tolerance * <f64>evolution.before) return SEARCH_SETTLED;
    evolution.before = search.loss;
  }
  return search.steps >= evolution.generations ? SEARCH_LIMIT : SEARCH_RUNNING;
}

@inline
function bestAt(evolution: Evolution, rank: u32): u32 {
  return load<u32>(evolution.best + (<usize>rank << 2));
}

@inline
function candidateAt(evolution: Evolution, rank: u32): Candidate {
  return changetype<Candidate>(evolution.candidates + <usize>bestAt(evolution, rank) * offsetof<Candidate>());
}

@inline
function changeAt(evolution: Evolution, rank: u32): i64 {
  return load<i64>(evolution.changes + (<usize>bestAt(evolution, rank) << 3));
}

@inline
function tableAt(evolution: Evolution, tables: usize, rank: u32): Elite {
  return changetype<Elite>(tables + rank * eliteBytes(evolution.elites));
}

/** Ranks the best candidates, each behind the last one that is at least as good. Returns how many are ranked. */
function rank(evolution: Evolution, count: u32): u32 {
  const best = evolution.best;
  const changes = evolution.changes;
  const elites = evolution.elites;
  let ranked: u32 = 0;
  // What a candidate has to be below.
  let bound = i64.MAX_VALUE;
  for (let index: u32 = 0; index < count; index++) {
    const change = load<i64>(changes + (<usize>index << 3));
    if (change >= bound) continue;
    let at = ranked < elites ? ranked++ : ranked - 1;
    for (; at > 0 && change < changeAt(evolution, at - 1); at--)
      store<u32>(best + (<usize>at << 2), bestAt(evolution, at - 1));
    store<u32>(best + (<usize>at << 2), index);
    if (ranked == elites) bound = changeAt(evolution, ranked - 1);
  }
  return ranked;
}

/** Keeps the best of the old tables and the `ranked` candidates; a tie keeps what is older. */
function keep(evolution: Evolution, ranked: u32): void {
  const search = evolution.search;
  const move = candidateAt(evolution, 0);
  const change = ranked ? changeAt(evolution, 0) : 0;
  const moves = change < 0;
  const undone = moves ? codeOf(search, move.row, move.column) : 0;
  let kept: u32 = 0;
  let young: u32 = 0;
  let old: u32 = 0;
  for (; kept < evolution.elites && (young < ranked || old < evolution.kept); kept++) {
    const table = tableAt(evolution, evolution.next, kept);
    if (old < evolution.kept && (young == ranked || isOlderBetter(evolution, old, young)))
      copyTable(evolution, table, tableAt(evolution, evolution.tables, old++));
    else differBy(evolution, table, young++);
    if (!moves) continue;
    table.excess -= change;
    holdCell(table, move.row, move.column, undone);
  }
  evolution.kept = kept;
  swapTables(evolution);
  evolution.changed = u32(moves);
  if (!moves) return;
  evolution.row = move.row;
  changeCell(search, rowOf(search, move.row), move.column, move.value, change);
  tableAt(evolution, evolution.tables, 0).cells = 0;
}

function isOlderBetter(evolution: Evolution, old: u32, young: u32): bool {
  return tableAt(evolution, evolution.tables, old).excess <= changeAt(evolution, young);
}

function copyTable(evolution: Evolution, to: Elite, from: Elite): void {
  memory.copy(changetype<usize>(to), changetype<usize>(from), eliteBytes(evolution.elites));
}

/** The table that a candidate would make of the best one. */
function differBy(evolution: Evolution, table: Elite, rank: u32): void {
  const candidate = candidateAt(evolution, rank);
  table.excess = changeAt(evolution, rank);
  table.cells = 0;
  holdCell(table, candidate.row, candidate.column, candidate.value);
}

function swapTables(evolution: Evolution): void {
  const tables = evolution.tables;
  evolution.tables = evolution.next;
  evolution.next = tables;
}
