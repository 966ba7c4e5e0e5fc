// Coordinate descent in batches. After the first sweeps, few cells can be improved, and looking for them takes most of
// the time. So a batch of rows is looked at as a whole, with the tables as they are before it. A device can do that for
// all cells at once. Then each cell that was found gets its best code, in turn, and so do the cells after it in a row
// that has changed. Others that only become improvable meanwhile wait for the next sweep.
import { alloc } from "../arena";
import { SEARCH_RUNNING } from "../layout";
import { Descent, afterRow, descend, descentBytes, descentOpen, nextRow } from "./descent";
import { findMoves, improveCell, moveWords } from "./neighbourhood";
import { BATCHES, LEAST_BATCH, WHOLE_SWEEPS } from "../search-layout";
import { Search, activeColumn, rowOf } from "./search";

/** The BATCH that hosts see (search-layout.ts), and what else is kept. */
@unmanaged
class Batches {
  rows: usize;
  count: u32;
  moves: usize;
  changed: u32;
  changedRows: usize;
  changedCodes: usize;
  descent: Descent;
  /** The rows of a batch, unless the sweep ends before. */
  size: u32;
  /** How many rows of the present batch have been looked at. */
  seen: u32;
}

/** The most bytes that a descent in batches of the usual size reserves, and padding. */
export function batchesBytes(rows: f64, width: u32): f64 {
  const size = min(rows, max<f64>(LEAST_BATCH, Math.ceil(rows / BATCHES)));
  return descentBytes(rows) + size * (4 * <f64>((width + 31) >> 5) + 4 + 2 * <f64>width) + offsetof<Batches>() + 64;
}

/**
 * Reserves a descent in batches.
 * @param tolerance it has settled when a sweep lowers the loss by no more than this share
 * @param size the rows of a batch, 1 or more; usually rows ÷ BATCHES, and at least LEAST_BATCH
 * @returns a BATCH, or 0 where the memory does not suffice
 */
export function batchesOpen(pointer: usize, tolerance: f64, maxSweeps: u32, size: u32): usize {
  const search = changetype<Search>(pointer);
  const most = min(size, search.rows);
  const descent = descentOpen(pointer, tolerance, maxSweeps);
  const batches = changetype<Batches>(alloc(offsetof<Batches>()));
  const moves = alloc((<usize>most * moveWords(search)) << 2);
  const changedRows = alloc(<usize>most << 2);
  const changedCodes = alloc((<usize>most * search.width) << 1);
  if (!descent || !changetype<usize>(batches) || !moves || !changedRows || !changedCodes) return 0;
  batches.moves = moves;
  batches.changedRows = changedRows;
  batches.changedCodes = changedCodes;
  batches.descent = changetype<Descent>(descent);
  batches.size = most;
  return changetype<usize>(batches);
}

/** Visits up to `budget` more rows. Returns SEARCH_RUNNING, SEARCH_SETTLED or SEARCH_LIMIT. */
export function descendInBatches(pointer: usize, budget: u32): u32 {
  const batches = changetype<Batches>(pointer);
  const descent = batches.descent;
  const search = descent.search;
  if (search.steps < <u32>WHOLE_SWEEPS)
    return descend(changetype<usize>(descent), min(budget, search.rows - descent.position));
  while (budget > 0) {
    const seen = <usize>batches.seen;
    const count = min(batchDraw(pointer) - batches.seen, budget);
    const moves = batches.moves + ((seen * moveWords(search)) << 2);
    findMoves(changetype<usize>(search), batches.rows + (seen << 2), count, moves);
    batches.seen += count;
    budget -= count;
    if (batches.seen < batches.count) break;
    const status = batchMake(pointer);
    if (status != SEARCH_RUNNING) return status;
  }
  return SEARCH_RUNNING;
}

/**
 * Draws the rows of the next batch, unless the present one is still to be made. Returns how many there are: none in the
 * first WHOLE_SWEEPS sweeps.
 */
export function batchDraw(pointer: usize): u32 {
  const batches = changetype<Batches>(pointer);
  const descent = batches.descent;
  const search = descent.search;
  if (batches.count || search.steps < <u32>WHOLE_SWEEPS) return batches.count;
  batches.rows = descent.order + ((<usize>descent.position) << 2);
  batches.count = min(batches.size, search.rows - descent.position);
  for (let drawn: u32 = 0; drawn < batches.count; drawn++) nextRow(descent);
  return batches.count;
}

/**
 * Gives the cells of the present batch that `findMoves` has found, and those after them in rows that change, their best
 * codes, one after the other. Notes which rows change.
 * @returns as `descendInBatches`
 */
export function batchMake(pointer: usize): u32 {
  const batches = changetype<Batches>(pointer);
  const search = batches.descent.search;
  const bytes = (<usize>search.width) << 1;
  let moves = batches.moves;
  let changedRow = batches.changedRows;
  let changedCodes = batches.changedCodes;
  for (let at: u32 = 0; at < batches.count; at++) {
    const row = load<u32>(batches.rows + (<usize>at << 2));
    const codes = rowOf(search, row);
    const before = search.loss;
    for (let index: u32 = 0; index < search.activeCount; index++) {
      const word = load<u32>(moves + ((<usize>(index >> 5)) << 2));
      if ((word >> (index & 31)) & 1 || search.loss != before) improveCell(search, codes, activeColumn(search, index));
    }
    moves += moveWords(search) << 2;
    if (search.loss == before) continue;
    store<u32>(changedRow, row);
    memory.copy(changedCodes, codes, bytes);
    changedRow += 4;
    changedCodes += bytes;
  }
  batches.changed = u32((changedRow - batches.changedRows) >> 2);
  batches.count = 0;
  batches.seen = 0;
  return afterRow(batches.descent);
}
