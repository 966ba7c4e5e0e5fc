// What public rows say about a table, and how far noisy answers correct it. Uses only +, −, ×, ÷ and √, and logarithms
// made of these, so every engine gives the same bits.
import { logarithm } from "../elementary";
import { addScaled } from "../lanes";
import { finestCells, isTree, orderOf, sizeOf } from "../queries/query";
import { scaleToMargins } from "./margins";
import { addShrunk, centre, shrinkTable, whiten } from "./shrinkage";

/** How often a pair's table is scaled to its margins. */
const ROUNDS = 10;

/** No cell is expected to have fewer rows than this, where the spread of counts is asked for. */
export const LEAST_COUNT: f64 = 0.5;

/** Relative variances that are tried: 0, then from the first on, each so many times the one before. */
const FIRST_SPREAD: f64 = 0.001;
const SPREAD_FACTOR: f64 = 4;
export const SPREADS: u32 = 9;

/**
 * A model with one more parameter has to raise twice the logarithm of the likelihood by this: less would follow noise
 * where there is little else, and more would hold on to public rows that are wrong (bench/accuracy.md, "Public rows").
 */
const EVIDENCE: f64 = 6;

/** The range within which likelihoods are multiplied before their logarithm is taken. */
export const LARGE: f64 = 1e100;

/**
 * The table of one or two columns that public rows imply. One more row is spread evenly over the codes of one column.
 * Of a pair, each code counts one row more, spread over the other column's codes as these are among all rows.
 * @param query a QUERY with one axis or two: those of the table
 * @param counts i32[cells]: those of the public rows
 * @param total the number of rows of the table of one column
 * @param table f64[cells], replaced
 * @param margins usize[2]: the table of two columns is scaled to these, as `fitMargins` takes them
 * @param scratch f64[cells]
 */
export function publicRowsTable(
  query: usize,
  counts: usize,
  total: f64,
  table: usize,
  margins: usize,
  scratch: usize,
): void {
  const cells = finestCells(query);
  let rows: f64 = 0;
  for (let cell: usize = 0; cell < cells; cell++) rows += <f64>load<i32>(counts + (cell << 2));
  const isPair = orderOf(query) == 2;
  const more = isPair ? 0 : 1 / <f64>cells;
  const scale = isPair ? 1 : total / (rows + 1);
  for (let cell: usize = 0; cell < cells; cell++)
    store<f64>(table + (cell << 3), (<f64>load<i32>(counts + (cell << 2)) + more) * scale);
  if (!isPair) return;
  addOneRowEach(table, sizeOf(query, 0), sizeOf(query, 1), rows, scratch);
  scaleToMargins(query, table, margins, ROUNDS, scratch);
}

/** @param sums f64[columns] */
function addOneRowEach(table: usize, rows: u32, columns: u32, total: f64, sums: usize): void {
  sumColumns(table, rows, columns, sums);
  const line = <usize>columns << 3;
  for (let row: u32 = 0; row < rows; row++, table += line) {
    const share = (sumOf(table, columns) + 1 / <f64>rows) / total;
    for (let at: usize = 0; at < line; at += 8)
      store<f64>(table + at, load<f64>(table + at) + share + (load<f64>(sums + at) + 1 / <f64>columns) / total);
  }
}

/**
 * Corrects a table that public rows imply by noisy counts. The true counts are taken to be Gaussian about the table,
 * with at least the variance that sampling gives them. A variance that grows with the square of the count is added if
 * the noisy counts give evidence for it, and for one column another that is the same for all codes. A pair for which
 * there is as much evidence that public rows say nothing about it is estimated without them, and a table with a tree as
 * by `shrinkTable`.
 * @param query a QUERY with one axis or two, and so on: what `shrinkTable` takes, but that the table is what public
 * rows imply
 * @param sampling the variance of a count that follows from sampling, ÷ the count
 */
export function correctPublicTable(
  query: usize,
  ordered: usize,
  table: usize,
  sums: usize,
  precisions: usize,
  sampling: f64,
  scratch: usize,
): void {
  const isPair = orderOf(query) == 2;
  if (isTree(query, 0) || (isPair && isTree(query, 1)))
    return shrinkTable(query, ordered, table, 0, sums, precisions, scratch);
  const cells = finestCells(query);
  const bytes = <usize>cells << 3;
  const even = scratch;
  const white = sums;
  const deviations = precisions;
  memory.copy(even, table, bytes);
  whiten(sums, precisions, even, cells);
  centre(query, white, deviations);
  const free = <f64>(sizeOf(query, 0) - 1) * <f64>(isPair ? sizeOf(query, 1) - 1 : 1);
  const part = free / <f64>cells;
  if (isPair) fillIndependent(table, sizeOf(query, 0), sizeOf(query, 1), even, even + bytes);
  else fillEvenly(even, cells, sumOf(table, cells) / <f64>cells);
  const deviance = leastDeviance(cells, table, white, deviations, part, sampling, isPair ? 0 : even);
  const spread = bestSpread;
  const other = bestOther;
  if (isPair) {
    const moved = even + 2 * bytes;
    for (let at: usize = 0; at < bytes; at += 8) {
      const step = (load<f64>(table + at) - load<f64>(even + at)) / load<f64>(deviations + at);
      store<f64>(moved + at, load<f64>(white + at) + step);
    }
    if (leastDeviance(cells, even, moved, deviations, part, 1, 0) + EVIDENCE < deviance) {
      memory.copy(white, moved, bytes);
      memory.copy(table, even, bytes);
      return addShrunk(query, ordered, table, 0, white, deviations, scratch);
    }
  }
  for (let at: usize = 0; at < bytes; at += 8) {
    const deviation = load<f64>(deviations + at);
    const variance = varianceOf(load<f64>(table + at), sampling, spread, other * load<f64>(even + at));
    const kept = variance / (variance + deviation * deviation);
    store<f64>(table + at, load<f64>(table + at) + kept * load<f64>(white + at) * deviation);
  }
  memory.fill(white, 0, bytes);
  memory.fill(deviations, 0, bytes);
}

/** The variance of a true count about the expected one. @param other a standard deviation that adds to it */
// @ts-ignore: decorator
@inline
function varianceOf(expected: f64, sampling: f64, spread: f64, other: f64): f64 {
  const count = max<f64>(expected, LEAST_COUNT);
  return sampling * count + spread * count * count + other * other;
}

/** The relative variances that `leastDeviance` has found: those of counts, and those of `even`. */
let bestSpread: f64 = 0;
let bestOther: f64 = 0;

/**
 * The smallest deviance over the relative variances, which it leaves in `bestSpread` and `bestOther`.
 * @param even f64[cells], or 0 where there is no second one
 */
function leastDeviance(
  cells: u32,
  expected: usize,
  white: usize,
  deviations: usize,
  part: f64,
  sampling: f64,
  even: usize,
): f64 {
  let least: f64 = Infinity;
  for (let first: u32 = 0; first <= SPREADS; first++)
    for (let second: u32 = 0; second <= (even ? SPREADS : 0); second++) {
      const penalty = EVIDENCE * <f64>(u32(first > 0) + u32(second > 0));
      const spread = spreadOf(first);
      const other = sqrt<f64>(spreadOf(second));
      const deviance = penalty + devianceOf(cells, expected, white, deviations, part, sampling, spread, even, other);
      if (deviance >= least) continue;
      least = deviance;
      bestSpread = spread;
      bestOther = other;
    }
  return least;
}

/** The relative variance of this number. */
export function spreadOf(number: u32): f64 {
  if (!number) return 0;
  let spread = FIRST_SPREAD;
  while (--number) spread *= SPREAD_FACTOR;
  return spread;
}

/** −2 ln of the likelihood of a white table, but for a constant. @param part the directions per cell that are free */
function devianceOf(
  cells: u32,
  expected: usize,
  white: usize,
  deviations: usize,
  part: f64,
  sampling: f64,
  spread: f64,
  even: usize,
  other: f64,
): f64 {
  let squares: f64 = 0;
  let logarithms: f64 = 0;
  let product: f64 = 1;
  for (let at: usize = 0, end = <usize>cells << 3; at < end; at += 8) {
    const noise = load<f64>(deviations + at) * load<f64>(deviations + at);
    const more = even ? other * load<f64>(even + at) : 0;
    const ratio = 1 + varianceOf(load<f64>(expected + at), sampling, spread, more) / noise;
    squares += (load<f64>(white + at) * load<f64>(white + at)) / ratio;
    product *= ratio;
    if (product < LARGE) continue;
    logarithms += logarithm(product);
    product = 1;
  }
  return squares + part * (logarithms + logarithm(product));
}

function fillEvenly(out: usize, cells: u32, value: f64): void {
  for (let at: usize = 0, end = <usize>cells << 3; at < end; at += 8) store<f64>(out + at, value);
}

/** The table of independent columns with the margins of a table. @param sums f64[columns] */
function fillIndependent(table: usize, rows: u32, columns: u32, out: usize, sums: usize): void {
  sumColumns(table, rows, columns, sums);
  const total = sumOf(sums, columns);
  const line = <usize>columns << 3;
  for (let row: u32 = 0; row < rows; row++, table += line, out += line) {
    const share = total > 0 ? sumOf(table, columns) / total : 0;
    for (let at: usize = 0; at < line; at += 8) store<f64>(out + at, share * load<f64>(sums + at));
  }
}

function sumColumns(table: usize, rows: u32, columns: u32, sums: usize): void {
  memory.fill(sums, 0, <usize>columns << 3);
  for (let row: u32 = 0; row < rows; row++) addScaled(sums, table + ((<usize>(row * columns)) << 3), 1, columns);
}

function sumOf(values: usize, count: u32): f64 {
  let sum: f64 = 0;
  for (let at: usize = 0, end = <usize>count << 3; at < end; at += 8) sum += load<f64>(values + at);
  return sum;
}
