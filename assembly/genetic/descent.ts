// Coordinate descent over one-cell changes: sweeps over all rows, each sweep in an order of its own; in each row every
// column in turn gets its best code.
import { alloc } from "../arena";
import { SEARCH_LIMIT, SEARCH_RUNNING, SEARCH_SETTLED, STREAM_SWEEP } from "../layout";
import { below, drawWords, word } from "../philox";
import { improveCell } from "./neighbourhood";
import { Search, activeColumn, rowOf } from "./search";

/** Sweeps over the rows of a search. */
@unmanaged
export class Descent {
  search: Search;
  tolerance: f64;
  maxSweeps: u32;
  /** How many rows of the present sweep are done, and the loss when it began. */
  position: u32;
  before: i64;
  /** u32[rows]: the order of the rows; the first `position` are those done. */
  order: usize;
}

/** The bytes that a descent of so many rows reserves, and padding. */
export function descentBytes(rows: f64): f64 {
  return 4 * rows + offsetof<Descent>() + 32;
}

/**
 * Reserves a descent of a search.
 * @param tolerance the descent has settled when a sweep lowers the loss by no more than this share
 * @returns the descent, or 0 where the memory does not suffice
 */
export function descentOpen(search: usize, tolerance: f64, maxSweeps: u32): usize {
  const rows = changetype<Search>(search).rows;
  const order = alloc(<usize>rows << 2);
  const descent = changetype<Descent>(alloc(offsetof<Descent>()));
  if (!order || !changetype<usize>(descent)) return 0;
  for (let row: u32 = 0; row < rows; row++) store<u32>(order + (<usize>row << 2), row);
  descent.search = changetype<Search>(search);
  descent.tolerance = tolerance;
  descent.maxSweeps = maxSweeps;
  descent.order = order;
  return changetype<usize>(descent);
}

/** Visits up to `budget` more rows. Returns SEARCH_RUNNING, SEARCH_SETTLED or SEARCH_LIMIT. */
export function descend(pointer: usize, budget: u32): u32 {
  const descent = changetype<Descent>(pointer);
  const search = descent.search;
  for (; budget > 0; budget--) {
    const codes = rowOf(search, nextRow(descent));
    for (let index: u32 = 0; index < search.activeCount; index++)
      improveCell(search, codes, activeColumn(search, index));
    const status = afterRow(descent);
    if (status != SEARCH_RUNNING) return status;
  }
  return SEARCH_RUNNING;
}

/** Ends the sweep if all its rows are done. Returns SEARCH_RUNNING unless it was the last one. */
export function afterRow(descent: Descent): u32 {
  const search = descent.search;
  if (descent.position < search.rows) return SEARCH_RUNNING;
  descent.position = 0;
  search.steps++;
  if (<f64>(descent.before - search.loss) <= descent.tolerance * <f64>descent.before) return SEARCH_SETTLED;
  return search.steps >= descent.maxSweeps ? SEARCH_LIMIT : SEARCH_RUNNING;
}

/** One step of a Fisher–Yates shuffle of the rows left in this sweep. */
export function nextRow(descent: Descent): u32 {
  const search = descent.search;
  if (!descent.position) descent.before = search.loss;
  drawWords(search.seed, STREAM_SWEEP, search.steps, descent.position >> 4);
  const here = descent.order + ((<usize>descent.position) << 2);
  const there = here + ((<usize>below(search.rows - descent.position, word(descent.position))) << 2);
  const row = load<u32>(there);
  store<u32>(there, load<u32>(here));
  store<u32>(here, row);
  descent.position++;
  return row;
}
