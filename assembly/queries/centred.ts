// Tables whose counts are centred along some of their axes: what is left is the interaction of these axes, of which
// tables of fewer columns say nothing.
import { ARGUMENT_REFUSED, MOST_CENTRED, OK } from "../layout";
import { finestCells, orderOf, sizeOf } from "./query";

// i64[MOST_CENTRED]: the cells that are centred together. Steps in between may be larger than 32 bits hold.
const BLOCK = memory.data(8 * MOST_CENTRED, 8);

/**
 * Centres counts along some axes, one after the other: each count becomes size · count − the sum along the axis. So a
 * row adds to the cells the product over these axes of size · e − 1, where e is 1 at the row's code and 0 elsewhere.
 * Returns OK, or ARGUMENT_REFUSED for sizes that are not the axes' or multiply to more than MOST_CENTRED.
 * @param query a QUERY of one level: the table's axes
 * @param centred u32[order]: the size of each axis along which counts are centred, 0 for the others
 * @param counts i32[cells], replaced, saturating
 *
 * Proof definition: the squared L2 sensitivity of the results is at most `centredSquared`. Saturation brings no two
 * values further apart.
 */
export function centreCounts(query: usize, centred: usize, counts: usize): i32 {
  let cells: u64 = 1;
  for (let axis: u32 = 0; axis < orderOf(query); axis++) {
    const size = sizeAlong(centred, axis);
    cells *= max<u32>(1, size);
    if (cells > <u64>MOST_CENTRED || (size && size != sizeOf(query, axis))) return ARGUMENT_REFUSED;
  }
  eachBlock(query, centred, 0, counts, finestCells(query));
  memory.fill(BLOCK, 0, 8 * MOST_CENTRED);
  return OK;
}

@inline
function sizeAlong(centred: usize, axis: u32): u32 {
  return load<u32>(centred + (<usize>axis << 2));
}

/** Centres the cells of each combination of codes of the other axes, from `axis` on; `inner` cells have one so far. */
function eachBlock(query: usize, centred: usize, axis: u32, cell: usize, inner: u32): void {
  if (axis == orderOf(query)) return centreBlock(query, centred, cell);
  const width = sizeOf(query, axis);
  const codes: u32 = sizeAlong(centred, axis) ? 1 : width;
  inner /= width;
  for (let code: u32 = 0; code < codes; code++)
    eachBlock(query, centred, axis + 1, cell + ((<usize>(code * inner)) << 2), inner);
}

function centreBlock(query: usize, centred: usize, cell: usize): void {
  const cells = finestCells(query);
  let inner = u32((moveCells(query, centred, 0, cell, cells, BLOCK, false) - BLOCK) >> 3);
  let outer: u32 = 1;
  for (let axis: u32 = 0; axis < orderOf(query); axis++) {
    const width = sizeAlong(centred, axis);
    if (!width) continue;
    inner /= width;
    centreAlong(outer, width, inner);
    outer *= width;
  }
  moveCells(query, centred, 0, cell, cells, BLOCK, true);
}

/** Moves the cells of the centred axes' codes to the block, or (`back`) out of it. Returns the end in the block. */
function moveCells(query: usize, centred: usize, axis: u32, cell: usize, inner: u32, place: usize, back: bool): usize {
  if (axis == orderOf(query)) {
    if (back) store<i32>(cell, <i32>min<i64>(max<i64>(load<i64>(place), i32.MIN_VALUE), i32.MAX_VALUE));
    else store<i64>(place, load<i32>(cell));
    return place + 8;
  }
  inner /= sizeOf(query, axis);
  const codes = max<u32>(1, sizeAlong(centred, axis));
  for (let code: u32 = 0; code < codes; code++)
    place = moveCells(query, centred, axis + 1, cell + ((<usize>(code * inner)) << 2), inner, place, back);
  return place;
}

/** Centres the block, i64[outer][width][inner], along its middle axis. */
function centreAlong(outer: u32, width: u32, inner: u32): void {
  const step = <usize>inner << 3;
  const line = width * step;
  for (let block: usize = BLOCK, last = BLOCK + outer * line; block < last; block += line)
    for (let first = block; first < block + step; first += 8) {
      let sum: i64 = 0;
      for (let at = first; at < first + line; at += step) sum += load<i64>(at);
      for (let at = first; at < first + line; at += step) store<i64>(at, <i64>width * load<i64>(at) - sum);
    }
}
