// Lays a search out in memory and fills its tables.
import { answerRows, answerScratch, isTable, kindOf } from "../queries/index";
import {
  bytesOf,
  cellAt,
  cellFactor,
  cellsOf,
  codesOf,
  columnOf,
  fineOf,
  finestOffset,
  isTree,
  levelsOf,
  orderOf,
  sizeOf,
} from "../queries/query";
import { addCoarserLevels, answerLevels } from "../queries/tree";
import { block, take, takeFrom } from "./block";
import { batchesBytes } from "./batches";
import { isFiner, openRuns, runBytes } from "./runs";
import {
  Field,
  Link,
  Search,
  Workload,
  copyBytes,
  copyOf,
  fieldOf,
  rowOf,
  strideOf,
  tableOf,
  workloadOf,
} from "./search";
import { fillShares } from "./shares";

/**
 * Reserves a search for rows of `width` columns.
 * @param queries u32[count]: pointers to QUERY structs of order 1 or more, which must outlive the search
 * @param shift residuals are held in units of 2^-shift row, 1 or more where a query is no table; rows · 2^shift ·
 * (levels of the tables of one column, and answers of its other queries that one row's change can reach) < 2^30
 * @returns the search, or 0 where the memory does not suffice
 */
export function searchOpen(queries: usize, count: u32, width: u32, rows: u32, shift: u32, seed: u32): usize {
  if (!takeFrom(footprint(queries, count, width, <f64>rows))) return 0;
  const search = changetype<Search>(take(offsetof<Search>()));
  search.rows = rows;
  search.width = width;
  search.unit = 1 << shift;
  search.seed = seed;
  search.finer = isFiner(queries, count) ? width << 1 : 0;
  search.stride = search.finer + (width << 1);
  search.codes = take(<usize>rows * search.stride);
  search.columns = take(width << 2);
  for (let column: u32 = 0; column < width; column++) store<usize>(search.columns + (column << 2), take(rows << 1));
  search.count = count;
  search.workloads = take(count * offsetof<Workload>());
  for (let index: u32 = 0; index < count; index++)
    openWorkload(workloadOf(search, index), load<usize>(queries + (index << 2)));
  openFields(search, count);
  search.lines = take(count << 2);
  search.scores = take(longestLine(queries, count));
  openRuns(search);
  fillShares();
  return changetype<usize>(search);
}

/**
 * The most that a search and its host take of the arena, in bytes: the QUERY structs and their pointers, the block of
 * `searchOpen`, and the larger of what fills a column, what sets a target, and what a descent in batches keeps. Not
 * held to 32 bits, since it is asked of workloads that are refused for it. A column of no query takes up to half a
 * megabyte more while it is filled.
 * @param rows a whole number
 */
export function searchBytes(queries: usize, count: u32, width: u32, rows: f64): f64 {
  let structs = block(4 * <f64>count);
  let most: f64 = 0;
  let scratch: f64 = 0;
  for (let index: u32 = 0; index < count; index++) {
    const query = load<usize>(queries + (<usize>index << 2));
    structs += block(bytesOf(query));
    most = max(most, <f64>cellsOf(query));
    scratch = max(scratch, answerScratch(query));
  }
  const target = 2 * block(4 * most) + block(scratch);
  // A pair, or a column, has no more weights than a query in which it occurs has cells.
  const start = block(4 * rows) + block(2 * rows) + block(longestLine(queries, count)) + block(8 * most);
  return structs + footprint(queries, count, width, rows) + max(target, max(start, batchesBytes(rows, width)));
}

/** The bytes of the search's block; a float, since products of sizes may exceed every integer type. */
function footprint(queries: usize, count: u32, width: u32, rows: f64): f64 {
  let bytes =
    block(offsetof<Search>()) +
    block(rows * (width << (isFiner(queries, count) ? 2 : 1))) +
    2 * block(width << 2) +
    width * block(2 * rows) +
    block(count * offsetof<Workload>()) +
    block(width * offsetof<Field>()) +
    block(count << 2) +
    longestLine(queries, count) +
    runBytes(queries, count, width);
  for (let index: u32 = 0; index < count; index++) {
    const query = load<usize>(queries + (<usize>index << 2));
    const order = orderOf(query);
    bytes += order * block(offsetof<Link>());
    if (!isTable(query)) {
      bytes += block(4 * <f64>cellsOf(query)) + block(kindOf(query).stateBytes(query));
      continue;
    }
    bytes += block(order * copyBytes(order));
    for (let axis: u32 = 0; axis < order; axis++) bytes += block(tableBytes(query, axis));
  }
  return bytes;
}

/** The bytes of one line: a code's worth of i32, padded to whole vectors. */
@inline
function lineBytes(size: u32): u32 {
  return ((size + 3) & ~3) << 2;
}

function longestLine(queries: usize, count: u32): u32 {
  let longest: u32 = 0;
  for (let index: u32 = 0; index < count; index++) {
    const query = load<usize>(queries + (index << 2));
    for (let axis: u32 = 0; axis < orderOf(query); axis++) longest = max(longest, lineBytes(sizeOf(query, axis)));
  }
  return longest;
}

/** The bytes of the copy that has this axis last. */
function tableBytes(query: usize, last: u32): f64 {
  let bytes: f64 = lineBytes(sizeOf(query, last));
  for (let axis: u32 = 0; axis < orderOf(query); axis++) if (axis != last) bytes *= sizeOf(query, axis);
  return bytes;
}

function openWorkload(workload: Workload, query: usize): void {
  const order = orderOf(query);
  workload.query = query;
  if (!isTable(query)) {
    workload.copies = take(<usize>cellsOf(query) << 2);
    const kind = kindOf(query);
    workload.state = take(<usize>kind.stateBytes(query));
    kind.openState(query, workload.state);
    return;
  }
  workload.copies = take(<usize>order * copyBytes(order));
  for (let last: u32 = 0; last < order; last++) {
    const copy = copyOf(workload, order, last);
    store<usize>(copy, take(<usize>tableBytes(query, last)));
    let stride = lineBytes(sizeOf(query, last));
    for (let axis = order; axis-- > 0; ) {
      const strides = copy + (<usize>axis << 2);
      store<u32>(strides, axis == last ? 4 : stride, 4);
      if (axis != last) stride *= sizeOf(query, axis);
    }
  }
}

function openFields(search: Search, count: u32): void {
  search.fields = take(search.width * offsetof<Field>());
  search.active = take(search.width << 2);
  for (let index: u32 = 0; index < count; index++) {
    const query = workloadOf(search, index).query;
    for (let axis: u32 = 0; axis < orderOf(query); axis++) {
      const field = fieldOf(search, columnOf(query, axis));
      field.size = sizeOf(query, axis);
      field.tree = isTree(query, axis);
      field.fine = fineOf(query, axis);
      field.factor = cellFactor(field.fine);
      field.codes = codesOf(query, axis);
      if (!isTable(query)) {
        field.others++;
        continue;
      }
      field.levels += levelsOf(query);
      field.degree++;
    }
  }
  for (let column: u32 = 0; column < search.width; column++) {
    const field = fieldOf(search, column);
    const degree = field.degree + field.others;
    if (!degree) continue;
    store<u32>(search.active + ((<usize>search.activeCount) << 2), column);
    search.activeCount++;
    field.links = take(degree * offsetof<Link>());
    const paired = openLinks(search, count, column, field.links, Partners.ONE);
    field.paired = <u32>((paired - field.links) / offsetof<Link>());
    openLinks(search, count, column, openLinks(search, count, column, paired, Partners.MANY), Partners.NO_TABLE);
  }
}

/** The other axes of a column's workload: of a table one at most, or more; or what is no table. */
enum Partners {
  ONE,
  MANY,
  NO_TABLE,
}

@inline
function partnersIn(query: usize): Partners {
  if (!isTable(query)) return Partners.NO_TABLE;
  return orderOf(query) > 2 ? Partners.MANY : Partners.ONE;
}

/** Writes the column's links to workloads with such partners. Returns where the next goes. */
function openLinks(search: Search, count: u32, column: u32, at: usize, partners: Partners): usize {
  for (let index: u32 = 0; index < count; index++) {
    const workload = workloadOf(search, index);
    const query = workload.query;
    const order = orderOf(query);
    if (partnersIn(query) != partners) continue;
    for (let axis: u32 = 0; axis < order; axis++) {
      if (columnOf(query, axis) != column) continue;
      const link = changetype<Link>(at);
      link.workload = changetype<usize>(workload);
      link.axis = axis;
      at += offsetof<Link>();
      if (partners == Partners.NO_TABLE) continue;
      const copy = copyOf(workload, order, axis);
      link.table = tableOf(copy);
      if (order > 1) {
        const other: u32 = axis ? 0 : 1;
        link.partner = columnOf(query, other) << 1;
        link.stride = strideOf(copy, other);
      }
    }
  }
  return at;
}

/** u32[width]: pointers to u16[rows]; the start's codes go there before the first `searchTarget`. */
export function searchColumns(search: usize): usize {
  return changetype<Search>(search).columns;
}

/**
 * Fills the tables of one workload and adds its part to the loss. Each workload gets its targets once, before
 * `searchBegin`.
 * @param targets i32[cells]: in units, in the order of the query's answers; overwritten
 * @param counts i32[cells]: scratch, zeroed
 */
export function searchTarget(pointer: usize, index: u32, targets: usize, counts: usize): void {
  const search = changetype<Search>(pointer);
  const workload = workloadOf(search, index);
  const query = workload.query;
  answerRows(query, search.columns, search.rows, counts);
  answerLevels(query, counts);
  for (let at: usize = 0, end = <usize>cellsOf(query) << 2; at < end; at += 4) {
    const residual = load<i32>(targets + at) - search.unit * load<i32>(counts + at);
    store<i32>(targets + at, residual);
    search.loss += <i64>residual * residual;
  }
  if (!isTable(query)) {
    memory.copy(workload.copies, targets, <usize>cellsOf(query) << 2);
    return;
  }
  addCoarserLevels(query, targets);
  const order = orderOf(query);
  for (let last: u32 = 0; last < order; last++) {
    const copy = copyOf(workload, order, last);
    placeCells(query, copy, 0, targets + (<usize>finestOffset(query) << 2), tableOf(copy));
  }
}

/** Copies cells, row-major from `from`, to their places in a copy. Returns where the reading ended. */
function placeCells(query: usize, copy: usize, axis: u32, from: usize, to: usize): usize {
  if (axis == orderOf(query)) {
    store<i32>(to, load<i32>(from));
    return from + 4;
  }
  const stride = strideOf(copy, axis);
  for (let index: u32 = 0; index < sizeOf(query, axis); index++, to += stride)
    from = placeCells(query, copy, axis + 1, from, to);
  return from;
}

/** Takes the start's rows from the columns. */
export function searchBegin(pointer: usize): void {
  transpose(changetype<Search>(pointer), true);
}

/** Writes the present rows into the columns. */
export function searchEnd(pointer: usize): void {
  transpose(changetype<Search>(pointer), false);
}

function transpose(search: Search, toRows: bool): void {
  for (let column: u32 = 0; column < search.width; column++) {
    const codes = load<usize>(search.columns + (<usize>column << 2));
    const field = fieldOf(search, column);
    for (let row: u32 = 0; row < search.rows; row++) {
      const inColumn = codes + (<usize>row << 1);
      const inRow = rowOf(search, row) + (<usize>column << 1);
      if (!toRows) store<u16>(inColumn, load<u16>(inRow + search.finer));
      else {
        const code = load<u16>(inColumn);
        store<u16>(inRow, field.fine ? cellAt(code, field.factor) : code);
        store<u16>(inRow + search.finer, code);
      }
    }
  }
}

/** The sum of all squared residuals over all levels, in squared units. */
export function searchLoss(search: usize): i64 {
  return changetype<Search>(search).loss;
}

/** Sweeps or generations done. */
export function searchSteps(search: usize): u32 {
  return changetype<Search>(search).steps;
}

/** One-cell changes scored. */
export function searchCandidates(search: usize): f64 {
  return <f64>changetype<Search>(search).candidates;
}
