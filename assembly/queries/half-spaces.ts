// Random half-spaces over the one-hot vector of a row: how many rows are on the side of each that counts. Rows are read
// once for all members; then, for LANES members at a time, a row's lines are added up in i16.
import { alloc, clear, mark, rewind } from "../arena";
import { ROLE_DIVIDED } from "../half-spaces-layout";
import { BLOCK_ROWS } from "../layout";
import { sortRecords } from "../sort";
import {
  drawTables,
  labelsIn,
  multipliedIn,
  product,
  readRows,
  rowBytes,
  tableBytes,
  valuesIn,
} from "./half-spaces-lines";
import {
  LANES,
  LINE_BYTES,
  MAGNITUDES_BYTES,
  cellsIn,
  fillMagnitudes,
  isAbove,
  membersOf,
  roleOf,
} from "./half-spaces-members";
import { lossOfChange, markCodes, moveResiduals, scoreCodes } from "./half-spaces-search";
import { openState, stateBytes } from "./half-spaces-state";
import { QUERY_KIND_BYTES, queryKind } from "./kind";
import { columnOf, orderOf, sizeOf } from "./query";

// i16[LANES]: how many rows were not above the threshold.
const COUNTS = memory.data(64, 16);

/** The most memory that `answerRows` takes while it counts, in bytes; none of it remains. */
function scratchBytes(query: usize): f64 {
  const bytes = <f64>MAGNITUDES_BYTES + <f64>tableBytes(query) + <f64>BLOCK_ROWS * rowBytes();
  return bytes + (cellsIn(query) > 1 ? 2 * 8 * BLOCK_ROWS : 0) + 16;
}

function answerRows(query: usize, columns: usize, rows: u32, out: usize): void {
  const most = min<u32>(rows, BLOCK_ROWS);
  const tables = tableBytes(query);
  const sorted = cellsIn(query) > 1 ? <usize>most << 3 : 0;
  const bytes = MAGNITUDES_BYTES + tables + most * rowBytes() + 2 * sorted;
  const before = mark();
  const scratch = alloc(bytes);
  if (!scratch) unreachable(); // what plans state includes it
  fillMagnitudes(query, scratch);
  for (let first: u32 = 0; first < rows; first += BLOCK_ROWS)
    countBlock(query, columns, first, min<u32>(rows - first, BLOCK_ROWS), scratch, tables, sorted, out);
  clear(scratch, bytes);
  clear(COUNTS, LINE_BYTES);
  rewind(before);
}

/**
 * Counts up to BLOCK_ROWS rows: so many fit the counts of a lane.
 * @param scratch what directions are drawn with, then room for tables, for the order of the rows, and for the rows
 */
function countBlock(
  query: usize,
  columns: usize,
  first: u32,
  rows: u32,
  scratch: usize,
  bytesOfTables: usize,
  bytesOfOrder: usize,
  out: usize,
): void {
  const tables = scratch + MAGNITUDES_BYTES;
  const order = bytesOfOrder ? sortByCell(query, columns, first, rows, tables + bytesOfTables, bytesOfOrder) : 0;
  const records = tables + bytesOfTables + 2 * bytesOfOrder;
  const bytes = rowBytes();
  readRows(query, columns, first, rows, tables, order, records);
  for (let place: u32 = 0; place < membersOf(query); place += LANES) {
    drawTables(query, place, tables, scratch);
    for (let row: u32 = 0; row < rows; ) {
      let end = rows;
      let cell: u32 = 0;
      if (order) {
        cell = cellAt(order, row);
        for (end = row + 1; end < rows && cellAt(order, end) == cell; ) end++;
      }
      countRun(records + row * bytes, records + end * bytes, multipliedIn(tables));
      addCounts(query, place, end - row, out + ((<usize>place * cellsIn(query) + cell) << 2));
      row = end;
    }
  }
}

/** Adds the counts of a run of rows to the answers of LANES members. */
function addCounts(query: usize, place: u32, rows: u32, out: usize): void {
  const stride = <usize>cellsIn(query) << 2;
  const count = min(LANES, membersOf(query) - place);
  for (let lane: u32 = 0; lane < count; lane++, out += stride) {
    const below = <i32>load<i16>(COUNTS + (<usize>lane << 1));
    store<i32>(out, load<i32>(out) + (isAbove(query) ? <i32>rows - below : below));
  }
}

/** Sorts rows by the cell that they have in every member: u64[rows], the cell above the row. */
function sortByCell(query: usize, columns: usize, first: u32, rows: u32, scratch: usize, bytes: usize): usize {
  memory.fill(scratch, 0, bytes);
  for (let axis: u32 = 0; axis < orderOf(query); axis++) {
    if (roleOf(query, axis) != ROLE_DIVIDED) continue;
    const codes = load<usize>(columns + (<usize>columnOf(query, axis) << 2)) + (<usize>first << 1);
    const size = <u64>sizeOf(query, axis);
    for (let row: usize = 0; row < <usize>rows; row++) {
      const entry = scratch + (row << 3);
      store<u64>(entry, load<u64>(entry) * size + load<u16>(codes + (row << 1)));
    }
  }
  for (let row: usize = 0; row < <usize>rows; row++) {
    const entry = scratch + (row << 3);
    store<u64>(entry, (load<u64>(entry) << 32) | row);
  }
  return sortRecords(scratch, scratch + bytes, rows, 32, (<u64>cellsIn(query) - 1) << 32);
}

@inline
function cellAt(order: usize, row: u32): u32 {
  return load<u32>(order + (<usize>row << 3), 4);
}

/** Counts in COUNTS the rows from one entry to another whose sums are not positive. */
function countRun(row: usize, end: usize, directions: usize): void {
  const bytes = rowBytes();
  const toValues = valuesIn();
  const toLabels = labelsIn();
  if (!ASC_FEATURE_SIMD) {
    for (let lane: usize = 0; lane < LINE_BYTES; lane += 2) {
      let count: i32 = 0;
      for (let at = row; at < end; at += bytes)
        count += i32(sumOf(at, toValues, toLabels, bytes, directions, lane) <= 0);
      store<i16>(COUNTS + lane, count);
    }
    return;
  }
  const zero = i16x8.splat(0);
  let countA = zero;
  let countB = zero;
  let countC = zero;
  let countD = zero;
  while (row < end) {
    const values = row + toValues;
    const labels = row + toLabels;
    const next = row + bytes;
    let line = load<usize>(row);
    let a = v128.load(line);
    let b = v128.load(line, 16);
    let c = v128.load(line, 32);
    let d = v128.load(line, 48);
    for (row += 4; row < values; row += 4) {
      line = load<usize>(row);
      a = i16x8.add(a, v128.load(line));
      b = i16x8.add(b, v128.load(line, 16));
      c = i16x8.add(c, v128.load(line, 32));
      d = i16x8.add(d, v128.load(line, 48));
    }
    for (line = directions; row < labels; row += 4, line += LINE_BYTES) {
      const value = v128.load16_splat(row);
      a = i16x8.add(a, i16x8.q15mulr_sat_s(v128.load(line), value));
      b = i16x8.add(b, i16x8.q15mulr_sat_s(v128.load(line, 16), value));
      c = i16x8.add(c, i16x8.q15mulr_sat_s(v128.load(line, 32), value));
      d = i16x8.add(d, i16x8.q15mulr_sat_s(v128.load(line, 48), value));
    }
    for (; row < next; row += 4) {
      line = load<usize>(row);
      a = i16x8.add_sat_s(a, v128.load(line));
      b = i16x8.add_sat_s(b, v128.load(line, 16));
      c = i16x8.add_sat_s(c, v128.load(line, 32));
      d = i16x8.add_sat_s(d, v128.load(line, 48));
    }
    countA = i16x8.sub(countA, i16x8.le_s(a, zero));
    countB = i16x8.sub(countB, i16x8.le_s(b, zero));
    countC = i16x8.sub(countC, i16x8.le_s(c, zero));
    countD = i16x8.sub(countD, i16x8.le_s(d, zero));
  }
  v128.store(COUNTS, countA);
  v128.store(COUNTS, countB, 16);
  v128.store(COUNTS, countC, 32);
  v128.store(COUNTS, countD, 48);
}

/** The sum of a row for one member. With a penalty it may leave i16, but its sign is that of the saturated sum. */
function sumOf(row: usize, toValues: usize, toLabels: usize, bytes: usize, directions: usize, lane: usize): i32 {
  let sum: i32 = 0;
  for (let at: usize = 0; at < toValues; at += 4) sum += load<i16>(load<usize>(row + at) + lane);
  for (let at = toValues; at < toLabels; at += 4, directions += LINE_BYTES)
    sum += product(load<i16>(directions + lane), load<u32>(row + at));
  for (let at = toLabels; at < bytes; at += 4) sum += load<i16>(load<usize>(row + at) + lane);
  return sum;
}

export const HALF_SPACES = queryKind(
  memory.data(QUERY_KIND_BYTES, 4),
  answerRows,
  scratchBytes,
  stateBytes,
  openState,
  lossOfChange,
  markCodes,
  scoreCodes,
  moveResiduals,
);
