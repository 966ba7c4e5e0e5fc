// What the table of two columns says beyond its margins, the codes of one column given those of the other, and what was
// measured of interactions as such.
import { columnOf, finestCells, orderOf, sizeOf } from "../queries/query";
import { hasColumn, sumLevel } from "./hierarchy";

/**
 * Σ |count − expected count for independent columns| over the cells of a pair.
 * @param table f64[rows][columns]
 * @param first f64[rows]: the counts of the first column's codes
 * @param second f64[columns]: those of the second
 * @param total the number of rows that all of them count
 */
export function interactionOf(table: usize, first: usize, rows: u32, second: usize, columns: u32, total: f64): f64 {
  const line = <usize>columns << 3;
  let sum: f64 = 0;
  for (const end = first + (<usize>rows << 3); first < end; first += 8, table += line) {
    const count = load<f64>(first);
    for (let at: usize = 0; at < line; at += 8)
      sum += abs<f64>(load<f64>(table + at) - (count * load<f64>(second + at)) / total);
  }
  return sum;
}

/**
 * The counts of one column's codes for each code of the other, none below 0: the table, or its transpose.
 * @param table f64[rows][columns]
 * @param out f64[rows][columns], or f64[columns][rows] if `transposed`
 */
export function conditionalCounts(table: usize, rows: u32, columns: u32, transposed: bool, out: usize): void {
  const across: usize = transposed ? <usize>rows << 3 : 8;
  const down: usize = transposed ? 8 : <usize>columns << 3;
  for (let row: usize = 0; row < rows; row++, out += down)
    for (let column: usize = 0; column < columns; column++, table += 8)
      store<f64>(out + column * across, max<f64>(0, load<f64>(table)));
}

/**
 * Adds what a noisy interaction says about the table of some of its columns. What it does not say, sums along the axes
 * along which it is centred, is taken from the table that is expected. The noise there is removed.
 * @param query the QUERY that was measured, a table of codes
 * @param margin a QUERY of some or all of its columns, with all of those along which it is centred
 * @param centred u32[order of `query`]: the size of each axis along which it is centred, 0 for the others
 * @param answers i32[cells of `query`]: its noisy answers, in units of which a row has the product of these sizes
 * @param sigma2 the variance of the independent noise on each answer
 * @param expected f64[cells of `margin`]
 * @param sums f64[cells of `margin`]: Σ count ÷ variance, added to
 * @param precisions f64[cells of `margin`]: Σ 1 ÷ variance, added to
 * @param scratch f64[cells of `margin`]
 */
export function addInteraction(
  query: usize,
  margin: usize,
  centred: usize,
  answers: usize,
  sigma2: f64,
  expected: usize,
  sums: usize,
  precisions: usize,
  scratch: usize,
): void {
  const cells = finestCells(margin);
  const bytes = <usize>cells << 3;
  memory.fill(scratch, 0, bytes);
  sumLevel(query, margin, 1, 0, answers, scratch, 0);
  let scale: f64 = 1;
  for (let axis: u32 = 0; axis < orderOf(query); axis++) scale *= max<f64>(1, sizeAlong(centred, axis));
  for (let at: usize = 0; at < bytes; at += 8)
    store<f64>(scratch + at, load<f64>(scratch + at) / scale - load<f64>(expected + at));
  let inner = cells;
  let outer: u32 = 1;
  for (let axis: u32 = 0; axis < orderOf(query); axis++) {
    if (!hasColumn(margin, columnOf(query, axis))) continue;
    const width = sizeOf(query, axis);
    inner /= width;
    if (sizeAlong(centred, axis)) removeMeans(scratch, outer, width, inner);
    outer *= width;
  }
  const precision = (scale * scale * <f64>cells) / (sigma2 * <f64>finestCells(query));
  for (let at: usize = 0; at < bytes; at += 8) {
    const count = load<f64>(expected + at) + load<f64>(scratch + at);
    store<f64>(sums + at, load<f64>(sums + at) + count * precision);
    store<f64>(precisions + at, load<f64>(precisions + at) + precision);
  }
}

@inline
function sizeAlong(centred: usize, axis: u32): f64 {
  return <f64>load<u32>(centred + (<usize>axis << 2));
}

/** Takes off each line along the middle axis of f64[outer][width][inner] its mean. */
function removeMeans(table: usize, outer: u32, width: u32, inner: u32): void {
  const step = <usize>inner << 3;
  const line = width * step;
  for (const end = table + outer * line; table < end; table += line)
    for (let first = table; first < table + step; first += 8) {
      let sum: f64 = 0;
      for (let at = first; at < first + line; at += step) sum += load<f64>(at);
      const mean = sum / <f64>width;
      for (let at = first; at < first + line; at += step) store<f64>(at, load<f64>(at) - mean);
    }
}
