// The neighbourhood of a row: the tables with one of its cells changed. It is scored a column at a time, for all codes
// together (residuals.ts says how).
import { firstLanes, maxOfLanes } from "../lanes";
import { TREE_LEVELS } from "../layout";
import { kindOf } from "../queries/index";
import { changeCell, deepLine, endOfOthers, othersOf, pairedLine, placeIn } from "./residuals";
import { addCells, firstOf, sumSteps } from "./runs";
import { Field, Link, Search, Workload, activeColumn, fieldOf, rowOf } from "./search";
import { addShares, sharesOf } from "./shares";

const NO_CODE: u32 = -1;

/** Writes the lines that the column's alternatives in this row read, one a workload. Returns their end. */
function gatherLines(search: Search, field: Field, codes: usize): usize {
  let line = search.lines;
  let link = field.links;
  const paired = link + field.paired * offsetof<Link>();
  const end = link + field.degree * offsetof<Link>();
  for (; link < paired; link += offsetof<Link>(), line += 4)
    store<usize>(line, pairedLine(changetype<Link>(link), codes));
  for (; link < end; link += offsetof<Link>(), line += 4) store<usize>(line, deepLine(changetype<Link>(link), codes));
  return line;
}

/**
 * Sums the lines into the scores: S_v for every code v, four codes at a time; on lanes sixteen while there are as many.
 */
function sumLines(search: Search, field: Field, codes: usize, bytes: usize): void {
  const end = gatherLines(search, field, codes);
  const scores = search.scores;
  let at: usize = 0;
  if (!ASC_FEATURE_SIMD) {
    for (; at < bytes; at += 16) {
      let a: i32 = 0;
      let b: i32 = 0;
      let c: i32 = 0;
      let d: i32 = 0;
      for (let line = search.lines; line < end; line += 4) {
        const first = load<usize>(line) + at;
        a += load<i32>(first);
        b += load<i32>(first, 4);
        c += load<i32>(first, 8);
        d += load<i32>(first, 12);
      }
      store<i32>(scores + at, a);
      store<i32>(scores + at, b, 4);
      store<i32>(scores + at, c, 8);
      store<i32>(scores + at, d, 12);
    }
    return;
  }
  // The last part may overlap the one before.
  if (bytes >= 64) for (; at < bytes; at += 64) sumPart(search, end, min(at, bytes - 64), 64);
  else if (bytes >= 32) for (; at < bytes; at += 32) sumPart(search, end, min(at, bytes - 32), 32);
  else sumPart(search, end, 0, 16);
}

/**
 * Sums 64, 32 or 16 bytes of all lines. It takes two lines at a time, and of each the last bytes first, since some
 * runtimes check every address: one check is enough for a word with two pointers, and one for a line.
 */
@inline
function sumPart(search: Search, end: usize, at: usize, bytes: usize): void {
  let a = i32x4.splat(0);
  let b = a;
  let c = a;
  let d = a;
  let line = search.lines;
  if ((end - line) & 4) {
    const only = load<usize>(line) + at;
    if (bytes == 64) d = v128.load(only, 48);
    if (bytes == 64) c = v128.load(only, 32);
    if (bytes >= 32) b = v128.load(only, 16);
    a = v128.load(only);
    line += 4;
  }
  for (; line < end; line += 8) {
    const pair = load<u64>(line);
    const one = <usize>pair + at;
    const other = <usize>(pair >> 32) + at;
    if (bytes == 64) d = i32x4.add(d, i32x4.add(v128.load(one, 48), v128.load(other, 48)));
    if (bytes == 64) c = i32x4.add(c, i32x4.add(v128.load(one, 32), v128.load(other, 32)));
    if (bytes >= 32) b = i32x4.add(b, i32x4.add(v128.load(one, 16), v128.load(other, 16)));
    a = i32x4.add(a, i32x4.add(v128.load(one), v128.load(other)));
  }
  const scores = search.scores + at;
  if (bytes == 64) v128.store(scores, d, 48);
  if (bytes == 64) v128.store(scores, c, 32);
  if (bytes >= 32) v128.store(scores, b, 16);
  v128.store(scores, a);
}

/** Adds to the scores of a tree column what a leaf near the present one saves: it leaves fewer cells. */
function favourNear(search: Search, field: Field, code: u32, bytes: usize): void {
  const saved = search.unit * <i32>field.degree;
  addShares(search.scores, sharesOf(code), bytes, saved, TREE_LEVELS);
}

function largestScore(search: Search, size: u32): i32 {
  if (!ASC_FEATURE_SIMD) {
    let best = i32.MIN_VALUE;
    for (let at = search.scores, end = at + (<usize>size << 2); at < end; at += 4) best = max(best, load<i32>(at));
    return best;
  }
  const last = search.scores + ((<usize>(size - 1) & ~3) << 2);
  let best = v128.bitselect(v128.load(last), i32x4.splat(i32.MIN_VALUE), firstLanes(((size - 1) & 3) + 1));
  for (let at = search.scores; at < last; at += 16) best = i32x4.max_s(best, v128.load(at));
  return maxOfLanes(best);
}

/**
 * The code with the lowest loss for one cell of a row (the first of several), or the run of codes where the column has
 * runs: NO_CODE if no code lowers the loss. `search.change` is by how much the loss changes then.
 */
function bestCode(search: Search, field: Field, codes: usize, column: u32): u32 {
  const cell = <u32>load<u16>(codes + (<usize>column << 1));
  const bytes = (<usize>(field.size + 3) & ~3) << 2;
  sumLines(search, field, codes, bytes);
  if (field.tree) favourNear(search, field, cell, bytes);
  let scores = search.scores;
  let place: usize = cell;
  let best: i32;
  if (field.runCount) {
    scores = search.runSteps;
    place = load<u16>(field.runOf + ((<usize>load<u16>(codes + search.finer + (<usize>column << 1))) << 1));
    best = scoreRuns(search, field, codes);
  } else {
    search.candidates += field.size - 1;
    best = largestScore(search, field.size);
  }
  const stay = load<i32>(scores + (place << 2)) + (field.tree ? 0 : search.unit * <i32>field.levels);
  if (best <= stay) return NO_CODE;
  search.change = 2 * <i64>search.unit * (<i64>stay - best);
  return firstOf(scores, best);
}

/** Scores the column's runs. Returns the largest score. */
function scoreRuns(search: Search, field: Field, codes: usize): i32 {
  const count = field.runCount;
  memory.fill(search.runSteps, 0, (<usize>(count + 1)) << 2);
  addCells(search, field);
  scoreOthers(search, field, codes + search.finer);
  search.candidates += count - 1;
  return sumSteps(search.runSteps, count);
}

/** Gives one cell of a row the code with the lowest loss, if it is lower than the present one. */
export function improveCell(search: Search, codes: usize, column: u32): void {
  const field = fieldOf(search, column);
  const best = bestCode(search, field, codes, column);
  if (best != NO_CODE) changeCell(search, codes, column, placeIn(search, field, best), search.change);
}

/** How many words `findMoves` writes a row. */
@inline
export function moveWords(search: Search): usize {
  return (search.activeCount + 31) >> 5;
}

/**
 * Finds the cells of rows in which some code would lower the loss, with the tables as they are.
 * @param rows u32[count]
 * @param out u32[count][⌈columns with a query ÷ 32⌉], replaced: a bit for each of these columns, lowest first
 */
export function findMoves(pointer: usize, rows: usize, count: u32, out: usize): void {
  const search = changetype<Search>(pointer);
  for (const end = rows + (<usize>count << 2); rows < end; rows += 4) {
    const codes = rowOf(search, load<u32>(rows));
    let word: u32 = 0;
    for (let index: u32 = 0; index < search.activeCount; index++) {
      const column = activeColumn(search, index);
      word |= u32(bestCode(search, fieldOf(search, column), codes, column) != NO_CODE) << (index & 31);
      if ((index & 31) != 31 && index + 1 < search.activeCount) continue;
      store<u32>(out, word);
      out += 4;
      word = 0;
    }
  }
}

/** Adds to the steps between the scores of runs what the column's workloads that are no tables say of them. */
function scoreOthers(search: Search, field: Field, codes: usize): void {
  for (let at = othersOf(field), end = endOfOthers(field); at < end; at += offsetof<Link>()) {
    const link = changetype<Link>(at);
    const workload = changetype<Workload>(link.workload);
    const query = workload.query;
    const residuals = workload.copies;
    const kind = kindOf(query);
    kind.scoreCodes(query, residuals, workload.state, codes, link.axis, search.unit, field.runOf, search.runSteps);
  }
}
