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
  ERROR_SLOTS,
} from "../density-layout";
import { STREAM_DENSITY } from "../layout";
import { below, drawWords, word } from "../philox";
import { codesOf, distanceOfSums, passedOf, sizeOf } from "./density";

/** How far the number of rows may be off, for each row that is to come. */
const OFF: f64 = 1 / 16;

/**
 * The points of rows, in random order. Where points are all combinations of codes, there are as many equally spaced
 * marks, with a random start, as rows, and a point has a row for each mark in its weight. So every point has as many
 * rows as it should, rounded up or down. Given rows are rounded by error diffusion (`diffuse`).
 * @param which the density to follow: DENSITY_LAST, DENSITY_AVERAGE or DENSITY_BEST_ITERATE. Where there was no iterate
 * yet, it is the present one.
 * @param part the number of this density among those that are drawn with the seed, below 2^30
 * @param out u32[rows]
 * @param errors where rows are given, scratch: f32[2 · ERROR_SLOTS], and behind it u32[width]
 */
export function densityPoints(
  density: usize,
  which: u32,
  rows: u32,
  seed: u32,
  part: u32,
  out: usize,
  errors: usize,
): void {
  const points = load<u32>(density, DENSITY_POINTS);
  const isBest = which == DENSITY_BEST_ITERATE && load<f64>(density, DENSITY_LEAST) < Infinity;
  const weights = <usize>(isBest ? load<u32>(density, DENSITY_BEST) : load<u32>(density, DENSITY_WEIGHTS));
  const passed = passedOf(density);
  const sums = which == DENSITY_AVERAGE && passed > 0 ? distanceOfSums(density) : 0;
  const isGiven = load<u32>(density, DENSITY_CODES) != 0;
  let total: f64 = 0;
  for (let point: u32 = 0; point < points; point++) total += weightOf(weights + (<usize>point << 3), sums, passed);
  if (isGiven) openErrors(density, errors);
  else drawWords(seed, STREAM_DENSITY, 2 * part, 0);
  const start = isGiven ? 0 : <f64>word(0) / 4294967296;
  let reached: f64 = 0;
  let row: u32 = 0;
  for (let point: u32 = 0; point < points; point++) {
    const weight = weightOf(weights + (<usize>point << 3), sums, passed);
    reached += weight;
    const upTo = (reached / total) * <f64>rows;
    const end = isGiven
      ? <f64>row + diffuse(density, point, (weight / total) * <f64>rows, upTo - <f64>row, <f64>rows - upTo)
      : floor(upTo + start);
    for (const last = <u32>min<f64>(<f64>rows, end); row < last; row++) store<u32>(out + (<usize>row << 2), point);
  }
  shuffle(out, rows, seed, 2 * part + 1);
}

// f32[ERROR_SLOTS][2]: how much a pair of codes counts, and its rounding error; and u32[width]: the places of a point's
// codes among the codes of all axes, whose number is `codes`.
let slots: usize = 0;
let places: usize = 0;
let width: u32 = 0;
let codes: u32 = 0;

/** Begins without errors. That of a pair of codes counts by the standard deviation that sampling gives its count. */
function openErrors(density: usize, scratch: usize): void {
  slots = scratch;
  places = scratch + (<usize>ERROR_SLOTS << 3);
  width = load<u32>(density, DENSITY_WIDTH);
  codes = 0;
  for (let axis: u32 = 0; axis < width; axis++) codes += sizeOf(density, axis);
  memory.fill(slots, 0, <usize>ERROR_SLOTS << 3);
  for (let point: u32 = 0; point < load<u32>(density, DENSITY_POINTS); point++) {
    placeCodes(density, point);
    for (let a: u32 = 0; a < width; a++)
      for (let b = a; b < width; b++) store<f32>(slotOf(a, b), load<f32>(slotOf(a, b)) + 1);
  }
  for (let at: usize = 0; at < <usize>ERROR_SLOTS << 3; at += 8) {
    const count = load<f32>(slots + at);
    if (count > 0) store<f32>(slots + at, 1 / sqrt<f32>(count));
  }
}

/**
 * How many rows a given row is to have: its share, plus the mean of the errors that rounding has left in its codes and
 * pairs of codes, rounded. What this leaves is added to their errors. (Error diffusion, which Floyd and Steinberg 1976
 * use for grey levels.)
 * @param share its share, in rows
 * @param due how many rows there should be up to here, beyond those that there are
 * @param left how many rows are to come after it
 */
function diffuse(density: usize, point: u32, share: f64, due: f64, left: f64): f64 {
  placeCodes(density, point);
  let sum: f32 = 0;
  let weights: f32 = 0;
  for (let a: u32 = 0; a < width; a++)
    for (let b = a; b < width; b++) {
      const weight = load<f32>(slotOf(a, b));
      weights += weight;
      sum += weight * load<f32>(slotOf(a, b), 4);
    }
  const mean: f64 = width ? <f64>sum / <f64>weights : 0;
  const off = 0.5 + OFF * max<f64>(0, left);
  const count = max<f64>(0, min<f64>(floor(due + off), max<f64>(ceil(due - off), floor(share + mean + 0.5))));
  const error = <f32>(share - count);
  for (let a: u32 = 0; a < width; a++)
    for (let b = a; b < width; b++) store<f32>(slotOf(a, b), load<f32>(slotOf(a, b), 4) + error, 4);
  return count;
}

function placeCodes(density: usize, point: u32): void {
  let first: u32 = 0;
  for (let axis: u32 = 0; axis < width; axis++) {
    const code = load<u16>(codesOf(density, axis) + (<usize>point << 1));
    store<u32>(places + (<usize>axis << 2), first + code);
    first += sizeOf(density, axis);
  }
}

@inline
function slotOf(a: u32, b: u32): usize {
  const slot = load<u32>(places + (<usize>a << 2)) * codes + load<u32>(places + (<usize>b << 2));
  return slots + ((<usize>(slot & (ERROR_SLOTS - 1))) << 3);
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
