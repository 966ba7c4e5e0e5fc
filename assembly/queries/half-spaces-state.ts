// The state of random half-spaces in a search: the directions of the members, so that a change of one code is one pass
// over them; and, of the row that was looked at last, each member's sum and what the loss gains if the row comes to be
// where sums are not positive.
import { alloc, mark, rewind } from "../arena";
import { ROLE_CODES, ROLE_DIVIDED, ROLE_VALUES } from "../half-spaces-layout";
import { product } from "./half-spaces-lines";
import {
  LANES,
  cellsIn,
  coordinatesBefore,
  MAGNITUDES_BYTES,
  drawDirections,
  drawLabels,
  drawStarts,
  fillMagnitudes,
  hasCoordinates,
  isAbove,
  membersOf,
  placeOf,
  roleOf,
  valuesOf,
} from "./half-spaces-members";
import { columnOf, orderOf, sizeOf } from "./query";

@unmanaged
export class State {
  /** The row whose sums these are; 0 before the first. */
  row: usize;
  /** The members, rounded up to whole lines; those that are not there have directions and gains of 0. */
  members: u32;
  /** Σ gains of the members whose sums are not positive. */
  present: i32;
  /** i16[members]: thresholds, as what a sum starts from. */
  starts: usize;
  /** i16[members] */
  sums: usize;
  /** i32[members] */
  gains: usize;
  /** u16[members]: what each member asks of labels. */
  labelAxes: usize;
  labelCodes: usize;
  /** i16[coordinates][members] */
  directions: usize;
}

/** The factor of a coordinate that counts whole. */
export const WHOLE: i32 = -1;

@inline
function roundedMembers(query: usize): u32 {
  return (membersOf(query) + LANES - 1) & ~(LANES - 1);
}

export function stateBytes(query: usize): f64 {
  const coordinates = coordinatesBefore(query, orderOf(query));
  return <f64>((offsetof<State>() + 15) & ~15) + <f64>roundedMembers(query) * (2 * <f64>coordinates + 12);
}

export function openState(query: usize, pointer: usize): void {
  const state = changetype<State>(pointer);
  const members = roundedMembers(query);
  const bytes = <usize>members << 1;
  state.members = members;
  state.starts = pointer + ((offsetof<State>() + 15) & ~15);
  state.sums = state.starts + bytes;
  state.labelAxes = state.sums + bytes;
  state.labelCodes = state.labelAxes + bytes;
  state.gains = state.labelCodes + bytes;
  state.directions = state.gains + 2 * bytes;
  const before = mark();
  const magnitudes = alloc(MAGNITUDES_BYTES);
  if (!magnitudes) unreachable(); // what plans state includes it
  fillMagnitudes(query, magnitudes);
  const coordinates = coordinatesBefore(query, orderOf(query));
  for (let place: u32 = 0; place < members; place += LANES) {
    const at = <usize>place << 1;
    drawStarts(query, place, state.starts + at);
    drawLabels(query, place, state.labelAxes + at, state.labelCodes + at);
    for (let coordinate: u32 = 0; coordinate < coordinates; coordinate++)
      drawDirections(query, place, coordinate, magnitudes, state.directions + coordinate * bytes + at);
  }
  rewind(before);
}

/** The code of a row on an axis. */
@inline
export function codeIn(query: usize, codes: usize, axis: u32): u32 {
  return load<u16>(codes + (<usize>columnOf(query, axis) << 1));
}

/** The direction that a code of an axis with coordinates adds to the sums. */
export function directionOf(query: usize, state: State, axis: u32, code: u32): usize {
  let coordinate = coordinatesBefore(query, axis);
  if (roleOf(query, axis) == ROLE_CODES) coordinate += code;
  else if (code == valuesOf(query, axis)) coordinate++;
  return state.directions + <usize>coordinate * ((<usize>state.members) << 1);
}

/** What a code multiplies the direction by, in units of 2^-15, or WHOLE. */
export function factorOf(query: usize, axis: u32, code: u32): i32 {
  const values = valuesOf(query, axis);
  return roleOf(query, axis) == ROLE_VALUES && code != values ? <i32>placeOf(code, values) : WHOLE;
}

/** out = sums ± direction · factor, i16[count]. @param count a multiple of 8 */
export function addTo(out: usize, sums: usize, direction: usize, factor: i32, isAdded: bool, count: u32): void {
  const bytes = <usize>count << 1;
  if (ASC_FEATURE_SIMD) {
    const factors = i16x8.splat(<i16>factor);
    for (let at: usize = 0; at < bytes; at += 16) {
      let change = v128.load(direction + at);
      if (factor != WHOLE) change = i16x8.q15mulr_sat_s(change, factors);
      const before = v128.load(sums + at);
      v128.store(out + at, isAdded ? i16x8.add(before, change) : i16x8.sub(before, change));
    }
  } else
    for (let at: usize = 0; at < bytes; at += 2) {
      const whole = <i32>load<i16>(direction + at);
      const change = factor == WHOLE ? whole : product(whole, factor);
      store<i16>(out + at, load<i16>(sums + at) + (isAdded ? change : -change));
    }
}

@inline
export function sumAt(state: State, member: u32): i32 {
  return load<i16>(state.sums + (<usize>member << 1));
}

/** Whether a row with this sum is on the side of a member that counts. */
@inline
export function isInside(query: usize, sum: i32): bool {
  return sum <= 0 != isAbove(query);
}

/** Whether a row has the label that a member asks for, if it asks for one. */
@inline
export function hasLabel(query: usize, state: State, member: u32, codes: usize): bool {
  const axis = load<u16>(state.labelAxes + (<usize>member << 1));
  return axis == 0xffff || codeIn(query, codes, axis) == load<u16>(state.labelCodes + (<usize>member << 1));
}

/** The cell that a row has in every member, apart from its code on one axis. */
export function cellBeside(query: usize, codes: usize, axis: u32): u32 {
  let cell: u32 = 0;
  for (let other: u32 = 0; other < orderOf(query); other++)
    if (roleOf(query, other) == ROLE_DIVIDED)
      cell = cell * sizeOf(query, other) + (other == axis ? 0 : codeIn(query, codes, other));
  return cell;
}

/** How far apart the cells of neighbouring codes of a divided axis are. */
export function strideOf(query: usize, axis: u32): u32 {
  let stride: u32 = 1;
  for (let other = axis + 1; other < orderOf(query); other++)
    if (roleOf(query, other) == ROLE_DIVIDED) stride *= sizeOf(query, other);
  return stride;
}

/** Where the residual of the cell of the first member is, and how far it is to that of the next. */
export function residualOf(query: usize, residuals: usize, codes: usize): usize {
  return residuals + ((<usize>cellBeside(query, codes, orderOf(query))) << 2);
}

@inline
export function cellBytes(query: usize): usize {
  return <usize>cellsIn(query) << 2;
}

/** Looks at a row: its sums, and the gains of all members. */
export function look(query: usize, residuals: usize, state: State, codes: usize, unit: i32): void {
  if (state.row == codes) return;
  state.row = codes;
  memory.copy(state.sums, state.starts, (<usize>state.members) << 1);
  for (let axis: u32 = 0; axis < orderOf(query); axis++) {
    if (!hasCoordinates(query, axis)) continue;
    const code = codeIn(query, codes, axis);
    const direction = directionOf(query, state, axis, code);
    addTo(state.sums, state.sums, direction, factorOf(query, axis, code), true, state.members);
  }
  setGains(query, residuals, state, codes, unit);
}

/** Sets the gains of the members for a row whose sums are known: those of members that ask for other labels are 0. */
export function setGains(query: usize, residuals: usize, state: State, codes: usize, unit: i32): void {
  const half = unit >> 1;
  const above = isAbove(query);
  const bytes = cellBytes(query);
  let residual = residualOf(query, residuals, codes);
  let present: i32 = 0;
  for (let member: u32 = 0, count = membersOf(query); member < count; member++, residual += bytes) {
    let gain: i32 = 0;
    const sum = sumAt(state, member);
    if (hasLabel(query, state, member, codes)) {
      gain = load<i32>(residual) + (isInside(query, sum) ? half : -half);
      if (above) gain = -gain;
    }
    store<i32>(state.gains + (<usize>member << 2), gain);
    if (sum <= 0) present += gain;
  }
  state.present = present;
}

/** Adds to the step with which the run of a code begins. */
@inline
export function addStep(steps: usize, runOf: usize, code: u32, amount: i32): void {
  const place = steps + ((<usize>load<u16>(runOf + (<usize>code << 1))) << 2);
  store<i32>(place, load<i32>(place) + amount);
}

/** Adds to the score of one code. */
export function addScore(steps: usize, runOf: usize, code: u32, amount: i32): void {
  addStep(steps, runOf, code, amount);
  addStep(steps, runOf, code + 1, -amount);
}
