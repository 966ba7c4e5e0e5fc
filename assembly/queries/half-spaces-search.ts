// Random half-spaces in a search: how much changes of one code change the loss.
import { ROLE_CODES, ROLE_DIVIDED, ROLE_LABEL, ROLE_VALUES } from "../half-spaces-layout";
import { lossOfLabel, moveLabel, scoreCells, scoreLabels } from "./half-spaces-labels";
import { product } from "./half-spaces-lines";
import { hasCoordinates, placeOf, roleOf, valuesOf } from "./half-spaces-members";
import {
  State,
  WHOLE,
  addScore,
  addStep,
  addTo,
  cellBytes,
  codeIn,
  directionOf,
  factorOf,
  hasLabel,
  isInside,
  look,
  residualOf,
} from "./half-spaces-state";
import { codesOf } from "./query";

/** Members whose sums are held at once without a code of the row: they fit the fastest memory with their gains. */
const TILE: u32 = 1024;
const BASES = memory.data(2048, 16);
/** Σ gains of the members for which base + direction · factor is not positive. @param count a multiple of 8 */
function sumGains(bases: usize, direction: usize, factor: i32, gains: usize, count: u32): i32 {
  const bytes = <usize>count << 1;
  let sum: i32 = 0;
  if (ASC_FEATURE_SIMD) {
    const zero = i16x8.splat(0);
    const factors = i16x8.splat(<i16>factor);
    let low = i32x4.splat(0);
    let high = low;
    for (let at: usize = 0; at < bytes; at += 16, gains += 32) {
      let change = v128.load(direction + at);
      if (factor != WHOLE) change = i16x8.q15mulr_sat_s(change, factors);
      const is = i16x8.le_s(i16x8.add(v128.load(bases + at), change), zero);
      low = i32x4.add(low, v128.and(v128.load(gains), i32x4.extend_low_i16x8_s(is)));
      high = i32x4.add(high, v128.and(v128.load(gains, 16), i32x4.extend_high_i16x8_s(is)));
    }
    sum = sumOfLanes(i32x4.add(low, high));
  } else
    for (let at: usize = 0; at < bytes; at += 2, gains += 4) {
      const whole = <i32>load<i16>(direction + at);
      const change = factor == WHOLE ? whole : product(whole, factor);
      if (load<i16>(bases + at) + change <= 0) sum += load<i32>(gains);
    }
  return sum;
}

@inline
function sumOfLanes(lanes: v128): i32 {
  const pairs = i32x4.add(lanes, v128.shuffle<i32>(lanes, lanes, 2, 3, 0, 1));
  return i32x4.extract_lane(pairs, 0) + i32x4.extract_lane(pairs, 1);
}

/** Writes to BASES the sums of the members from one on, without the code that the row has on an axis. */
function setBases(query: usize, state: State, codes: usize, axis: u32, from: u32, count: u32): void {
  const code = codeIn(query, codes, axis);
  const at = <usize>from << 1;
  addTo(BASES, state.sums + at, directionOf(query, state, axis, code) + at, factorOf(query, axis, code), false, count);
}

export function lossOfChange(
  query: usize,
  residuals: usize,
  pointer: usize,
  codes: usize,
  axis: u32,
  value: u32,
  unit: i32,
): i64 {
  const state = changetype<State>(pointer);
  look(query, residuals, state, codes, unit);
  if (!hasCoordinates(query, axis)) return lossOfLabel(query, residuals, state, codes, axis, value, unit);
  let gain = -state.present;
  for (let from: u32 = 0; from < state.members; from += TILE) {
    const count = min(TILE, state.members - from);
    setBases(query, state, codes, axis, from, count);
    const direction = directionOf(query, state, axis, value) + (<usize>from << 1);
    gain += sumGains(BASES, direction, factorOf(query, axis, value), state.gains + (<usize>from << 2), count);
  }
  return -2 * <i64>unit * gain;
}

export function markCodes(query: usize, axis: u32, marks: usize): void {
  if (roleOf(query, axis) != ROLE_VALUES) return;
  const values = valuesOf(query, axis);
  for (let code: u32 = 1; code < values; code++)
    if (placeOf(code, values) != placeOf(code - 1, values)) store<u16>(marks + (<usize>code << 1), 1);
}

export function scoreCodes(
  query: usize,
  residuals: usize,
  pointer: usize,
  codes: usize,
  axis: u32,
  unit: i32,
  runOf: usize,
  steps: usize,
): void {
  const state = changetype<State>(pointer);
  look(query, residuals, state, codes, unit);
  const role = roleOf(query, axis);
  if (role == ROLE_DIVIDED) return scoreCells(query, residuals, state, codes, axis, unit, runOf, steps);
  if (role == ROLE_LABEL) return scoreLabels(query, residuals, state, codes, axis, unit, runOf, steps);
  addStep(steps, runOf, 0, -state.present);
  for (let from: u32 = 0; from < state.members; from += TILE) {
    const count = min(TILE, state.members - from);
    setBases(query, state, codes, axis, from, count);
    if (role == ROLE_CODES) {
      const gains = state.gains + (<usize>from << 2);
      for (let code: u32 = 0; code < codesOf(query, axis); code++) {
        const direction = directionOf(query, state, axis, code) + (<usize>from << 1);
        addScore(steps, runOf, code, sumGains(BASES, direction, WHOLE, gains, count));
      }
    } else scoreValues(query, state, axis, from, count, runOf, steps);
  }
}

/** The scores of all values of an axis: in ascending order of the values, a member's sum changes its sign once. */
function scoreValues(query: usize, state: State, axis: u32, from: u32, count: u32, runOf: usize, steps: usize): void {
  const values = valuesOf(query, axis);
  const direction = directionOf(query, state, axis, 0) + (<usize>from << 1);
  const gains = state.gains + (<usize>from << 2);
  let first: i32 = 0;
  let last: i32 = 0;
  for (let member: usize = 0; member < <usize>count; member++) {
    const slope = <i32>load<i16>(direction + (member << 1));
    const gain = load<i32>(gains + (member << 2));
    // The sum with the value v is not positive if v · slope is below this.
    const bound = ((1 - <i32>load<i16>(BASES + (member << 1))) << 15) - 0x4000;
    if (slope > 0) {
      const below = bound > 0 ? min<u32>((<u32>bound + slope - 1) / slope, 1 << 15) : 0;
      addStep(steps, runOf, firstFrom(below, values), -gain);
      first += gain;
    } else if (slope < 0) {
      const above = bound <= 0 ? min<u32>(<u32>-bound / <u32>-slope + 1, 1 << 15) : 0;
      addStep(steps, runOf, firstFrom(above, values), gain);
      last += gain;
    } else if (bound > 0) {
      first += gain;
      last += gain;
    }
  }
  if (values < codesOf(query, axis))
    last -= sumGains(BASES, directionOf(query, state, axis, values) + (<usize>from << 1), WHOLE, gains, count);
  addStep(steps, runOf, 0, first);
  addStep(steps, runOf, values, -last);
}

/** The first code from a place of the axis' range on, in units of 2^-15; the number of values if there is none. */
@inline
function firstFrom(place: u32, values: u32): u32 {
  return (place * values + 0x7fff) >> 15;
}

export function moveResiduals(
  query: usize,
  residuals: usize,
  pointer: usize,
  codes: usize,
  axis: u32,
  value: u32,
  unit: i32,
): void {
  const state = changetype<State>(pointer);
  look(query, residuals, state, codes, unit);
  if (!hasCoordinates(query, axis)) return moveLabel(query, residuals, state, codes, axis, value, unit);
  const bytes = cellBytes(query);
  const first = residualOf(query, residuals, codes);
  for (let from: u32 = 0; from < state.members; from += TILE) {
    const count = min(TILE, state.members - from);
    const at = <usize>from << 1;
    const sums = state.sums + at;
    setBases(query, state, codes, axis, from, count);
    addTo(BASES, BASES, directionOf(query, state, axis, value) + at, factorOf(query, axis, value), true, count);
    for (let member: u32 = 0; member < count; member++) {
      const sum = load<i16>(BASES + (<usize>member << 1));
      const is = sum <= 0;
      if (is == load<i16>(sums + (<usize>member << 1)) <= 0) continue;
      // A gain stays what it is: the row leaves, or enters, with it.
      const gain = load<i32>(state.gains + ((<usize>from + member) << 2));
      state.present += is ? gain : -gain;
      if (!hasLabel(query, state, from + member, codes)) continue;
      const residual = first + (<usize>from + member) * bytes;
      store<i32>(residual, load<i32>(residual) + (isInside(query, sum) ? -unit : unit));
    }
    memory.copy(sums, BASES, <usize>count << 1);
  }
}
