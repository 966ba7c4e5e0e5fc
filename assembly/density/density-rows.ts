// Rows that follow a density.
import {
  DENSITY_AVERAGE,
  DENSITY_BEST,
  DENSITY_BEST_ITERATE,
  DENSITY_CODES,
  DENSITY_LEAST,
  DENSITY_POINTS,
  DENSITY_WEIGHTS,
  DENSITY_WIDTH,
} from "../density-layout";
import { STREAM_DENSITY } from "../layout";
import { below, drawWords, word } from "../philox";
import { codesOf, distanceOfSums, passedOf, sizeOf } from "./density";

/**
 * The points of rows, in random order: as many equally spaced marks, with a random start, as rows, and a point has a
 * row for each mark in its weight. So every point has as many rows as it should, rounded up or down.
 * @param which the density to follow: DENSITY_LAST, DENSITY_AVERAGE or DENSITY_BEST_ITERATE. Where there was no iterate
 * yet, it is the present one.
 * @param part the number of this density among those that are drawn with the seed, below 2^30
 * @param out u32[rows]
 */
export function densityPoints(density: usize, which: u32, rows: u32, seed: u32, part: u32, out: usize): void {
  const points = load<u32>(density, DENSITY_POINTS);
  const isBest = which == DENSITY_BEST_ITERATE && load<f64>(density, DENSITY_LEAST) < Infinity;
  const weights = <usize>(isBest ? load<u32>(density, DENSITY_BEST) : load<u32>(density, DENSITY_WEIGHTS));
  const passed = passedOf(density);
  const sums = which == DENSITY_AVERAGE && passed > 0 ? distanceOfSums(density) : 0;
  let total: f64 = 0;
  for (let point: u32 = 0; point < points; point++) total += weightOf(weights + (<usize>point << 3), sums, passed);
  drawWords(seed, STREAM_DENSITY, 2 * part, 0);
  const start = <f64>word(0) / 4294967296;
  let reached: f64 = 0;
  let row: u32 = 0;
  for (let point: u32 = 0; point < points; point++) {
    reached += weightOf(weights + (<usize>point << 3), sums, passed);
    const end = <u32>min<f64>(<f64>rows, floor((reached / total) * <f64>rows + start));
    for (; row < end; row++) store<u32>(out + (<usize>row << 2), point);
  }
  shuffle(out, rows, seed, 2 * part + 1);
}

/** Of the sum of all iterates, rounding may leave less than nothing. */
@inline
function weightOf(at: usize, sums: usize, passed: f64): f64 {
  return sums ? max<f64>(0, load<f64>(at + sums) + passed * load<f64>(at)) : load<f64>(at);
}

/** Fisher–Yates from the end, with the i-th word of the stream for the i-th row. */
function shuffle(list: usize, rows: u32, seed: u32, id: u32): void {
  let drawn: u32 = -1;
  for (let row = rows; row-- > 0; ) {
    if (row >> 4 != drawn) drawWords(seed, STREAM_DENSITY, id, (drawn = row >> 4));
    const other = list + ((<usize>below(row + 1, word(row))) << 2);
    const point = load<u32>(other);
    store<u32>(other, load<u32>(list + (<usize>row << 2)));
    store<u32>(list + (<usize>row << 2), point);
  }
}

/**
 * The codes of points on an axis.
 * @param points u32[rows]
 * @param out u16[rows]
 */
export function pointCodes(density: usize, points: usize, rows: u32, axis: u32, out: usize): void {
  const given = load<u32>(density, DENSITY_CODES) ? codesOf(density, axis) : 0;
  const size = sizeOf(density, axis);
  let step: u32 = 1;
  if (!given)
    for (let later = axis + 1; later < load<u32>(density, DENSITY_WIDTH); later++) step *= sizeOf(density, later);
  for (let row: u32 = 0; row < rows; row++) {
    const point = load<u32>(points + (<usize>row << 2));
    store<u16>(
      out + (<usize>row << 1),
      given ? load<u16>(given + (<usize>point << 1)) : <u16>((point / step) % size),
    );
  }
}
