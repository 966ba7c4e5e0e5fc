// Estimates the most likely true values of noisy counts: what lower orders imply, plus the part of the rest that stands
// out from the noise. Uses only +, −, ×, ÷ and √, so every engine gives the same bits.
import { TREE_LEAVES, TREE_LEVELS } from "../layout";
import { addScaled, dot } from "../lanes";
import { finestCells, hasMissing, isTree, orderOf, sizeOf } from "../queries/query";
import { fromHaar, toHaar } from "./haar";
import { changeTreeBasis, haarAlong } from "./hierarchy";
import { soften } from "./threshold";

/** A power iteration has converged when the singular value rises by no more than this fraction. */
const CONVERGED: f64 = 1e-5;
const MOST_ITERATIONS: i32 = 60;

/**
 * The weight of the estimate in the Haar basis where an axis is ordered: averaging two estimates with different errors
 * is better than either (bench/accuracy.md, "Raw answers or estimates").
 */
const SMOOTH_PART: f64 = 1.0 / 3;

/**
 * No cell holds more than the smallest of its margins. Where that is less than this many standard deviations of the
 * cell's noise, a measurement would add more noise than information (bench/accuracy.md, "Codes with few rows").
 */
const LEAST_MARGIN: f64 = 2;

/**
 * The fraction of what shrinking removed that is given back, multiplied by the fraction of the noisy squares that
 * remained (bench/accuracy.md, "What is given back"). The rows answer all tables at once. That averages the noise of
 * tables that share columns, but not the amount by which all of them were reduced. With nothing given back, tables that
 * are nearly all signal were answered worse than by fitting the noisy answers.
 */
const GIVEN_BACK: f64 = 0.35;

/**
 * Estimates a table of counts from noisy ones and from the table that its margins imply. The difference between the
 * two, the interaction, is divided by the standard deviations of its noise and shrunk. For one column, only the ordered
 * part is shrunk, and the sum stays. For two columns, the interaction has margins of 0. Its singular values are shrunk
 * to minimise the squared error asymptotically (Gavish and Donoho, "Optimal shrinkage of singular values", 2017,
 * Frobenius loss), and what they leave is shrunk cell by cell. For more columns, the cells are shrunk. Where an axis is
 * ordered, the result is averaged with a shrunk Haar transform. The more of the interaction remains, the more of what
 * was removed is given back.
 *
 * A table of two columns may hold more than what its margins imply: what chains over third columns say (`addChains`).
 * Then what is measured beyond that is shrunk.
 * @param query a QUERY: the table's axes
 * @param ordered u32[order]: how many codes of each axis, from the first, are ordered, or 0; for a tree axis 0
 * @param table f64[cells]: what to expect, in counts. Replaced by the estimate, which may be below 0: if it were raised
 * there, the others would have to be lowered
 * @param implied f64[cells]: what the margins alone imply, or 0 if the table is just that
 * @param sums f64[cells] and
 * @param precisions f64[cells], each positive: what was measured, in the form that `addMargin` produces; overwritten
 * with zeros, for the next table
 * @param scratch f64[4·cells + 1]
 */
export function shrinkTable(
  query: usize,
  ordered: usize,
  table: usize,
  implied: usize,
  sums: usize,
  precisions: usize,
  scratch: usize,
): void {
  const cells = finestCells(query);
  memory.copy(scratch, table, <usize>cells << 3);
  changeTreeBasis(query, TREE_LEVELS, scratch, false);
  whiten(sums, precisions, scratch, cells);
  if (orderOf(query) < 3) centre(query, sums, precisions);
  addShrunk(query, ordered, table, implied, sums, precisions, scratch);
}

/**
 * Adds to a table what stands out from the noise of its white interaction.
 * @param implied as for `shrinkTable`
 * @param white f64[cells] and
 * @param deviations f64[cells]: the interaction ÷ the standard deviations of its noise, and these; overwritten with
 * zeros
 * @param scratch f64[4·cells + 1]
 */
export function addShrunk(
  query: usize,
  ordered: usize,
  table: usize,
  implied: usize,
  white: usize,
  deviations: usize,
  scratch: usize,
): void {
  const cells = finestCells(query);
  const bytes = <usize>cells << 3;
  const known = implied ? scratch + 3 * bytes + 8 : 0;
  if (orderOf(query) == 1) smoothColumn(query, ordered, white);
  else {
    silence(query, table, white, deviations);
    if (known) {
      memory.copy(known, table, bytes);
      addScaled(known, implied, -1, cells);
      changeTreeBasis(query, TREE_LEVELS, known, false);
      for (let at: usize = 0; at < bytes; at += 8)
        store<f64>(known + at, load<f64>(known + at) / load<f64>(deviations + at));
      silence(query, table, known, deviations);
    }
    shrinkInteraction(query, ordered, white, known, scratch);
    silence(query, table, white, deviations);
  }
  for (let at: usize = 0; at < bytes; at += 8)
    store<f64>(white + at, load<f64>(white + at) * load<f64>(deviations + at));
  changeTreeBasis(query, TREE_LEVELS, white, true);
  addScaled(table, white, 1, cells);
  memory.fill(white, 0, bytes);
  memory.fill(deviations, 0, bytes);
}

/**
 * Replaces sums by measured minus expected, in units of the noise, and precisions by the standard deviations of the
 * noise.
 */
export function whiten(sums: usize, precisions: usize, expected: usize, cells: u32): void {
  for (let at: usize = 0, end = <usize>cells << 3; at < end; at += 8) {
    const precision = load<f64>(precisions + at);
    const deviation = 1 / sqrt<f64>(precision);
    store<f64>(sums + at, (load<f64>(sums + at) - precision * load<f64>(expected + at)) * deviation);
    store<f64>(precisions + at, deviation);
  }
}

/** Removes from a white table whatever changes a margin, along each axis in turn. */
export function centre(query: usize, white: usize, deviations: usize): void {
  let inner = finestCells(query);
  let outer: u32 = 1;
  for (let axis: u32 = 0; axis < orderOf(query); axis++) {
    const width = sizeOf(query, axis);
    inner /= width;
    for (let block: u32 = 0; block < outer; block++)
      for (let at: u32 = 0; at < inner; at++) {
        const first = (<usize>(block * width * inner + at)) << 3;
        takeSum(query, axis, white + first, deviations + first, <usize>inner << 3);
      }
    outer *= width;
  }
}

/**
 * Moves one line along an axis to the nearest point where its counts sum to 0. The sum is over all codes or, on a tree
 * axis, the first coefficient times √leaves plus "missing".
 */
function takeSum(query: usize, axis: u32, white: usize, deviations: usize, stride: usize): void {
  const tree = isTree(query, axis);
  const step = tree ? TREE_LEAVES * stride : stride;
  const end = sizeOf(query, axis) * stride;
  const first: f64 = tree ? sqrt<f64>(TREE_LEAVES) : 1;
  let sum: f64 = 0;
  let variance: f64 = 0;
  for (let at: usize = 0; at < end; at += step) {
    const weight = (at ? 1 : first) * load<f64>(deviations + at);
    sum += weight * load<f64>(white + at);
    variance += weight * weight;
  }
  for (let at: usize = 0; at < end; at += step) {
    const weight = (at ? 1 : first) * load<f64>(deviations + at);
    store<f64>(white + at, load<f64>(white + at) - (weight * sum) / variance);
  }
}

/**
 * Sets white cells to 0 where their margins leave too little room for them. A coefficient of a tree is not a cell and
 * stays.
 * @param implied f64[cells]
 */
export function silence(query: usize, implied: usize, white: usize, deviations: usize): void {
  let inner = finestCells(query);
  let outer: u32 = 1;
  for (let axis: u32 = 0; axis < orderOf(query); axis++) {
    const width = sizeOf(query, axis);
    inner /= width;
    if (!isTree(query, axis))
      for (let code: u32 = 0; code < width; code++) {
        const first = (<usize>(code * inner)) << 3;
        silenceCode(implied + first, white + first, deviations + first, outer, width * inner, inner);
      }
    outer *= width;
  }
}

/** The same for the cells of one code: `blocks` runs of `length` cells, `stride` cells apart. */
function silenceCode(implied: usize, white: usize, deviations: usize, blocks: u32, stride: u32, length: u32): void {
  let margin: f64 = 0;
  for (let block: u32 = 0; block < blocks; block++)
    for (let at = (<usize>(block * stride)) << 3, end = at + (<usize>length << 3); at < end; at += 8)
      margin += load<f64>(implied + at);
  for (let block: u32 = 0; block < blocks; block++)
    for (let at = (<usize>(block * stride)) << 3, end = at + (<usize>length << 3); at < end; at += 8)
      if (margin < LEAST_MARGIN * load<f64>(deviations + at)) store<f64>(white + at, 0);
}

/** Shrinks the ordered part of one column's white counts, except the first coefficient, so that their sum stays. */
function smoothColumn(query: usize, ordered: usize, white: usize): void {
  if (isTree(query, 0)) return soften(white + 8, TREE_LEAVES - 1, 1);
  const count = load<u32>(ordered);
  if (count < 2) return;
  toHaar(white, 8, count);
  soften(white + 8, count - 1, 1);
  fromHaar(white, 8, count);
}

/**
 * @param white a table with noise of standard deviation 1
 * @param known f64[cells]: what is known of the interaction besides, in the same units, or 0
 * @param scratch f64[3·cells + 1]
 */
function shrinkInteraction(query: usize, ordered: usize, white: usize, known: usize, scratch: usize): void {
  const cells = finestCells(query);
  const bytes = <usize>cells << 3;
  const noisy = scratch;
  const other = noisy + bytes;
  memory.copy(noisy, white, bytes);
  if (orderOf(query) == 2) {
    memory.fill(other, 0, bytes);
    liftSingularValues(query, white, other, other + bytes);
    soften(white, cells, 1);
    addScaled(white, other, 1, cells);
  } else soften(white, cells, 1);
  if (anyOrdered(query, ordered)) {
    memory.copy(other, noisy, bytes);
    shrinkInHaar(query, ordered, other);
    moveTowards(white, other, SMOOTH_PART, cells);
  }
  const all = squares(noisy, known, cells);
  if (all > 0) moveTowards(white, noisy, GIVEN_BACK * min<f64>(1, squares(white, known, cells) / all), cells);
}

/** Σ (x + y)², `count` doubles; Σ x² if there is no y. */
function squares(x: usize, y: usize, count: u32): f64 {
  const sum = dot(x, x, count);
  return y ? sum + 2 * dot(x, y, count) + dot(y, y, count) : sum;
}

/** from += part·(to − from), `count` doubles. */
function moveTowards(from: usize, to: usize, part: f64, count: u32): void {
  for (let at: usize = 0, end = <usize>count << 3; at < end; at += 8) {
    const value = load<f64>(from + at);
    store<f64>(from + at, value + part * (load<f64>(to + at) - value));
  }
}

function anyOrdered(query: usize, ordered: usize): bool {
  for (let axis: u32 = 0; axis < orderOf(query); axis++) if (orderedOn(ordered, axis)) return true;
  return false;
}

@inline
function orderedOn(ordered: usize, axis: u32): u32 {
  return load<u32>(ordered + (<usize>axis << 2));
}

function shrinkInHaar(query: usize, ordered: usize, white: usize): void {
  changeOrderedBasis(query, ordered, white, false);
  soften(white, finestCells(query), 1);
  changeOrderedBasis(query, ordered, white, true);
}

/** The Haar transform along every ordered axis, or its inverse if `back`. */
function changeOrderedBasis(query: usize, ordered: usize, table: usize, back: bool): void {
  let inner = finestCells(query);
  let outer: u32 = 1;
  for (let axis: u32 = 0; axis < orderOf(query); axis++) {
    const width = sizeOf(query, axis);
    inner /= width;
    if (orderedOn(ordered, axis)) haarAlong(table, outer, width, inner, orderedOn(ordered, axis), back);
    outer *= width;
  }
}

/**
 * Moves what stands out from the noise from `rest` to `signal`, one singular value after the other, largest first, each
 * of them shrunk. A centred table has noise of variance 1 per cell in (rows − 1)·(columns − 1) directions. The singular
 * values of this noise end at the edge. Near the edge, the vectors need not be exact, because the shrunk value vanishes
 * there.
 * @param scratch f64[rows + columns]
 */
function liftSingularValues(query: usize, rest: usize, signal: usize, scratch: usize): void {
  const rows = sizeOf(query, 0);
  const columns = sizeOf(query, 1);
  const left = scratch;
  const right = left + (<usize>rows << 3);
  const line = <usize>columns << 3;
  const liveRows = linesWithCells(rest, rows, line, columns, 8);
  const liveColumns = linesWithCells(rest, columns, 8, rows, line);
  if (!liveRows) return;
  const a = <f64>(liveRows - 1);
  const b = <f64>(liveColumns - 1);
  const edge = sqrt<f64>(a) + sqrt<f64>(b);
  for (let value = min(liveRows, liveColumns) - 1; value > 0; value--) {
    const y = leadingVectors(rest, rows, columns, left, right);
    if (!(y > edge)) return;
    const excess = y * y - a - b;
    const kept = sqrt<f64>(excess * excess - 4 * a * b) / y;
    for (let row: u32 = 0; row < rows; row++) {
      const weight = load<f64>(left + (<usize>row << 3));
      addScaled(rest + row * line, right, -y * weight, columns);
      addScaled(signal + row * line, right, kept * weight, columns);
    }
  }
}

/**
 * How many of `count` lines, `step` bytes apart, have a cell other than 0 among `length` cells, `stride` bytes apart.
 */
function linesWithCells(table: usize, count: u32, step: usize, length: u32, stride: usize): u32 {
  let lines: u32 = 0;
  for (let line: u32 = 0; line < count; line++, table += step)
    for (let cell: u32 = 0, at = table; cell < length; cell++, at += stride)
      if (load<f64>(at) != 0) {
        lines++;
        break;
      }
  return lines;
}

/**
 * The largest singular value and its unit vectors, by power iteration starting from the longest row. Returns 0 for a
 * table of zeros.
 */
function leadingVectors(table: usize, rows: u32, columns: u32, left: usize, right: usize): f64 {
  const line = <usize>columns << 3;
  const end = table + rows * line;
  let longest = table;
  let square: f64 = 0;
  for (let row = table; row < end; row += line) {
    const length = dot(row, row, columns);
    if (length <= square) continue;
    square = length;
    longest = row;
  }
  if (!(square > 0)) return 0;
  memory.copy(right, longest, line);
  normalise(right, columns);
  let value: f64 = 0;
  for (let iteration = 0; iteration < MOST_ITERATIONS; iteration++) {
    for (let row: u32 = 0; row < rows; row++)
      store<f64>(left + (<usize>row << 3), dot(table + row * line, right, columns));
    normalise(left, rows);
    memory.fill(right, 0, line);
    for (let row: u32 = 0; row < rows; row++)
      addScaled(right, table + row * line, load<f64>(left + (<usize>row << 3)), columns);
    const before = value;
    value = normalise(right, columns);
    if (value - before <= CONVERGED * value) break;
  }
  return value;
}

/** Divides a vector by its length, which must not be 0. Returns the length. */
function normalise(vector: usize, count: u32): f64 {
  const length = sqrt<f64>(dot(vector, vector, count));
  for (let at = vector, end = vector + (<usize>count << 3); at < end; at += 8) store<f64>(at, load<f64>(at) / length);
  return length;
}
