// Boxes: rows count whose codes lie within a range on every axis of a box. An axis that the boxes divide has no range:
// each of its codes has a cell of its own in every box.
import { RANGES_BOUNDS, RANGES_BOXES, RANGES_CELLS, RANGES_DIVIDED, RANGES_SIDES } from "../layout";
import { QUERY_KIND_BYTES, noStateBytes, openNoState, queryKind } from "./kind";
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

/**
 * The first box. A box has `sidesOf` sides of two u32: an axis, and a bound, which is the first code of a range and,
 * above it, its width, u16 each. Sides of the same axis are equal.
 */
@inline
function firstBox(query: usize): usize {
  return parametersOf(query) + RANGES_BOUNDS;
}

@inline
function boxBytes(query: usize): usize {
  return (<usize>load<u32>(parametersOf(query), RANGES_SIDES)) << 3;
}

@inline
function axisOf(side: usize): u32 {
  return load<u32>(side);
}

@inline
function boundOf(side: usize): u32 {
  return load<u32>(side, 4);
}

@inline
function isDivided(query: usize, axis: u32): bool {
  return ((load<u32>(parametersOf(query), RANGES_DIVIDED) >> axis) & 1) != 0;
}

// Up to so many cells of one axis are counted by comparing the rows with each code.
const MOST_MASKS: u32 = 12;

// Divided axes are noted as bits of a word.
const MOST_AXES = 32;

// The bounds of no code and of all codes.
const NO_CODE: u32 = 0;
const ANY_CODE: u32 = 0xffff0000;

// u32[]: the codes of a row, axis by axis.
const NOTED = memory.data(4 * MOST_AXES);

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

/** Notes the codes of a row for `reachOf`, axis by axis. */
@inline
function noteCodes(query: usize, codes: usize): void {
  for (let axis: u32 = 0, order = orderOf(query); axis < order; axis++)
    store<u32>(NOTED + (<usize>axis << 2), codeAt(query, axis, codes));
}

/**
 * The codes of an axis with which the noted row is in a box, as a bound: NO_CODE if it is outside on another axis,
 * ANY_CODE if the box has no side on this one.
 */
@inline
function reachOf(box: usize, bytes: usize, axis: u32): u32 {
  let bound = ANY_CODE;
  for (const end = box + bytes; box < end; box += 8) {
    const other = axisOf(box);
    if (other == axis) bound = boundOf(box);
    else if (!isIn(load<u32>(NOTED + (<usize>other << 2)), boundOf(box))) return NO_CODE;
  }
  return bound;
}

function answerRows(query: usize, columns: usize, rows: u32, out: usize): void {
  const cells = <usize>cellsIn(query) << 2;
  const isPlain = !load<u32>(parametersOf(query), RANGES_DIVIDED);
  let box = firstBox(query);
  for (let left = boxesOf(query); left > 0; left--, box += boxBytes(query), out += cells) {
    let row: usize = 0;
    if (ASC_FEATURE_SIMD)
      for (; row + 32 <= <usize>rows; row += 32) {
        const inside = manyIn(query, columns, box, row);
        if (isPlain) addTo(out, popcnt(inside));
        else if (inside) countMany(query, columns, row, inside, out);
      }
    for (; row < <usize>rows; row++) if (isRowIn(query, columns, box, row)) countRow(query, columns, row, out);
  }
}

@inline
function columnAt(query: usize, columns: usize, axis: u32): usize {
  return load<usize>(columns + (<usize>columnOf(query, axis) << 2));
}

/** Which of the 32 rows from `row` are in a box, the first in the lowest bit. */
@inline
function manyIn(query: usize, columns: usize, box: usize, row: usize): u32 {
  let a = i16x8.splat(-1);
  let b = a;
  let c = a;
  let d = a;
  for (const end = box + boxBytes(query); box < end; box += 8) {
    const codes = columnAt(query, columns, axisOf(box)) + (row << 1);
    const bound = boundOf(box);
    const first = i16x8.splat(<i16>bound);
    const width = i16x8.splat(<i16>(bound >> 16));
    a = v128.and(a, i16x8.lt_u(i16x8.sub(v128.load(codes), first), width));
    b = v128.and(b, i16x8.lt_u(i16x8.sub(v128.load(codes, 16), first), width));
    c = v128.and(c, i16x8.lt_u(i16x8.sub(v128.load(codes, 32), first), width));
    d = v128.and(d, i16x8.lt_u(i16x8.sub(v128.load(codes, 48), first), width));
  }
  return bitsOf(a, b, c, d);
}

/** Counts the rows of `inside`, of the 32 from `row`, into their cells of a box. */
function countMany(query: usize, columns: usize, row: usize, inside: u32, out: usize): void {
  const axis = ctz(load<u32>(parametersOf(query), RANGES_DIVIDED));
  if (cellsIn(query) > MOST_MASKS || cellsIn(query) != sizeOf(query, axis)) {
    for (; inside; inside &= inside - 1) countRow(query, columns, row + ctz(inside), out);
    return;
  }
  const codes = columnAt(query, columns, axis) + (row << 1);
  for (let value: u32 = 0; inside; value++, out += 4) {
    const lanes = i16x8.splat(<i16>value);
    const a = i16x8.eq(v128.load(codes), lanes);
    const b = i16x8.eq(v128.load(codes, 16), lanes);
    const c = i16x8.eq(v128.load(codes, 32), lanes);
    const d = i16x8.eq(v128.load(codes, 48), lanes);
    const found = inside & bitsOf(a, b, c, d);
    addTo(out, popcnt(found));
    inside ^= found;
  }
}

/** The lanes of four vectors as bits, the first in the lowest. */
@inline
function bitsOf(a: v128, b: v128, c: v128, d: v128): u32 {
  const low = <u32>i8x16.bitmask(i8x16.narrow_i16x8_s(a, b));
  return low | ((<u32>i8x16.bitmask(i8x16.narrow_i16x8_s(c, d))) << 16);
}

function isRowIn(query: usize, columns: usize, box: usize, row: usize): bool {
  for (const end = box + boxBytes(query); box < end; box += 8)
    if (!isIn(load<u16>(columnAt(query, columns, axisOf(box)) + (row << 1)), boundOf(box))) return false;
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

function lossOfChange(
  query: usize,
  residuals: usize,
  _state: usize,
  codes: usize,
  axis: u32,
  value: u32,
  unit: i32,
): i64 {
  const code = codeAt(query, axis, codes);
  if (value == code) return 0;
  noteCodes(query, codes);
  const bytes = boxBytes(query);
  const cells = <usize>cellsIn(query) << 2;
  const step = (<usize>(isDivided(query, axis) ? strideOf(query, axis) : 0)) << 2;
  let cell = residuals + (<usize>cellBeside(query, codes, axis) << 2);
  let change: i64 = 0;
  for (let box = firstBox(query), left = boxesOf(query); left > 0; left--, box += bytes, cell += cells) {
    const reach = reachOf(box, bytes, axis);
    const leaves = isIn(code, reach);
    const enters = isIn(value, reach);
    if (!step && leaves == enters) continue;
    if (leaves) change += <i64>unit * (unit + 2 * <i64>load<i32>(cell + code * step));
    if (enters) change += <i64>unit * (unit - 2 * <i64>load<i32>(cell + value * step));
  }
  return change;
}

function markCodes(query: usize, axis: u32, marks: usize): void {
  const codes = codesOf(query, axis);
  const end = firstBox(query) + <usize>boxesOf(query) * boxBytes(query);
  for (let side = firstBox(query); side < end; side += 8) {
    const bound = boundOf(side);
    if (axisOf(side) != axis || !(bound >> 16)) continue;
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
  _state: usize,
  codes: usize,
  axis: u32,
  unit: i32,
  runOf: usize,
  steps: usize,
): void {
  if (isDivided(query, axis)) return scoreCells(query, residuals, codes, axis, unit, runOf, steps);
  noteCodes(query, codes);
  const code = codeAt(query, axis, codes);
  const half = unit >> 1;
  const bytes = boxBytes(query);
  const cells = <usize>cellsIn(query) << 2;
  let cell = residuals + (<usize>cellBeside(query, codes, axis) << 2);
  let before: i32 = 0;
  for (let box = firstBox(query), left = boxesOf(query); left > 0; left--, box += bytes, cell += cells) {
    const reach = reachOf(box, bytes, axis);
    if (reach == NO_CODE || reach == ANY_CODE) continue;
    const from = reach & 0xffff;
    // What the codes inside the box gain over those outside.
    const isPresent = isIn(code, reach);
    const gain = load<i32>(cell) + (isPresent ? half : -half);
    if (isPresent) before -= gain;
    addTo(stepAt(steps, runOf, from), gain);
    addTo(stepAt(steps, runOf, from + (reach >> 16)), -gain);
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
  noteCodes(query, codes);
  const code = codeAt(query, axis, codes);
  const size = sizeOf(query, axis);
  const stride = <usize>strideOf(query, axis) << 2;
  const bytes = boxBytes(query);
  const cells = <usize>cellsIn(query) << 2;
  let cell = residuals + (<usize>cellBeside(query, codes, axis) << 2);
  for (let box = firstBox(query), left = boxesOf(query); left > 0; left--, box += bytes, cell += cells) {
    if (reachOf(box, bytes, axis) == NO_CODE) continue;
    const lost = load<i32>(cell + <usize>code * stride) + unit;
    let before: i32 = 0;
    for (let value: u32 = 0; value < size; value++) {
      const score = value == code ? 0 : load<i32>(cell + <usize>value * stride) - lost;
      addTo(stepAt(steps, runOf, value), score - before);
      before = score;
    }
  }
}

function moveResiduals(
  query: usize,
  residuals: usize,
  _state: usize,
  codes: usize,
  axis: u32,
  value: u32,
  unit: i32,
): void {
  noteCodes(query, codes);
  const code = codeAt(query, axis, codes);
  const bytes = boxBytes(query);
  const cells = <usize>cellsIn(query) << 2;
  const step = (<usize>(isDivided(query, axis) ? strideOf(query, axis) : 0)) << 2;
  let cell = residuals + (<usize>cellBeside(query, codes, axis) << 2);
  for (let box = firstBox(query), left = boxesOf(query); left > 0; left--, box += bytes, cell += cells) {
    const reach = reachOf(box, bytes, axis);
    const leaves = isIn(code, reach);
    const enters = isIn(value, reach);
    if (!step && leaves == enters) continue;
    if (leaves) addTo(cell + code * step, unit);
    if (enters) addTo(cell + value * step, -unit);
  }
}

export const RANGES = queryKind(
  memory.data(QUERY_KIND_BYTES, 4),
  answerRows,
  noStateBytes,
  openNoState,
  lossOfChange,
  markCodes,
  scoreCodes,
  moveResiduals,
);
