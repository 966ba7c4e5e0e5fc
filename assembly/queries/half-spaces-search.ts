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

/** For each of four members, the code at which its sum changes its sign, and what the score gains there. */
const CROSSINGS = memory.data(16, 16);
const AMOUNTS = memory.data(16, 16);

/**
 * The scores of all values of an axis. In ascending order of the values, the sum of a member changes its sign once at
 * most: it is not positive before or, if it falls, from there on.
 */
function scoreValues(query: usize, state: State, axis: u32, from: u32, count: u32, runOf: usize, steps: usize): void {
  const values = valuesOf(query, axis);
  const direction = directionOf(query, state, axis, 0) + (<usize>from << 1);
  const gains = state.gains + (<usize>from << 2);
  // Σ gains of the members that do not fall, and of those that do.
  let rising: i32 = 0;
  let falling: i32 = 0;
  for (let member: usize = 0; member < <usize>count; member += 4) {
    findCrossings(BASES + (member << 1), direction + (member << 1), gains + (member << 2), values);
    for (let lane: usize = 0; lane < 16; lane += 4)
      addStep(steps, runOf, load<u32>(CROSSINGS + lane), load<i32>(AMOUNTS + lane));
  }
  for (let member: usize = 0; member < <usize>count; member++) {
    const gain = load<i32>(gains + (member << 2));
    const falls = <i32>load<i16>(direction + (member << 1)) >> 31;
    rising += gain & ~falls;
    falling += gain & falls;
  }
  if (values < codesOf(query, axis))
    falling -= sumGains(BASES, directionOf(query, state, axis, values) + (<usize>from << 1), WHOLE, gains, count);
  addStep(steps, runOf, 0, rising);
  addStep(steps, runOf, values, -falling);
}

/**
 * Finds where the sums of four members change their signs. With the place v of a value, base + v · slope, rounded, is
 * not positive if v · slope is below a bound, whose quotient is never so close to a whole number that rounding it would
 * reach this.
 */
@inline
function findCrossings(bases: usize, slopes: usize, gains: usize, values: u32): void {
  const codesPerPlace = <f64>values / 32768;
  if (ASC_FEATURE_SIMD) {
    const slope = v128.load16x4_s(slopes);
    const falls = i32x4.shr_s(slope, 31);
    const one = i32x4.splat(1);
    const bound = i32x4.sub(i32x4.shl(i32x4.sub(one, v128.load16x4_s(bases)), 15), i32x4.splat(0x4000));
    const positive = v128.bitselect(i32x4.sub(one, bound), bound, falls);
    const size = i32x4.abs(slope);
    const low = codesBefore(f64x2.convert_low_i32x4_s(positive), f64x2.convert_low_i32x4_s(size), codesPerPlace);
    const high = codesBefore(
      f64x2.convert_low_i32x4_s(v128.shuffle<i32>(positive, positive, 2, 3, 2, 3)),
      f64x2.convert_low_i32x4_s(v128.shuffle<i32>(size, size, 2, 3, 2, 3)),
      codesPerPlace,
    );
    const gain = v128.load(gains);
    v128.store(CROSSINGS, v128.shuffle<i32>(low, high, 0, 2, 4, 6));
    v128.store(AMOUNTS, v128.bitselect(gain, i32x4.neg(gain), falls));
  } else
    for (let lane: usize = 0; lane < 4; lane++) {
      const slope = <i32>load<i16>(slopes + (lane << 1));
      const bound = ((1 - <i32>load<i16>(bases + (lane << 1))) << 15) - 0x4000;
      const place = Math.ceil(<f64>(slope < 0 ? 1 - bound : bound) / <f64>abs(slope));
      const gain = load<i32>(gains + (lane << 2));
      store<i32>(CROSSINGS + (lane << 2), <i32>Math.ceil(max<f64>(0, min<f64>(32768, place)) * codesPerPlace));
      store<i32>(AMOUNTS + (lane << 2), slope < 0 ? gain : -gain);
    }
}

/** How many codes of an axis come before the quotients of two doubles as places, in units of 2^-15 of its range. */
function codesBefore(bounds: v128, slopes: v128, codesPerPlace: f64): v128 {
  const places = f64x2.pmin(f64x2.splat(32768), f64x2.pmax(f64x2.splat(0), f64x2.ceil(f64x2.div(bounds, slopes))));
  return f64x2.add(f64x2.ceil(f64x2.mul(places, f64x2.splat(codesPerPlace))), f64x2.splat(4503599627370496.0));
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
