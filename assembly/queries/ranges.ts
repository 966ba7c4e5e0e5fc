// Boxes: rows count whose codes lie within a range on every axis of a box. An axis that the boxes divide has no range:
// each of its codes has a cell of its own in every box.
import { RANGES_BOUNDS, RANGES_BOXES, RANGES_CELLS, RANGES_DIVIDED } from "../layout";
import { QUERY_KIND_BYTES, queryKind } from "./kind";
import { codesOf, columnOf, orderOf, parametersOf, sizeOf } from "./query";

@inline
function boxesOf(query: usize): u32 {
  return load<u32>(parametersOf(query), RANGES_BOXES);
}

/** The number of cells of a box. */
@inline
function cellsIn(query: usize): u32 {
  return load<u32>(parametersOf(query), RANGES_CELLS);
}

/** The bounds of the first box: for each box and axis, the first code of the range and, above it, its width, u16 each. */
@inline
function boundsOf(query: usize): usize {
  return parametersOf(query) + RANGES_BOUNDS;
}

@inline
function isDivided(query: usize, axis: u32): bool {
  return ((load<u32>(parametersOf(query), RANGES_DIVIDED) >> axis) & 1) != 0;
}

@inline
function isIn(code: u32, bound: u32): bool {
  return code - (bound & 0xffff) < bound >> 16;
}

/** The size of the part of a box that has one code on a divided axis and the first code on all before it. */
function strideOf(query: usize, axis: u32): u32 {
  let stride: u32 = 1;
  for (let other = axis + 1; other < orderOf(query); other++)
    if (isDivided(query, other)) stride *= sizeOf(query, other);
  return stride;
}

@inline
function codeAt(query: usize, axis: u32, codes: usize): u32 {
  return load<u16>(codes + (<usize>columnOf(query, axis) << 1));
}

/** The cell that a row has in every box that it is in, apart from its code on one axis. */
function cellBeside(query: usize, codes: usize, axis: u32): u32 {
  let cell: u32 = 0;
  for (let other: u32 = 0; other < orderOf(query); other++)
    if (isDivided(query, other)) cell = cell * sizeOf(query, other) + (other == axis ? 0 : codeAt(query, other, codes));
  return cell;
}

/** Whether a row is in a box as far as all axes but one are concerned. */
function isInBeside(query: usize, bounds: usize, codes: usize, axis: u32): bool {
  for (let other: u32 = 0, order = orderOf(query); other < order; other++)
    if (other != axis && !isIn(codeAt(query, other, codes), load<u32>(bounds + (<usize>other << 2)))) return false;
  return true;
}

function answerRows(query: usize, columns: usize, rows: u32, out: usize): void {
  const order = orderOf(query);
  const cells = <usize>cellsIn(query) << 2;
  const isPlain = !load<u32>(parametersOf(query), RANGES_DIVIDED);
  let bounds = boundsOf(query);
  for (let left = boxesOf(query); left > 0; left--, bounds += <usize>order << 2, out += cells) {
    let row: usize = 0;
    if (ASC_FEATURE_SIMD)
      for (; row + 8 <= <usize>rows; row += 8) {
        let mask = eightIn(query, columns, bounds, row);
        if (isPlain) store<u32>(out, load<u32>(out) + popcnt(mask));
        else for (; mask; mask &= mask - 1) countRow(query, columns, row + ctz(mask), out);
      }
    for (; row < <usize>rows; row++) if (isRowIn(query, columns, bounds, row)) countRow(query, columns, row, out);
  }
}

@inline
function columnAt(query: usize, columns: usize, axis: u32): usize {
  return load<usize>(columns + (<usize>columnOf(query, axis) << 2));
}

/** Which of the eight rows from `row` are in a box, the first in the lowest bit. */
@inline
function eightIn(query: usize, columns: usize, bounds: usize, row: usize): u32 {
  let lanes = i16x8.splat(-1);
  for (let axis: u32 = 0, order = orderOf(query); axis < order; axis++) {
    const bound = load<u32>(bounds + (<usize>axis << 2));
    const codes = v128.load(columnAt(query, columns, axis) + (row << 1));
    lanes = v128.and(lanes, i16x8.lt_u(i16x8.sub(codes, i16x8.splat(<i16>bound)), i16x8.splat(<i16>(bound >> 16))));
  }
  return i16x8.bitmask(lanes);
}

function isRowIn(query: usize, columns: usize, bounds: usize, row: usize): bool {
  for (let axis: u32 = 0, order = orderOf(query); axis < order; axis++) {
    const code = load<u16>(columnAt(query, columns, axis) + (row << 1));
    if (!isIn(code, load<u32>(bounds + (<usize>axis << 2)))) return false;
  }
  return true;
}

/** Adds a row to its cell of a box that it is in. @param out i32[cells]: the box' answers */
function countRow(query: usize, columns: usize, row: usize, out: usize): void {
  let cell: u32 = 0;
  for (let axis: u32 = 0, order = orderOf(query); axis < order; axis++)
    if (isDivided(query, axis))
      cell = cell * sizeOf(query, axis) + load<u16>(columnAt(query, columns, axis) + (row << 1));
  addTo(out + (<usize>cell << 2), 1);
}

@inline
function addTo(place: usize, amount: i32): void {
  store<i32>(place, load<i32>(place) + amount);
}

function lossOfChange(query: usize, residuals: usize, codes: usize, axis: u32, value: u32, unit: i32): i64 {
  const code = codeAt(query, axis, codes);
  if (value == code) return 0;
  const row = <usize>orderOf(query) << 2;
  const step: u32 = isDivided(query, axis) ? strideOf(query, axis) : 0;
  let cell = residuals + (<usize>cellBeside(query, codes, axis) << 2);
  let change: i64 = 0;
  for (let bounds = boundsOf(query), end = bounds + <usize>boxesOf(query) * row; bounds < end; bounds += row) {
    if (isInBeside(query, bounds, codes, axis)) {
      const bound = load<u32>(bounds + (<usize>axis << 2));
      const leaves = isIn(code, bound);
      const enters = isIn(value, bound);
      if (step || leaves != enters) {
        if (leaves) change += <i64>unit * (unit + 2 * <i64>load<i32>(cell + ((<usize>(code * step)) << 2)));
        if (enters) change += <i64>unit * (unit - 2 * <i64>load<i32>(cell + ((<usize>(value * step)) << 2)));
      }
    }
    cell += <usize>cellsIn(query) << 2;
  }
  return change;
}

function markCodes(query: usize, axis: u32, marks: usize): void {
  const row = <usize>orderOf(query) << 2;
  const codes = codesOf(query, axis);
  for (let at = boundsOf(query) + (<usize>axis << 2), end = at + <usize>boxesOf(query) * row; at < end; at += row) {
    const bound = load<u32>(at);
    if (!(bound >> 16)) continue;
    const from = bound & 0xffff;
    const to = from + (bound >> 16);
    store<u16>(marks + (<usize>from << 1), 1);
    if (to < codes) store<u16>(marks + (<usize>to << 1), 1);
  }
}

@inline
function stepAt(steps: usize, runOf: usize, code: u32): usize {
  return steps + ((<usize>load<u16>(runOf + (<usize>code << 1))) << 2);
}

function scoreCodes(
  query: usize,
  residuals: usize,
  codes: usize,
  axis: u32,
  unit: i32,
  runOf: usize,
  steps: usize,
): void {
  if (isDivided(query, axis)) return scoreCells(query, residuals, codes, axis, unit, runOf, steps);
  const row = <usize>orderOf(query) << 2;
  const code = codeAt(query, axis, codes);
  const half = unit >> 1;
  let cell = residuals + (<usize>cellBeside(query, codes, axis) << 2);
  let before: i32 = 0;
  for (let bounds = boundsOf(query), end = bounds + <usize>boxesOf(query) * row; bounds < end; bounds += row) {
    if (isInBeside(query, bounds, codes, axis)) {
      const bound = load<u32>(bounds + (<usize>axis << 2));
      const from = bound & 0xffff;
      // What the codes inside the box gain over those outside.
      const isPresent = isIn(code, bound);
      const gain = load<i32>(cell) + (isPresent ? half : -half);
      if (isPresent) before -= gain;
      addTo(stepAt(steps, runOf, from), gain);
      addTo(stepAt(steps, runOf, from + (bound >> 16)), -gain);
    }
    cell += <usize>cellsIn(query) << 2;
  }
  addTo(steps, before);
}

/** The scores of the codes of a divided axis, on which every row is in some cell of the boxes that it is in. */
function scoreCells(
  query: usize,
  residuals: usize,
  codes: usize,
  axis: u32,
  unit: i32,
  runOf: usize,
  steps: usize,
): void {
  const row = <usize>orderOf(query) << 2;
  const code = codeAt(query, axis, codes);
  const stride = <usize>strideOf(query, axis) << 2;
  let cell = residuals + (<usize>cellBeside(query, codes, axis) << 2);
  for (let bounds = boundsOf(query), end = bounds + <usize>boxesOf(query) * row; bounds < end; bounds += row) {
    if (isInBeside(query, bounds, codes, axis)) {
      const left = load<i32>(cell + <usize>code * stride) + unit;
      let before: i32 = 0;
      for (let value: u32 = 0, size = sizeOf(query, axis); value < size; value++) {
        const score = value == code ? 0 : load<i32>(cell + <usize>value * stride) - left;
        addTo(stepAt(steps, runOf, value), score - before);
        before = score;
      }
    }
    cell += <usize>cellsIn(query) << 2;
  }
}

function moveResiduals(query: usize, residuals: usize, codes: usize, axis: u32, value: u32, unit: i32): void {
  const row = <usize>orderOf(query) << 2;
  const code = codeAt(query, axis, codes);
  const step: u32 = isDivided(query, axis) ? strideOf(query, axis) : 0;
  let cell = residuals + (<usize>cellBeside(query, codes, axis) << 2);
  for (let bounds = boundsOf(query), end = bounds + <usize>boxesOf(query) * row; bounds < end; bounds += row) {
    if (isInBeside(query, bounds, codes, axis)) {
      const bound = load<u32>(bounds + (<usize>axis << 2));
      if (isIn(code, bound)) addTo(cell + ((<usize>(code * step)) << 2), unit);
      if (isIn(value, bound)) addTo(cell + ((<usize>(value * step)) << 2), -unit);
    }
    cell += <usize>cellsIn(query) << 2;
  }
}

export const RANGES = queryKind(
  memory.data(QUERY_KIND_BYTES, 4),
  answerRows,
  lossOfChange,
  markCodes,
  scoreCodes,
  moveResiduals,
);
