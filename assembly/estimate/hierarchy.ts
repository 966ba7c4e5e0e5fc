// Combines what the measured levels of trees say about the finest table. In the Haar basis on the 32 leaves of each
// tree axis (codes of other axes, and "missing", stay as they are), every level is diagonal: it measures some of the
// coefficients and says nothing about the others. The generalised least squares estimate is therefore the mean,
// weighted by inverse variance, of what the levels say about each coefficient (Hay, Rastogi, Miklau and Suciu,
// "Boosting the accuracy of differentially private histograms through consistency", 2010, for one axis).
import { TREE_LEVELS } from "../layout";
import { cellsAt, widthAt } from "../queries/tree";
import { columnOf, isTree, levelsOf, orderOf } from "../queries/query";
import { fromHaar, toHaar } from "./haar";

/**
 * Adds what noisy answers say about the table of some of their columns. Each level is summed over the other axes.
 * @param query the QUERY that was measured
 * @param margin a QUERY of some or all of its columns
 * @param answers i32[cells of `query`]: its noisy answers, all levels
 * @param sigma2 the variance of the independent noise on each answer
 * @param sums f64[finest cells of `margin`]: Σ coefficient ÷ variance, added to
 * @param precisions f64[finest cells of `margin`]: Σ 1 ÷ variance, added to
 * @param scratch f64[finest cells of `margin`]
 */
export function addMargin(
  query: usize,
  margin: usize,
  answers: usize,
  sigma2: f64,
  sums: usize,
  precisions: usize,
  scratch: usize,
): void {
  let from = answers;
  for (let level: u32 = 1; level <= levelsOf(query); level++) {
    const cells = cellsAt(margin, level);
    memory.fill(scratch, 0, <usize>cells << 3);
    from = sumLevel(query, margin, level, 0, from, scratch, 0);
    changeTreeBasis(margin, level, scratch, false);
    const variance = (sigma2 * <f64>cellsAt(query, level)) / <f64>cells;
    addCoefficients(margin, level, 0, scratch, 0, 1, 1 / variance, sums, precisions);
  }
}

/**
 * Replaces counts at a level by coefficients (the Haar transform along every tree axis), or the reverse if `back`.
 * @param table f64[cells of the level]
 */
export function changeTreeBasis(query: usize, level: u32, table: usize, back: bool): void {
  let inner = cellsAt(query, level);
  let outer: u32 = 1;
  for (let axis: u32 = 0; axis < orderOf(query); axis++) {
    const width = widthAt(query, axis, level);
    inner /= width;
    if (isTree(query, axis)) haarAlong(table, outer, width, inner, 1 << level, back);
    outer *= width;
  }
}

/** Transforms the first `count` codes of one axis of a table f64[outer][width][inner]; the inverse if `back`. */
export function haarAlong(table: usize, outer: u32, width: u32, inner: u32, count: u32, back: bool): void {
  const line = <usize>inner << 3;
  for (let block: u32 = 0; block < outer; block++, table += width * line)
    for (let at: usize = 0; at < line; at += 8)
      if (back) fromHaar(table + at, line, count);
      else toHaar(table + at, line, count);
}

/**
 * Adds the answers of one level, in order starting at `from`, to the cells of its margin. Returns the end of the level.
 */
export function sumLevel(
  query: usize,
  margin: usize,
  level: u32,
  axis: u32,
  from: usize,
  into: usize,
  cell: u32,
): usize {
  const width = widthAt(query, axis, level);
  const kept = hasColumn(margin, columnOf(query, axis));
  if (axis + 1 == orderOf(query)) {
    let place = into + ((<usize>(kept ? cell * width : cell)) << 3);
    const step: usize = kept ? 8 : 0;
    for (const end = from + (<usize>width << 2); from < end; from += 4, place += step)
      store<f64>(place, load<f64>(place) + <f64>load<i32>(from));
    return from;
  }
  for (let index: u32 = 0; index < width; index++)
    from = sumLevel(query, margin, level, axis + 1, from, into, kept ? cell * width + index : cell);
  return from;
}

/**
 * Adds the coefficients of one level, in order starting at `from`, to those of the finest level, with their weights. A
 * count spread evenly over 2^k leaves has 2^(−k/2) times the coefficient, and so 2^k times the precision; "missing" is
 * not spread. Returns the end of the level.
 * @param gain 2^(k/2) over the axes before `axis`
 */
function addCoefficients(
  query: usize,
  level: u32,
  axis: u32,
  from: usize,
  cell: u32,
  gain: f64,
  precision: f64,
  sums: usize,
  precisions: usize,
): usize {
  if (axis == orderOf(query)) {
    const place = <usize>cell << 3;
    store<f64>(sums + place, load<f64>(sums + place) + load<f64>(from) * gain * precision);
    store<f64>(precisions + place, load<f64>(precisions + place) + gain * gain * precision);
    return from + 8;
  }
  const width = widthAt(query, axis, level);
  const leaves: u32 = isTree(query, axis) ? 1 << level : 0;
  const halvings = leaves ? TREE_LEVELS - level : 0;
  const finest = cell * widthAt(query, axis, TREE_LEVELS);
  const spread = gain * sqrt<f64>(<f64>(1 << halvings));
  for (let index: u32 = 0; index < width; index++)
    from = addCoefficients(
      query,
      level,
      axis + 1,
      from,
      finest + (index << halvings),
      index < leaves ? spread : gain,
      precision,
      sums,
      precisions,
    );
  return from;
}

/** Whether a column is among those of a QUERY. */
export function hasColumn(query: usize, column: u32): bool {
  for (let axis: u32 = 0; axis < orderOf(query); axis++) if (columnOf(query, axis) == column) return true;
  return false;
}
