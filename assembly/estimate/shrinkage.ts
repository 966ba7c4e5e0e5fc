// What a noisy table of two columns most likely was: the product of its one-ways, and of the rest what stands out of the noise.
// +, −, ×, ÷ and √ only, so that every engine gives the same bits.
import { addScaled, dot } from "../lanes";
import { fromHaar, toHaar } from "./haar";
import { soften } from "./threshold";

/** A power iteration has converged when the singular value rises by no more than this share. */
const CONVERGED: f64 = 1e-5;
const MOST_ITERATIONS: i32 = 60;

/** How much the estimate in the Haar basis counts, where an axis is ordered: two estimates with different errors are better averaged. */
const SMOOTH_PART: f64 = 1.0 / 3;

/**
 * Estimates a table of `rows` × `columns` counts that were measured with independent noise of standard deviation `sigma` a cell.
 * The interaction (table less product of the one-ways; its margins are 0) is shrunk twice: its singular values to what minimises the
 * squared error asymptotically (Gavish and Donoho, "Optimal shrinkage of singular values", 2017, Frobenius loss), and what they
 * leave cell by cell. Where an axis is ordered, the mean of that and of a shrunk Haar transform is taken.
 * @param table f64[rows][columns]: noisy counts, replaced by estimates of at least 0
 * @param orderedRows how many of the rows, from the first, are ordered codes, or 0; `orderedColumns` likewise
 * @param first f64[rows] and
 * @param second f64[columns]: the one-ways, each summing to `total` > 0
 * @param scratch f64[2·rows·columns + rows + columns]
 */
export function shrinkTable(
  table: usize, rows: u32, columns: u32, orderedRows: u32, orderedColumns: u32, first: usize, second: usize,
  total: f64, sigma: f64, scratch: usize,
): void {
  const line = <usize>columns << 3;
  const cells = rows * columns;
  const bytes = rows * line;
  const rest = scratch;
  const smooth = rest + bytes;
  const left = smooth + bytes;
  const right = left + (<usize>rows << 3);
  memory.copy(rest, table, bytes);
  addProduct(rest, rows, columns, first, second, -1 / total);
  centre(rest, rows, columns, right);
  memory.copy(smooth, rest, bytes);
  memory.fill(table, 0, bytes);
  liftSingularValues(rest, table, rows, columns, sigma, left, right);
  soften(rest, cells, sigma);
  addScaled(table, rest, 1, cells);
  if (orderedRows | orderedColumns) {
    shrinkInHaar(smooth, rows, columns, orderedRows, orderedColumns, sigma);
    for (let at: usize = 0; at < bytes; at += 8)
      store<f64>(table + at, (1 - SMOOTH_PART) * load<f64>(table + at) + SMOOTH_PART * load<f64>(smooth + at));
  }
  addProduct(table, rows, columns, first, second, 1 / total);
  for (let cell = table; cell < table + bytes; cell += 8) store<f64>(cell, max<f64>(load<f64>(cell), 0));
}

/**
 * Estimates what is ordered of one column's counts: their Haar coefficients are shrunk, but for the first, so that the sum stays.
 * @param counts f64[count], count ≥ 2, each with independent noise of standard deviation `sigma`
 */
export function shrinkOrdered(counts: usize, count: u32, sigma: f64): void {
  toHaar(counts, 8, count);
  soften(counts + 8, count - 1, sigma);
  fromHaar(counts, 8, count);
}

function shrinkInHaar(table: usize, rows: u32, columns: u32, orderedRows: u32, orderedColumns: u32, sigma: f64): void {
  const line = <usize>columns << 3;
  const end = table + rows * line;
  if (orderedColumns) for (let row = table; row < end; row += line) toHaar(row, 8, orderedColumns);
  if (orderedRows) for (let top = table; top < table + line; top += 8) toHaar(top, line, orderedRows);
  soften(table, rows * columns, sigma);
  if (orderedRows) for (let top = table; top < table + line; top += 8) fromHaar(top, line, orderedRows);
  if (orderedColumns) for (let row = table; row < end; row += line) fromHaar(row, 8, orderedColumns);
}

/** table += factor · first · secondᵀ */
function addProduct(table: usize, rows: u32, columns: u32, first: usize, second: usize, factor: f64): void {
  const line = <usize>columns << 3;
  for (let row: u32 = 0; row < rows; row++)
    addScaled(table + row * line, second, load<f64>(first + (<usize>row << 3)) * factor, columns);
}

/** Takes the mean from each row, then from each column. @param means scratch, f64[columns] */
function centre(table: usize, rows: u32, columns: u32, means: usize): void {
  const line = <usize>columns << 3;
  const end = table + rows * line;
  memory.fill(means, 0, line);
  for (let begin = table; begin < end; begin += line) {
    let mean: f64 = 0;
    for (let cell = begin; cell < begin + line; cell += 8) mean += load<f64>(cell);
    mean /= <f64>columns;
    for (let cell = begin; cell < begin + line; cell += 8) store<f64>(cell, load<f64>(cell) - mean);
    addScaled(means, begin, 1 / <f64>rows, columns);
  }
  for (let begin = table; begin < end; begin += line) addScaled(begin, means, -1, columns);
}

/**
 * Moves what stands out of the noise from `rest` to `signal`, one singular value after the other, largest first, each shrunk. A
 * centred table has noise in (rows − 1)·(columns − 1) directions, whose singular values end at the edge. Where one is near the edge
 * its vectors need not be exact: the shrunk value vanishes there.
 */
function liftSingularValues(
  rest: usize, signal: usize, rows: u32, columns: u32, sigma: f64, left: usize, right: usize,
): void {
  const a = <f64>(rows - 1);
  const b = <f64>(columns - 1);
  const line = <usize>columns << 3;
  const edge = sqrt<f64>(a) + sqrt<f64>(b);
  for (let value = min(rows, columns) - 1; value > 0; value--) {
    const found = leadingVectors(rest, rows, columns, left, right);
    const y = found / sigma;
    if (!(y > edge)) return;
    const excess = y * y - a - b;
    const kept = (sigma * sqrt<f64>(excess * excess - 4 * a * b)) / y;
    for (let row: u32 = 0; row < rows; row++) {
      const weight = load<f64>(left + (<usize>row << 3));
      addScaled(rest + row * line, right, -found * weight, columns);
      addScaled(signal + row * line, right, kept * weight, columns);
    }
  }
}

/** The largest singular value, and its vectors of length 1, by power iteration from the longest row. Returns 0 for a table of zeros. */
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

/** Divides a vector by its length, which is returned; it is not 0. */
function normalise(vector: usize, count: u32): f64 {
  const length = sqrt<f64>(dot(vector, vector, count));
  for (let at = vector, end = vector + (<usize>count << 3); at < end; at += 8) store<f64>(at, load<f64>(at) / length);
  return length;
}
