// Scores and makes one-cell changes of a row. With s one row in units and S_v the sum, over the workloads that contain
// the column, of the residual of the cell that the row has with code v (in a tree: of the potential of its leaf, the
// sum over the levels of the residual of the node that holds it), changing the code from u to v changes the loss by
// 2s(S_u − S_v) + 2s²K(u, v), where K counts the cells, over workloads and levels, that the row leaves (and as many
// that it enters).
import { firstLanes, maxOfLanes } from "../lanes";
import { STREAM_PLACE, TREE_LEAVES, TREE_LEVELS } from "../layout";
import { below, drawWords, word } from "../philox";
import { kindOf } from "../queries/index";
import { cellAt, columnOf, isTree, levelsOf, orderOf } from "../queries/query";
import { addCells, firstOf, sumSteps } from "./runs";
import { Field, Link, Search, Workload, copyOf, fieldOf, rowOf, startOfRun, strideOf, tableOf } from "./search";

// i32[33][36]: how many levels of a tree two codes share a node on, lines padded to whole vectors.
const SHARES_LINE = (TREE_LEAVES + 4) << 2;
const SHARES = memory.data(SHARES_LINE * (TREE_LEAVES + 1), 16);

/**
 * Two leaves share the levels of their common leading bits; "missing", TREE_LEAVES, shares all with itself and none
 * with a leaf.
 */
@inline
function sharedLevels(a: u32, b: u32): i32 {
  return max<i32>(<i32>clz(a ^ b) - (32 - TREE_LEVELS), 0);
}

export function fillShares(): void {
  for (let a: u32 = 0; a <= <u32>TREE_LEAVES; a++)
    for (let b: u32 = 0; b <= <u32>TREE_LEAVES; b++)
      store<i32>(SHARES + <usize>a * SHARES_LINE + (<usize>b << 2), sharedLevels(a, b));
}

/** Where, in the copy that has the link's column last, the row's line begins. */
@inline
function pairedLine(link: Link, codes: usize): usize {
  return link.table + <usize>load<u16>(codes + link.partner) * link.stride;
}

function deepLine(link: Link, codes: usize): usize {
  const workload = changetype<Workload>(link.workload);
  const order = orderOf(workload.query);
  const copy = copyOf(workload, order, link.axis);
  let line = link.table;
  for (let axis: u32 = 0; axis < order; axis++)
    if (axis != link.axis) line += codeAt(workload.query, axis, codes) * strideOf(copy, axis);
  return line;
}

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
function sumLines(search: Search, end: usize, bytes: usize): void {
  const scores = search.scores;
  let at: usize = 0;
  if (!ASC_FEATURE_SIMD) {
    for (; at < bytes; at += 16) {
      let a: i32 = 0;
      let b: i32 = 0;
      let c: i32 = 0;
      let d: i32 = 0;
      for (let line = search.lines; line < end; line += 4) {
        const codes = load<usize>(line) + at;
        a += load<i32>(codes);
        b += load<i32>(codes, 4);
        c += load<i32>(codes, 8);
        d += load<i32>(codes, 12);
      }
      store<i32>(scores + at, a);
      store<i32>(scores + at, b, 4);
      store<i32>(scores + at, c, 8);
      store<i32>(scores + at, d, 12);
    }
    return;
  }
  for (; at + 64 <= bytes; at += 64) {
    let a = i32x4.splat(0);
    let b = a;
    let c = a;
    let d = a;
    for (let line = search.lines; line < end; line += 4) {
      const codes = load<usize>(line) + at;
      a = i32x4.add(a, v128.load(codes));
      b = i32x4.add(b, v128.load(codes, 16));
      c = i32x4.add(c, v128.load(codes, 32));
      d = i32x4.add(d, v128.load(codes, 48));
    }
    v128.store(scores + at, a);
    v128.store(scores + at, b, 16);
    v128.store(scores + at, c, 32);
    v128.store(scores + at, d, 48);
  }
  for (; at < bytes; at += 16) {
    let a = i32x4.splat(0);
    for (let line = search.lines; line < end; line += 4) a = i32x4.add(a, v128.load(load<usize>(line) + at));
    v128.store(scores + at, a);
  }
}

/** Adds to the scores of a tree column what a leaf near the present one saves: it leaves fewer cells. */
function favourNear(search: Search, field: Field, code: u32, bytes: usize): void {
  const saved = search.unit * <i32>field.degree;
  addShares(search.scores, SHARES + <usize>code * SHARES_LINE, bytes, saved, TREE_LEVELS);
}

/** sums += amount·min(most, shares), `bytes` bytes of i32, a multiple of four of them. */
function addShares(sums: usize, shares: usize, bytes: usize, amount: i32, most: i32): void {
  const end = sums + bytes;
  if (ASC_FEATURE_SIMD) {
    const amounts = i32x4.splat(amount);
    const limit = i32x4.splat(most);
    for (; sums < end; sums += 16, shares += 16) {
      const change = i32x4.mul(amounts, i32x4.min_s(limit, v128.load(shares)));
      v128.store(sums, i32x4.add(v128.load(sums), change));
    }
  } else for (; sums < end; sums += 4, shares += 4) addTo(sums, amount * min(most, load<i32>(shares)));
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
 * Gives one cell of a row the code with the lowest loss (the first of several), if it is lower than the present one; of
 * codes that no workload distinguishes, any.
 */
export function improveCell(search: Search, codes: usize, column: u32): void {
  const field = fieldOf(search, column);
  if (field.runCount) return improveByRuns(search, field, codes, column);
  const size = field.size;
  const code = <u32>load<u16>(codes + (<usize>column << 1));
  const bytes = (<usize>(size + 3) & ~3) << 2;
  sumLines(search, gatherLines(search, field, codes), bytes);
  if (field.tree) favourNear(search, field, code, bytes);
  search.candidates += size - 1;
  const best = largestScore(search, size);
  const stay = load<i32>(search.scores + (<usize>code << 2)) + (field.tree ? 0 : search.unit * <i32>field.levels);
  if (best <= stay) return;
  let value: u32 = 0;
  while (load<i32>(search.scores + (<usize>value << 2)) != best) value++;
  changeCell(search, codes, column, value, 2 * <i64>search.unit * (<i64>stay - best));
}

function improveByRuns(search: Search, field: Field, codes: usize, column: u32): void {
  const cell = <u32>load<u16>(codes + (<usize>column << 1));
  const code = <u32>load<u16>(codes + search.finer + (<usize>column << 1));
  const bytes = (<usize>(field.size + 3) & ~3) << 2;
  sumLines(search, gatherLines(search, field, codes), bytes);
  if (field.tree) favourNear(search, field, cell, bytes);
  const count = field.runCount;
  memory.fill(search.runSteps, 0, (<usize>(count + 1)) << 2);
  addCells(search, field);
  scoreOthers(search, field, codes + search.finer);
  search.candidates += count - 1;
  const best = sumSteps(search.runSteps, count);
  let stay = load<i32>(search.runSteps + ((<usize>load<u16>(field.runOf + (<usize>code << 1))) << 2));
  if (!field.tree) stay += search.unit * <i32>field.levels;
  if (best <= stay) return;
  const value = placeIn(search, field, firstOf(search.runSteps, best));
  changeCell(search, codes, column, value, 2 * <i64>search.unit * (<i64>stay - best));
}

/** A code of a run: each of them is as good. */
function placeIn(search: Search, field: Field, run: u32): u32 {
  const first = startOfRun(field, run);
  const length = startOfRun(field, run + 1) - first;
  if (length == 1) return first;
  drawWords(search.seed, STREAM_PLACE, 0, search.placed >> 4);
  return first + below(length, word(search.placed++));
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

@inline
function othersOf(field: Field): usize {
  return field.links + field.degree * offsetof<Link>();
}

@inline
function endOfOthers(field: Field): usize {
  return othersOf(field) + field.others * offsetof<Link>();
}

/** The cell of a code of the column. */
@inline
function cellIn(field: Field, code: u32): u32 {
  return field.fine ? cellAt(code, field.factor) : code;
}

/** How much the loss changes when one cell of a row gets the code `value`. */
export function lossChange(search: Search, codes: usize, column: u32, value: u32): i64 {
  const field = fieldOf(search, column);
  const here = <u32>load<u16>(codes + (<usize>column << 1));
  const there = cellIn(field, value);
  const left = field.tree ? field.degree * (TREE_LEVELS - sharedLevels(here, there)) : here == there ? 0 : field.levels;
  const from = <usize>here << 2;
  const to = <usize>there << 2;
  let rise: i64 = 0;
  let link = field.links;
  const paired = link + field.paired * offsetof<Link>();
  const end = link + field.degree * offsetof<Link>();
  for (; link < paired; link += offsetof<Link>()) {
    const line = pairedLine(changetype<Link>(link), codes);
    rise += <i64>load<i32>(line + from) - load<i32>(line + to);
  }
  for (; link < end; link += offsetof<Link>()) {
    const line = deepLine(changetype<Link>(link), codes);
    rise += <i64>load<i32>(line + from) - load<i32>(line + to);
  }
  let change = 2 * <i64>search.unit * (rise + <i64>search.unit * left);
  for (const others = endOfOthers(field); link < others; link += offsetof<Link>()) {
    const workload = changetype<Workload>(changetype<Link>(link).workload);
    const query = workload.query;
    const axis = changetype<Link>(link).axis;
    const row = codes + search.finer;
    change += kindOf(query).lossOfChange(query, workload.copies, workload.state, row, axis, value, search.unit);
  }
  return change;
}

/** Gives one cell of a row the code `value`, which changes the loss by `change`. */
export function changeCell(search: Search, codes: usize, column: u32, value: u32, change: i64): void {
  const field = fieldOf(search, column);
  const place = codes + (<usize>column << 1);
  const cell = cellIn(field, value);
  if (field.others) moveOthers(search, field, codes + search.finer, value);
  if (!search.finer || load<u16>(place) != cell) {
    addRow(field, codes, search.unit);
    store<u16>(place, cell);
    addRow(field, codes, -search.unit);
  }
  store<u16>(place + search.finer, value);
  search.loss += change;
}

function moveOthers(search: Search, field: Field, codes: usize, value: u32): void {
  for (let at = othersOf(field), end = endOfOthers(field); at < end; at += offsetof<Link>()) {
    const link = changetype<Link>(at);
    const workload = changetype<Workload>(link.workload);
    const query = workload.query;
    kindOf(query).moveResiduals(query, workload.copies, workload.state, codes, link.axis, value, search.unit);
  }
}

/** Adds `amount` to the residual of the cells, on all levels, that the row has in the column's tables. */
function addRow(field: Field, codes: usize, amount: i32): void {
  const end = field.links + field.degree * offsetof<Link>();
  for (let link = field.links; link < end; link += offsetof<Link>()) {
    const workload = changetype<Workload>(changetype<Link>(link).workload);
    const query = workload.query;
    const order = orderOf(query);
    if (levelsOf(query) > 1)
      for (let last: u32 = 0; last < order; last++) {
        const copy = copyOf(workload, order, last);
        addLeaves(query, copy, last, codes, 0, tableOf(copy), TREE_LEVELS, amount);
      }
    else if (order == 2) addPair(workload, codes, amount);
    else for (let last: u32 = 0; last < order; last++) addCell(query, copyOf(workload, order, last), codes, amount);
  }
}

/** To the row's cell in both copies of a marginal of two columns: most of what a search does to its tables. */
@inline
function addPair(workload: Workload, codes: usize, amount: i32): void {
  const a = codeAt(workload.query, 0, codes);
  const b = codeAt(workload.query, 1, codes);
  const lastA = copyOf(workload, 2, 0);
  const lastB = copyOf(workload, 2, 1);
  addTo(tableOf(lastA) + b * strideOf(lastA, 1) + (a << 2), amount);
  addTo(tableOf(lastB) + a * strideOf(lastB, 0) + (b << 2), amount);
}

/** To the row's cell in one copy of a marginal. */
function addCell(query: usize, copy: usize, codes: usize, amount: i32): void {
  let cell = tableOf(copy);
  for (let axis: u32 = 0; axis < orderOf(query); axis++) cell += codeAt(query, axis, codes) * strideOf(copy, axis);
  addTo(cell, amount);
}

@inline
function codeAt(query: usize, axis: u32, codes: usize): usize {
  return load<u16>(codes + (columnOf(query, axis) << 1));
}

@inline
function addTo(cell: usize, amount: i32): void {
  store<i32>(cell, load<i32>(cell) + amount);
}

/**
 * Adds to the potentials of all leaves around the row's: `amount` for each level on which they share a node, which on
 * several axes together is the least over the axes. `cell` and `shared` cover the axes before `axis`; the last axis of
 * the copy comes last.
 */
function addLeaves(
  query: usize,
  copy: usize,
  last: u32,
  codes: usize,
  axis: u32,
  cell: usize,
  shared: i32,
  amount: i32,
): void {
  if (axis == last) axis++;
  if (axis >= orderOf(query)) return addLine(query, last, codes, cell, shared, amount);
  const code = <u32>codeAt(query, axis, codes);
  const stride = strideOf(copy, axis);
  if (!isTree(query, axis)) return addLeaves(query, copy, last, codes, axis + 1, cell + code * stride, shared, amount);
  for (let leaf = firstNear(code), end = endNear(code); leaf < end; leaf++) {
    const less = min(shared, sharedLevels(code, leaf));
    addLeaves(query, copy, last, codes, axis + 1, cell + leaf * stride, less, amount);
  }
}

/** The codes that share at least one level with `code`: its half of the leaves, or "missing" alone. */
@inline
function firstNear(code: u32): u32 {
  return code & ~(TREE_LEAVES / 2 - 1);
}

@inline
function endNear(code: u32): u32 {
  return code == TREE_LEAVES ? TREE_LEAVES + 1 : firstNear(code) + TREE_LEAVES / 2;
}

function addLine(query: usize, last: u32, codes: usize, line: usize, shared: i32, amount: i32): void {
  const code = <u32>codeAt(query, last, codes);
  if (!isTree(query, last)) return addTo(line + (<usize>code << 2), amount * shared);
  const first = <usize>firstNear(code) << 2;
  const bytes = (<usize>endNear(code) << 2) - first;
  addShares(line + first, SHARES + <usize>code * SHARES_LINE + first, bytes, amount, shared);
}

/** How much the loss would change with one change of one cell: for hosts that hold the tables against a recount. */
export function searchDelta(pointer: usize, row: u32, column: u32, value: u32): i64 {
  const search = changetype<Search>(pointer);
  return lossChange(search, rowOf(search, row), column, value);
}

/** Makes one change of one cell. */
export function searchMove(pointer: usize, row: u32, column: u32, value: u32): void {
  const search = changetype<Search>(pointer);
  const codes = rowOf(search, row);
  changeCell(search, codes, column, value, lossChange(search, codes, column, value));
}
