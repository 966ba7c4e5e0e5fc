// Scores and makes one-cell changes of a row. With s one row in units and S_v the sum, over the workloads that contain
// the column, of the residual of the cell that the row has with code v (in a tree: of the potential of its leaf, the
// sum over the levels of the residual of the node that holds it), changing the code from u to v changes the loss by
// 2s(S_u − S_v) + 2s²K(u, v), where K counts the cells, over workloads and levels, that the row leaves (and as many
// that it enters).
import { STREAM_PLACE, TREE_LEAVES, TREE_LEVELS } from "../layout";
import { below, drawWords, word } from "../philox";
import { kindOf } from "../queries/index";
import { cellAt, columnOf, isTree, levelsOf, orderOf } from "../queries/query";
import { Field, Link, Search, Workload, copyOf, fieldOf, rowOf, startOfRun, strideOf, tableOf } from "./search";
import { addShares, sharedLevels, sharesOf } from "./shares";

/** Where, in the copy that has the link's column last, the row's line begins. */
@inline
export function pairedLine(link: Link, codes: usize): usize {
  return link.table + <usize>load<u16>(codes + link.partner) * link.stride;
}

export function deepLine(link: Link, codes: usize): usize {
  const workload = changetype<Workload>(link.workload);
  const order = orderOf(workload.query);
  const copy = copyOf(workload, order, link.axis);
  let line = link.table;
  for (let axis: u32 = 0; axis < order; axis++)
    if (axis != link.axis) line += codeAt(workload.query, axis, codes) * strideOf(copy, axis);
  return line;
}

/** A code of a run: each of them is as good. Where the column has no runs, it is the code itself. */
export function placeIn(search: Search, field: Field, run: u32): u32 {
  if (!field.runCount) return run;
  const first = startOfRun(field, run);
  const length = startOfRun(field, run + 1) - first;
  if (length == 1) return first;
  drawWords(search.seed, STREAM_PLACE, 0, search.placed >> 4);
  return first + below(length, word(search.placed++));
}

@inline
export function othersOf(field: Field): usize {
  return field.links + field.degree * offsetof<Link>();
}

@inline
export function endOfOthers(field: Field): usize {
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
  // Both sums fit i32 (searchOpen), but their difference may not.
  let stay: i32 = search.unit * left;
  let move: i32 = 0;
  let link = field.links;
  const paired = link + field.paired * offsetof<Link>();
  const end = link + field.degree * offsetof<Link>();
  for (; link < paired; link += offsetof<Link>()) {
    const line = pairedLine(changetype<Link>(link), codes);
    stay += load<i32>(line + from);
    move += load<i32>(line + to);
  }
  for (; link < end; link += offsetof<Link>()) {
    const line = deepLine(changetype<Link>(link), codes);
    stay += load<i32>(line + from);
    move += load<i32>(line + to);
  }
  let change = 2 * <i64>search.unit * (<i64>stay - move);
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
  addShares(line + first, sharesOf(code) + first, bytes, amount, shared);
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
