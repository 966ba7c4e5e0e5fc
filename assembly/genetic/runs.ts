// The runs of a column's codes that no workload of a search distinguishes: each is scored as one candidate. Only
// columns with finer codes than cells have runs of several codes.
import { maxOfLanes } from "../lanes";
import { isTable, kindOf } from "../queries/index";
import { codesOf, columnOf, fineOf, orderOf } from "../queries/query";
import { block, take } from "./block";
import { Field, Link, Search, Workload, fieldOf, firstIn } from "./search";

/** Finds the runs of codes of the columns that have more than tables of their codes. */
export function openRuns(search: Search): void {
  let most: u32 = 0;
  for (let column: u32 = 0; column < search.width; column++) {
    const field = fieldOf(search, column);
    if (!field.others && !field.fine) continue;
    const codes = field.codes;
    const runOf = take((<usize>codes + 1) << 1);
    field.runOf = runOf;
    markRuns(field);
    let count: u32 = 0;
    for (let code: u32 = 0; code < codes; code++) count += load<u16>(runOf + (<usize>code << 1));
    field.runStarts = take((<usize>count + 1) << 2);
    let index: u32 = 0;
    for (let code: u32 = 0; code < codes; code++) {
      const place = runOf + (<usize>code << 1);
      if (load<u16>(place)) {
        store<u32>(field.runStarts + (<usize>index << 2), code);
        index++;
      }
      store<u16>(place, index - 1);
    }
    store<u32>(field.runStarts + (<usize>count << 2), codes);
    store<u16>(runOf + (<usize>codes << 1), count);
    field.runCount = count;
    most = max(most, count);
  }
  if (most) search.runSteps = take((<usize>most + 1) << 2);
}

/**
 * Writes a 1 for each code that begins a run: of fine codes, the first of each cell and those that a workload marks.
 */
function markRuns(field: Field): void {
  if (!field.fine) {
    for (let code: u32 = 0; code < field.codes; code++) store<u16>(field.runOf + (<usize>code << 1), 1);
    return;
  }
  for (let cell: u32 = 0; cell < field.size; cell++) store<u16>(field.runOf + (<usize>firstIn(field, cell) << 1), 1);
  const links = field.links + field.degree * offsetof<Link>();
  for (let at = links, end = links + field.others * offsetof<Link>(); at < end; at += offsetof<Link>()) {
    const link = changetype<Link>(at);
    const query = changetype<Workload>(link.workload).query;
    kindOf(query).markCodes(query, link.axis, field.runOf);
  }
}

/** Whether rows have finer codes than cells in some column. */
export function isFiner(queries: usize, count: u32): bool {
  for (let index: u32 = 0; index < count; index++) {
    const query = load<usize>(queries + (<usize>index << 2));
    for (let axis: u32 = 0; axis < orderOf(query); axis++) if (fineOf(query, axis)) return true;
  }
  return false;
}

/** The most bytes that the runs of all columns take, and the steps between the scores of one column's. */
export function runBytes(queries: usize, count: u32, width: u32): f64 {
  let bytes: f64 = 0;
  let most: u32 = 0;
  for (let column: u32 = 0; column < width; column++) {
    const codes = codesWithRuns(queries, count, column);
    if (codes) bytes += block(4 * (<f64>codes + 1)) + block(2 * (<f64>codes + 1));
    most = max(most, codes);
  }
  return bytes + (most ? block(4 * (<f64>most + 1)) : 0);
}

/** How many codes a column has, if a search distinguishes runs of them; otherwise 0. */
function codesWithRuns(queries: usize, count: u32, column: u32): u32 {
  let codes: u32 = 0;
  for (let index: u32 = 0; index < count; index++) {
    const query = load<usize>(queries + (<usize>index << 2));
    for (let axis: u32 = 0; axis < orderOf(query); axis++)
      if (columnOf(query, axis) == column && (!isTable(query) || fineOf(query, axis))) codes = codesOf(query, axis);
  }
  return codes;
}

/** Adds to the steps between the scores of runs what the cells' scores say of them. */
export function addCells(search: Search, field: Field): void {
  let before: i32 = 0;
  for (let cell: u32 = 0; cell < field.size; cell++) {
    const first = field.fine ? firstIn(field, cell) : cell;
    const score = load<i32>(search.scores + (<usize>cell << 2));
    const step = search.runSteps + ((<usize>load<u16>(field.runOf + (<usize>first << 1))) << 2);
    store<i32>(step, load<i32>(step) + score - before);
    before = score;
  }
}

/** Replaces the steps between scores by the scores. Returns the largest. */
export function sumSteps(steps: usize, count: u32): i32 {
  let best = i32.MIN_VALUE;
  let score: i32 = 0;
  const end = steps + (<usize>count << 2);
  if (ASC_FEATURE_SIMD) {
    const none = i32x4.splat(0);
    let scores = none;
    let largest = i32x4.splat(best);
    for (const whole = steps + ((<usize>count & ~3) << 2); steps < whole; steps += 16) {
      let sums = v128.load(steps);
      sums = i32x4.add(sums, v128.shuffle<i32>(none, sums, 0, 4, 5, 6));
      sums = i32x4.add(sums, v128.shuffle<i32>(none, sums, 0, 0, 4, 5));
      sums = i32x4.add(sums, scores);
      v128.store(steps, sums);
      largest = i32x4.max_s(largest, sums);
      scores = v128.shuffle<i32>(sums, sums, 3, 3, 3, 3);
    }
    best = maxOfLanes(largest);
    score = i32x4.extract_lane(scores, 0);
  }
  for (; steps < end; steps += 4) {
    score += load<i32>(steps);
    store<i32>(steps, score);
    best = max(best, score);
  }
  return best;
}

/** The index of the first of several scores that is `best`. */
export function firstOf(scores: usize, best: i32): u32 {
  let at = scores;
  if (ASC_FEATURE_SIMD) {
    const lanes = i32x4.splat(best);
    while (!v128.any_true(i32x4.eq(v128.load(at), lanes))) at += 16;
  }
  while (load<i32>(at) != best) at += 4;
  return <u32>((at - scores) >> 2);
}
