// Boxes: rows count whose codes lie within a range on every axis of a box. An axis that the boxes divide has no range:
// each of its codes has a cell of its own in every box.
import { axisOf, boundOf, cellsIn, endOf, endOfBoxes, firstBox, isDivided, startOf, strideOf } from "./boxes";
import { QUERY_KIND_BYTES, queryKind } from "./kind";
import { codesOf, orderOf, sizeOf } from "./query";
import { answerRows } from "./ranges-rows";
import {
  Axis,
  State,
  axisAt,
  boundAt,
  codeAt,
  openState,
  rankOf,
  reached,
  setOf,
  stateBytes,
  visit,
  writeSet,
} from "./ranges-state";

/** The cell that a row has in every box that it is in, apart from its code on one axis. */
function cellBeside(query: usize, codes: usize, axis: u32): u32 {
  let cell: u32 = 0;
  for (let other: u32 = 0; other < orderOf(query); other++)
    if (isDivided(query, other)) cell = cell * sizeOf(query, other) + (other == axis ? 0 : codeAt(query, other, codes));
  return cell;
}

@inline
function addTo(place: usize, amount: i32): void {
  store<i32>(place, load<i32>(place) + amount);
}

/** The residual, of the first box, of the cell that the row has but for its code on an axis. */
@inline
function firstCell(query: usize, residuals: usize, codes: usize, axis: u32): usize {
  return residuals + (<usize>cellBeside(query, codes, axis) << 2);
}

/** The bytes from a residual to that of the next code on an axis: 0 if the boxes do not divide it. */
@inline
function stepOf(query: usize, axis: u32): usize {
  return isDivided(query, axis) ? <usize>strideOf(query, axis) << 2 : 0;
}

/**
 * How much the loss changes, in squared units, when the code of a row on one axis becomes `value`.
 * @param moves whether to update the residuals and the state
 */
function change(
  query: usize,
  residuals: usize,
  place: usize,
  codes: usize,
  axis: u32,
  value: u32,
  unit: i32,
  moves: bool,
): i64 {
  const code = codeAt(query, axis, codes);
  if (value == code) return 0;
  const state = changetype<State>(place);
  visit(query, state, codes);
  const first = firstCell(query, residuals, codes, axis);
  const bytes = <usize>cellsIn(query) << 2;
  const step = stepOf(query, axis);
  const left = setOf(state, axis);
  const entered = step ? left : state.fresh;
  if (!step) writeSet(state, axisAt(state, axis), value, entered);
  let rise: i64 = 0;
  for (let word: usize = 0; word < state.bytes; word += 8) {
    const leaves = load<u64>(left + word);
    const enters = load<u64>(entered + word);
    for (let bits = reached(state, axis, word) & (step ? -1 : leaves ^ enters); bits; bits &= bits - 1) {
      const bit = bits & -bits;
      const cell = first + ((word << 3) + <usize>ctz(bits)) * bytes;
      if (leaves & bit) rise += enter(cell + <usize>code * step, -unit, moves);
      if (enters & bit) rise += enter(cell + <usize>value * step, unit, moves);
    }
  }
  if (moves && !step) memory.copy(left, entered, state.bytes);
  return rise;
}

/** How much the loss changes when a row enters a cell; with a negative unit, when it leaves it. */
@inline
function enter(cell: usize, unit: i32, moves: bool): i64 {
  const residual = load<i32>(cell);
  if (moves) store<i32>(cell, residual - unit);
  return <i64>unit * (unit - 2 * <i64>residual);
}

function lossOfChange(
  query: usize,
  residuals: usize,
  state: usize,
  codes: usize,
  axis: u32,
  value: u32,
  unit: i32,
): i64 {
  return change(query, residuals, state, codes, axis, value, unit, false);
}

function moveResiduals(
  query: usize,
  residuals: usize,
  state: usize,
  codes: usize,
  axis: u32,
  value: u32,
  unit: i32,
): void {
  change(query, residuals, state, codes, axis, value, unit, true);
}

function markCodes(query: usize, axis: u32, marks: usize): void {
  const codes = codesOf(query, axis);
  for (let side = firstBox(query), end = endOfBoxes(query); side < end; side += 8) {
    const bound = boundOf(side);
    if (axisOf(side) != axis || !(bound >> 16)) continue;
    store<u16>(marks + (<usize>startOf(bound) << 1), 1);
    if (endOf(bound) < codes) store<u16>(marks + (<usize>endOf(bound) << 1), 1);
  }
}

@inline
function runAt(runOf: usize, code: u32): u32 {
  return load<u16>(runOf + (<usize>code << 1));
}

@inline
function stepAt(steps: usize, run: u32): usize {
  return steps + (<usize>run << 2);
}

/** Writes the runs in place of the codes at which the ranges of an axis begin and have ended. */
function findRuns(axis: Axis, runOf: usize): void {
  axis.hasRuns = true;
  for (let bound = axis.bounds, end = bound + ((<usize>axis.sides) << 2); bound < end; bound += 4) {
    const range = load<u32>(bound);
    store<u16>(bound, <u16>runAt(runOf, startOf(range)));
    store<u16>(bound, <u16>runAt(runOf, endOf(range)), 2);
  }
}

function scoreCodes(
  query: usize,
  residuals: usize,
  place: usize,
  codes: usize,
  axis: u32,
  unit: i32,
  runOf: usize,
  steps: usize,
): void {
  const state = changetype<State>(place);
  visit(query, state, codes);
  const first = firstCell(query, residuals, codes, axis);
  if (isDivided(query, axis))
    return scoreCells(query, first, state, codeAt(query, axis, codes), axis, unit, runOf, steps);
  const bytes = <usize>cellsIn(query) << 2;
  const own = axisAt(state, axis);
  if (!own.hasRuns) findRuns(own, runOf);
  const present = setOf(state, axis);
  const half = unit >> 1;
  let before: i32 = 0;
  for (let word: usize = 0; word < state.bytes; word += 8) {
    const inside = load<u64>(present + word);
    for (let bits = reached(state, axis, word); bits; bits &= bits - 1) {
      const bit = bits & -bits;
      const runs = boundAt(own, rankOf(own, word, bit));
      const isPresent = (inside & bit) != 0;
      // What the codes inside the box gain over those outside.
      const gain = load<i32>(first + ((word << 3) + <usize>ctz(bits)) * bytes) + (isPresent ? half : -half);
      if (isPresent) before -= gain;
      addTo(stepAt(steps, runs & 0xffff), gain);
      addTo(stepAt(steps, runs >> 16), -gain);
    }
  }
  addTo(steps, before);
}

/** The scores of the codes of a divided axis, on which every row is in some cell of the boxes that it is in. */
function scoreCells(
  query: usize,
  first: usize,
  state: State,
  code: u32,
  axis: u32,
  unit: i32,
  runOf: usize,
  steps: usize,
): void {
  const size = sizeOf(query, axis);
  const step = stepOf(query, axis);
  const bytes = <usize>cellsIn(query) << 2;
  memory.fill(state.sums, 0, <usize>size << 2);
  let lost: i32 = 0;
  for (let word: usize = 0; word < state.bytes; word += 8)
    for (let bits = reached(state, axis, word); bits; bits &= bits - 1) {
      let cell = first + ((word << 3) + <usize>ctz(bits)) * bytes;
      lost += load<i32>(cell + <usize>code * step) + unit;
      for (let sum = state.sums, end = sum + (<usize>size << 2); sum < end; sum += 4, cell += step)
        addTo(sum, load<i32>(cell));
    }
  let before: i32 = 0;
  for (let value: u32 = 0; value < size; value++) {
    const score = value == code ? 0 : load<i32>(state.sums + (<usize>value << 2)) - lost;
    addTo(stepAt(steps, runAt(runOf, value)), score - before);
    before = score;
  }
}

export const RANGES = queryKind(
  memory.data(QUERY_KIND_BYTES, 4),
  answerRows,
  stateBytes,
  openState,
  lossOfChange,
  markCodes,
  scoreCodes,
  moveResiduals,
);
