// What a search keeps of a query of boxes: which of them the row that it visits is in, axis by axis. A set of boxes has
// a bit for each; the boxes that a change on one axis can reach are the intersection of the sets of the other axes.
//
// The set of an axis depends on the row's code there alone. It changes at the ends of ranges, by a bit each. Some of
// these sets are kept, so that the set of any code is a copy of one of them and a few changes.
import { sortRecords } from "../sort";
import { axisOf, boundOf, boxBytes, boxesOf, endOf, firstBox, isDivided, sidesIn, startOf } from "./boxes";
import { codesOf, columnOf, orderOf, sizeOf } from "./query";

/** Parts of a state begin at multiples of this. */
const PADDING: usize = 8;

@unmanaged
export class State {
  /** The codes of the row visited last. */
  row: usize;
  /** The bytes of a set. A set is kept for every 2^spacing ends of ranges, so for no more of them than it has words. */
  bytes: usize;
  spacing: u32;
  /** For each axis the set of the boxes that the row is in as far as this axis says: all if they divide it. */
  sets: usize;
  /** Where they end. */
  setsEnd: usize;
  /** A set that a code has. */
  fresh: usize;
  /** i32[]: sums for each code of one divided axis. */
  sums: usize;
  /** Axis[order]. */
  axes: usize;
}

@unmanaged
export class Axis {
  /** The set of the boxes with a side on this axis: all if they divide it. */
  sided: usize;
  /** u32[]: for each word of the set how many boxes with a side come before it. */
  ranks: usize;
  /** u32[sides]: their bounds; once codes are scored, the runs where the ranges begin and have ended, u16 each. */
  bounds: usize;
  sides: u32;
  hasRuns: bool;
  /** u64[count]: a code at which a range begins, or that follows its last one, and below it a box; ascending. */
  ends: usize;
  count: u32;
  /** The set before the first end, and after every 2^spacing. */
  kept: usize;
}

@inline
export function axisAt(state: State, axis: u32): Axis {
  return changetype<Axis>(state.axes + <usize>axis * offsetof<Axis>());
}

@inline
export function setOf(state: State, axis: u32): usize {
  return state.sets + <usize>axis * state.bytes;
}

@inline
export function codeAt(query: usize, axis: u32, codes: usize): u32 {
  return load<u16>(codes + (<usize>columnOf(query, axis) << 1));
}

/** How many boxes with a side on an axis come before one of them. @param word the byte at which the box' word begins */
@inline
export function rankOf(axis: Axis, word: usize, bit: u64): usize {
  return <usize>load<u32>(axis.ranks + (word >> 1)) + <usize>popcnt(load<u64>(axis.sided + word) & (bit - 1));
}

@inline
export function boundAt(axis: Axis, rank: usize): u32 {
  return load<u32>(axis.bounds + (rank << 2));
}

@inline
function wordsOf(query: usize): u32 {
  return (boxesOf(query) + 63) >> 6;
}

/** The most codes of an axis that the boxes divide. */
function mostCells(query: usize): u32 {
  let most: u32 = 0;
  for (let axis: u32 = 0; axis < orderOf(query); axis++)
    if (isDivided(query, axis)) most = max(most, sizeOf(query, axis));
  return most;
}

export function stateBytes(query: usize): f64 {
  const words = <f64>wordsOf(query);
  const sides = <f64>boxesOf(query) * sidesIn(query);
  const sets = 8 * words;
  // A side has a bound, and two ends, each with as much of a set as lies between two ends on average.
  const axis = <f64>offsetof<Axis>() + 3 * sets + 4 * words + 2 * PADDING;
  const more = 4 * <f64>mostCells(query) + 3 * PADDING;
  return offsetof<State>() + sets + <f64>orderOf(query) * axis + sides * (4 + 2 * 16) + more;
}

// Where the next part of a state goes.
let cursor: usize = 0;

function take(bytes: usize): usize {
  const part = cursor;
  cursor += (bytes + PADDING - 1) & ~(PADDING - 1);
  return part;
}

export function openState(query: usize, place: usize): void {
  const state = changetype<State>(place);
  const order = orderOf(query);
  cursor = place;
  take(offsetof<State>());
  state.bytes = <usize>wordsOf(query) << 3;
  state.spacing = 32 - clz(wordsOf(query) - 1);
  state.axes = take(<usize>order * offsetof<Axis>());
  state.sets = take(<usize>order * state.bytes);
  state.setsEnd = state.sets + <usize>order * state.bytes;
  state.fresh = take(state.bytes);
  state.sums = take(<usize>mostCells(query) << 2);
  for (let axis: u32 = 0; axis < order; axis++) axisAt(state, axis).sided = take(state.bytes);
  eachSide(query, state, false);
  for (let axis: u32 = 0; axis < order; axis++) {
    if (isDivided(query, axis)) {
      fillSet(axisAt(state, axis).sided, boxesOf(query));
      fillSet(setOf(state, axis), boxesOf(query));
    } else openBounds(state, axisAt(state, axis));
  }
  eachSide(query, state, true);
  for (let axis: u32 = 0; axis < order; axis++)
    if (!isDivided(query, axis)) openEnds(query, state, axisAt(state, axis), codesOf(query, axis));
}

/** Writes all boxes into a set. */
function fillSet(set: usize, boxes: u32): void {
  memory.fill(set, 0xff, (<usize>(boxes >> 6)) << 3);
  if (boxes & 63) store<u64>(set + ((<usize>(boxes >> 6)) << 3), (<u64>1 << boxes) - 1);
}

/** Adds each side's box to the boxes with a side on its axis; or writes its bound, once all have been added. */
function eachSide(query: usize, state: State, added: bool): void {
  let side = firstBox(query);
  for (let box: u32 = 0, boxes = boxesOf(query); box < boxes; box++) {
    const word = (<usize>(box >> 6)) << 3;
    const bit = <u64>1 << box;
    for (const end = side + boxBytes(query); side < end; side += 8) {
      const axis = axisAt(state, axisOf(side));
      const sided = axis.sided + word;
      if (added) store<u32>(axis.bounds + (rankOf(axis, word, bit) << 2), boundOf(side));
      else store<u64>(sided, load<u64>(sided) | bit);
    }
  }
}

/** Lays out the bounds of an axis. */
function openBounds(state: State, axis: Axis): void {
  axis.ranks = take(state.bytes >> 1);
  let rank: u32 = 0;
  for (let word: usize = 0; word < state.bytes; word += 8) {
    store<u32>(axis.ranks + (word >> 1), rank);
    rank += <u32>popcnt(load<u64>(axis.sided + word));
  }
  axis.sides = rank;
  axis.bounds = take(<usize>rank << 2);
}

/** Lists the ends of the ranges of an axis, and keeps the sets between them. */
function openEnds(query: usize, state: State, axis: Axis, codes: u32): void {
  const set = state.fresh;
  fillSet(set, boxesOf(query));
  axis.ends = cursor;
  let bound = axis.bounds;
  for (let word: usize = 0; word < state.bytes; word += 8)
    for (let bits = load<u64>(axis.sided + word); bits; bits &= bits - 1) {
      const box = (<u32>word << 3) + <u32>ctz(bits);
      const start = startOf(load<u32>(bound));
      const end = endOf(load<u32>(bound));
      bound += 4;
      if (start || !end) flip(set, box);
      if (start == end) continue;
      if (start) addEnd(axis, start, box);
      if (end < codes) addEnd(axis, end, box);
    }
  const bytes = (<usize>axis.count) << 3;
  take(bytes);
  axis.kept = cursor;
  take(bytes + state.bytes);
  if (!isAscending(axis)) {
    // The room of the sets serves the sort before.
    const sorted = sortRecords(axis.ends, axis.kept, axis.count, 32, <u64>codes << 32);
    if (sorted != axis.ends) memory.copy(axis.ends, sorted, bytes);
  }
  let kept = axis.kept;
  for (let at: u32 = 0; at <= axis.count; at++) {
    if ((at & ((1 << state.spacing) - 1)) == 0) {
      memory.copy(kept, set, state.bytes);
      kept += state.bytes;
    }
    if (at < axis.count) flip(set, boxAt(axis, at));
  }
}

@inline
function addEnd(axis: Axis, code: u32, box: u32): void {
  store<u64>(axis.ends + ((<usize>axis.count) << 3), (<u64>code << 32) | box);
  axis.count++;
}

function isAscending(axis: Axis): bool {
  for (let at: u32 = 1; at < axis.count; at++) if (codeOfEnd(axis, at) < codeOfEnd(axis, at - 1)) return false;
  return true;
}

@inline
function codeOfEnd(axis: Axis, at: u32): u32 {
  return load<u32>(axis.ends + (<usize>at << 3), 4);
}

@inline
function boxAt(axis: Axis, at: u32): u32 {
  return load<u32>(axis.ends + (<usize>at << 3));
}

@inline
function flip(set: usize, box: u32): void {
  const word = set + ((<usize>(box >> 6)) << 3);
  store<u64>(word, load<u64>(word) ^ (<u64>1 << box));
}

/** Writes the set of the boxes that a row with this code may be in. */
export function writeSet(state: State, axis: Axis, code: u32, set: usize): void {
  // How many ends the code is at or behind: a search without branches, which no processor could predict.
  let passed: u32 = 0;
  for (let rest = axis.count; rest > 0; ) {
    const half = (rest + 1) >> 1;
    passed += half & -u32(codeOfEnd(axis, passed + half - 1) <= code);
    rest -= half;
  }
  const kept = passed >> state.spacing;
  let from = axis.kept + <usize>kept * state.bytes;
  for (let to = set, end = set + state.bytes; to < end; to += 8, from += 8) store<u64>(to, load<u64>(from));
  for (let at = kept << state.spacing; at < passed; at++) flip(set, boxAt(axis, at));
}

/** Makes a row the one that is visited. */
export function visit(query: usize, state: State, codes: usize): void {
  if (state.row == codes) return;
  state.row = codes;
  for (let axis: u32 = 0, order = orderOf(query); axis < order; axis++)
    if (!isDivided(query, axis)) writeSet(state, axisAt(state, axis), codeAt(query, axis, codes), setOf(state, axis));
}

/**
 * The boxes with a side on an axis, all if they divide it, that the row is in as far as the other axes say.
 * @param word which 64 of them: the byte at which their word begins
 */
@inline
export function reached(state: State, axis: u32, word: usize): u64 {
  let boxes = load<u64>(axisAt(state, axis).sided + word);
  const own = setOf(state, axis) + word;
  let set = state.sets + word;
  for (; set < own; set += state.bytes) boxes &= load<u64>(set);
  for (set += state.bytes; set < state.setsEnd; set += state.bytes) boxes &= load<u64>(set);
  return boxes;
}
