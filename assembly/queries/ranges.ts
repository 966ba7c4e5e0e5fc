// Boxes: rows count whose codes lie within a range on every axis of a box. An axis that the boxes divide has no range:
// each of its codes has a cell of its own in every box.
import { axisOf, boundOf, boxBytes, boxesOf, cellsIn, firstBox, isDivided, isIn, strideOf } from "./boxes";
import { QUERY_KIND_BYTES, noStateBytes, openNoState, queryKind } from "./kind";
import { codesOf, columnOf, orderOf, sizeOf } from "./query";
import { answerRows } from "./ranges-rows";

// Divided axes are noted as bits of a word.
const MOST_AXES = 32;

// The bounds of no code and of all codes.
const NO_CODE: u32 = 0;
const ANY_CODE: u32 = 0xffff0000;

// u32[]: the codes of a row, axis by axis.
const NOTED = memory.data(4 * MOST_AXES);

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
