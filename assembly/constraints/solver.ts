// Searches for values of linked columns that satisfy their constraints. First combinations are tried in their lists'
// order, starting at a random one. Then numbers are chosen, those of the widest steps first, each from its bounds as
// narrowed by the choices before it. Orders alone never fail once their bounds are narrowed: all least values satisfy
// them.
//
// Bounds are f64[2][columns]: for each column the first and then the last position that it may have; or, where the
// first is NaN, the only stored code, which has no number.
import {
  CONSTRAINT_COUNT,
  CONSTRAINT_ROWS,
  LINKED_CHOICES,
  LINKED_LEFT,
  LINKED_LISTS,
  LINKED_ORDERS,
  LINKED_ROW,
  LINKED_SCRATCH,
  LINKED_SEED,
  LINKED_SUMS,
  LINKED_WITNESS,
  NO_ROW,
  SCALE_STREAM,
  STREAM_DECODE,
} from "../layout";
import { drawWords, word } from "../philox";
import { allows, combinationOf, constraintOf, isExempt, listOf } from "./lists";
import { memberOf } from "./row-tests";
import { columnsOf, firstFrom, lastUpTo, lengthOf, numberAt, partOf, positionOf, scaleOf, storedAt } from "./scale";

/** Rounds of narrowing after which bounds are taken as they are. Choices settle what is still open. */
const MOST_ROUNDS = 32;
/** In place of a random word: middle values make the most ordinary row. */
const MIDDLE: u32 = 0x80000000;

/** The bounds of the first choice; those of later ones follow. */
export function boundsOf(linked: usize): usize {
  return partOf(linked, linked, LINKED_SCRATCH) + (<usize>columnsOf(linked) << 3);
}

@inline
export function firstIn(bounds: usize, column: u32): f64 {
  return load<f64>(bounds + (<usize>column << 3));
}

@inline
export function lastIn(linked: usize, bounds: usize, column: u32): f64 {
  return load<f64>(bounds + ((<usize>(columnsOf(linked) + column)) << 3));
}

@inline
export function setFirst(bounds: usize, column: u32, position: f64): void {
  store<f64>(bounds + (<usize>column << 3), position);
}

@inline
export function setLast(linked: usize, bounds: usize, column: u32, position: f64): void {
  store<f64>(bounds + ((<usize>(columnsOf(linked) + column)) << 3), position);
}

/** Copies bounds to those of the next choice. */
@inline
function copied(linked: usize, bounds: usize): usize {
  const bytes = <usize>columnsOf(linked) << 4;
  memory.copy(bounds + bytes, bounds, bytes);
  return bounds + bytes;
}

/** Whether one more combination or value may be tried. */
@inline
function mayTry(linked: usize): bool {
  const left = load<i32>(linked, LINKED_LEFT);
  store<i32>(linked, left - 1, LINKED_LEFT);
  return left > 0;
}

/** A random word for the row at hand. */
export function wordOf(linked: usize, column: u32): u32 {
  const row = load<u32>(linked, LINKED_ROW);
  if (row == NO_ROW) return MIDDLE;
  drawWords(load<u32>(linked, LINKED_SEED), STREAM_DECODE, load<u32>(scaleOf(linked, column), SCALE_STREAM), row >> 4);
  return word(row);
}

/** A whole number below `count` from a random word; both, and their product, are doubles. */
@inline
export function pick(count: f64, random: u32): f64 {
  return Math.floor((<f64>random * count) / 4294967296);
}

/** The only stored code that a column may still have; NaN if it may have several. */
function onlyOf(linked: usize, bounds: usize, column: u32): f64 {
  const first = firstIn(bounds, column);
  const last = lastIn(linked, bounds, column);
  if (first != first) return last;
  return first == last ? storedAt(linked, scaleOf(linked, column), first) : NaN;
}

/** Raises a column's first position to numbers of `least` or more. @returns whether it was lower */
function raise(linked: usize, bounds: usize, column: u32, least: f64): bool {
  const position = firstFrom(linked, scaleOf(linked, column), least);
  if (!(position > firstIn(bounds, column))) return false;
  setFirst(bounds, column, position);
  return true;
}

/** Lowers a column's last position to numbers of `most` or less. @returns whether it was higher */
function lower(linked: usize, bounds: usize, column: u32, most: f64): bool {
  const position = lastUpTo(linked, scaleOf(linked, column), most);
  if (!(position < lastIn(linked, bounds, column))) return false;
  setLast(linked, bounds, column, position);
  return true;
}

@inline
function leastOf(linked: usize, bounds: usize, column: u32): f64 {
  return numberAt(linked, scaleOf(linked, column), firstIn(bounds, column));
}

@inline
function mostOf(linked: usize, bounds: usize, column: u32): f64 {
  return numberAt(linked, scaleOf(linked, column), lastIn(linked, bounds, column));
}

function narrowOrder(linked: usize, bounds: usize, order: usize): bool {
  const below = memberOf(order, 0);
  const above = memberOf(order, 1);
  if (isNaN(firstIn(bounds, below)) || isNaN(firstIn(bounds, above))) return false;
  const raised = raise(linked, bounds, above, leastOf(linked, bounds, below));
  return lower(linked, bounds, below, mostOf(linked, bounds, above)) || raised;
}

function narrowSum(linked: usize, bounds: usize, sum: usize): bool {
  const total = memberOf(sum, 0);
  const count = load<u32>(sum, CONSTRAINT_COUNT);
  let least: f64 = 0;
  let most: f64 = 0;
  for (let index: u32 = 1; index < count; index++) {
    least += leastOf(linked, bounds, memberOf(sum, index));
    most += mostOf(linked, bounds, memberOf(sum, index));
  }
  if (isNaN(least) || isNaN(firstIn(bounds, total))) return false;
  let narrower = raise(linked, bounds, total, least);
  narrower = lower(linked, bounds, total, most) || narrower;
  if (firstIn(bounds, total) > lastIn(linked, bounds, total)) return narrower;
  const totalLeast = leastOf(linked, bounds, total);
  const totalMost = mostOf(linked, bounds, total);
  for (let index: u32 = 1; index < count; index++) {
    const part = memberOf(sum, index);
    const partLeast = leastOf(linked, bounds, part);
    const partMost = mostOf(linked, bounds, part);
    narrower = raise(linked, bounds, part, totalLeast - (most - partMost)) || narrower;
    narrower = lower(linked, bounds, part, totalMost - (least - partLeast)) || narrower;
  }
  return narrower;
}

/**
 * Removes values from both ends that are compatible with no values of the other columns.
 * @returns whether every column has values left
 */
function narrow(linked: usize, bounds: usize): bool {
  const orders = load<u32>(linked, LINKED_ORDERS);
  const all = orders + load<u32>(linked, LINKED_SUMS);
  for (let round = 0, narrower = true; narrower && round < MOST_ROUNDS; round++) {
    narrower = false;
    for (let index: u32 = 0; index < all; index++) {
      const constraint = constraintOf(linked, index);
      const narrowed = index < orders ? narrowOrder(linked, bounds, constraint) : narrowSum(linked, bounds, constraint);
      narrower = narrowed || narrower;
    }
    for (let column: u32 = 0; column < columnsOf(linked); column++)
      if (firstIn(bounds, column) > lastIn(linked, bounds, column)) return false;
  }
  return true;
}

/** Whether a combination lies within bounds. @param codes f64[count] */
function fits(linked: usize, bounds: usize, list: usize, codes: usize): bool {
  for (let index: u32 = 0; index < load<u32>(list, CONSTRAINT_COUNT); index++) {
    const column = memberOf(list, index);
    const code = load<f64>(codes + (<usize>index << 3));
    const first = firstIn(bounds, column);
    const last = lastIn(linked, bounds, column);
    if (first != first) {
      if (last != code) return false;
      continue;
    }
    const position = positionOf(linked, scaleOf(linked, column), code);
    if (!(position >= first && position <= last)) return false;
  }
  return true;
}

/** Bounds of the next choice, in which the columns of a list have a combination. */
function taken(linked: usize, bounds: usize, list: usize, codes: usize): usize {
  const next = copied(linked, bounds);
  for (let index: u32 = 0; index < load<u32>(list, CONSTRAINT_COUNT); index++) {
    const column = memberOf(list, index);
    if (isNaN(firstIn(next, column))) continue;
    const position = positionOf(linked, scaleOf(linked, column), load<f64>(codes + (<usize>index << 3)));
    setFirst(next, column, position);
    setLast(linked, next, column, position);
  }
  return next;
}

/** The column with the widest steps that may still have several values; −1 if there is none. */
function firstOpen(linked: usize, bounds: usize): i32 {
  const choices = partOf(linked, linked, LINKED_CHOICES);
  for (let index: u32 = 0; index < columnsOf(linked); index++) {
    const column = load<u32>(choices + (<usize>index << 2));
    if (firstIn(bounds, column) < lastIn(linked, bounds, column)) return column;
  }
  return -1;
}

/** The number in a circle of `count` that is `tried` after `begin`; both are below `count`. */
@inline
function after(begin: f64, tried: f64, count: f64): f64 {
  const number = begin + tried;
  return number >= count ? number - count : number;
}

function chooseNumbers(linked: usize, bounds: usize): usize {
  const open = firstOpen(linked, bounds);
  if (open < 0) return bounds;
  const column = <u32>open;
  const first = firstIn(bounds, column);
  const count = lastIn(linked, bounds, column) - first + 1;
  const begin = pick(count, wordOf(linked, column));
  for (let tried: f64 = 0; tried < count && mayTry(linked); tried++) {
    const next = copied(linked, bounds);
    const position = first + after(begin, tried, count);
    setFirst(next, column, position);
    setLast(linked, next, column, position);
    const found = narrow(linked, next) ? chooseNumbers(linked, next) : 0;
    if (found) return found;
  }
  return 0;
}

function chooseCombinations(linked: usize, bounds: usize, index: u32): usize {
  if (index == load<u32>(linked, LINKED_LISTS)) return narrow(linked, bounds) ? chooseNumbers(linked, bounds) : 0;
  const list = listOf(linked, index);
  const codes = partOf(linked, linked, LINKED_SCRATCH);
  let open = false;
  for (let member: u32 = 0; member < load<u32>(list, CONSTRAINT_COUNT); member++) {
    const only = onlyOf(linked, bounds, memberOf(list, member));
    store<f64>(codes + (<usize>member << 3), only);
    open = open || isNaN(only);
  }
  if (isExempt(linked, list, codes)) return chooseCombinations(linked, bounds, index + 1);
  if (!open) return allows(linked, list, codes) ? chooseCombinations(linked, bounds, index + 1) : 0;
  const rows: f64 = load<u32>(list, CONSTRAINT_ROWS);
  const begin = pick(rows, wordOf(linked, memberOf(list, 0)));
  for (let tried: f64 = 0; tried < rows && mayTry(linked); tried++) {
    const combination = combinationOf(linked, list, <u32>after(begin, tried, rows));
    if (!fits(linked, bounds, list, combination)) continue;
    const found = chooseCombinations(linked, taken(linked, bounds, list, combination), index + 1);
    if (found) return found;
  }
  return 0;
}

/**
 * Values within the bounds of the first choice that satisfy all constraints.
 * @param tries the largest number of combinations and values to try
 * @returns bounds of one value each, valid until the next search; 0 if none were found
 */
export function solve(linked: usize, tries: i32): usize {
  store<i32>(linked, tries, LINKED_LEFT);
  return chooseCombinations(linked, boundsOf(linked), 0);
}

/**
 * Looks for stored codes that satisfy all constraints with no number missing. LINKED_LEFT is below 0 if it gave up
 * before it had tried everything.
 * @param linked a LINKED, whose LINKED_WITNESS is set
 * @returns whether it found some
 */
export function findWitness(linked: usize, tries: i32): bool {
  const bounds = boundsOf(linked);
  for (let column: u32 = 0; column < columnsOf(linked); column++) {
    setFirst(bounds, column, 0);
    setLast(linked, bounds, column, lengthOf(scaleOf(linked, column)) - 1);
  }
  store<u32>(linked, NO_ROW, LINKED_ROW);
  const found = solve(linked, tries);
  if (!found) return false;
  const witness = partOf(linked, linked, LINKED_WITNESS);
  for (let column: u32 = 0; column < columnsOf(linked); column++)
    store<f64>(witness + (<usize>column << 3), storedAt(linked, scaleOf(linked, column), firstIn(found, column)));
  return true;
}
