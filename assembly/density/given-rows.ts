// Updates of a density over given rows, which are found by their codes: comparing eight of them takes less time than
// following a list of rows would.
import { DENSITY_POINTS, DENSITY_SCRATCH, DENSITY_WEIGHTS, TABLE_AT } from "../density-layout";
import { axisOf, codeOf, codesOf, distanceOfSums, keepSum, orderOf, passedOf, strideOf } from "./density";

/** How many rows the last update changed. Scratch has by how much, f64[], and behind the last row's, which: u32[]. */
let found: u32 = 0;
let changes: usize = 0;
let numbers: usize = 0;

/** Multiplies the weights of a cell's rows by a factor. */
export function scaleCellOfRows(density: usize, table: usize, cell: u32, factor: f64): void {
  const points = load<u32>(density, DENSITY_POINTS);
  const weights = <usize>load<u32>(density, DENSITY_WEIGHTS);
  const sums = distanceOfSums(density);
  const passed = passedOf(density);
  changes = <usize>load<u32>(density, DENSITY_SCRATCH);
  numbers = changes + (<usize>points << 3);
  found = 0;
  find(density, table, cell, points);
  for (let at: u32 = 0; at < found; at++) {
    const weight = weights + ((<usize>load<u32>(numbers + (<usize>at << 2))) << 3);
    const old = load<f64>(weight);
    store<f64>(changes + (<usize>at << 3), (factor - 1) * old);
    store<f64>(weight, old * factor);
    if (sums) keepSum(weight + sums, old, factor, passed);
  }
}

/** Brings a table up to date after the last update. */
export function addChangesOfRows(density: usize, table: usize): void {
  const cells = <usize>load<u32>(table, TABLE_AT);
  for (let at: u32 = 0; at < found; at++) {
    const cell = cells + ((<usize>cellOf(density, table, load<u32>(numbers + (<usize>at << 2)))) << 3);
    store<f64>(cell, load<f64>(cell) + load<f64>(changes + (<usize>at << 3)));
  }
}

/** Multiplies each row's weight by the factor of its cell. */
export function scaleTableOfRows(density: usize, table: usize, factors: usize): void {
  const sums = distanceOfSums(density);
  const passed = passedOf(density);
  let cell = placeCells(density, table);
  let weight = <usize>load<u32>(density, DENSITY_WEIGHTS);
  for (const end = weight + ((<usize>load<u32>(density, DENSITY_POINTS)) << 3); weight < end; weight += 8, cell += 4) {
    const factor = load<f64>(factors + ((<usize>load<u32>(cell)) << 3));
    const old = load<f64>(weight);
    store<f64>(weight, old * factor);
    if (sums) keepSum(weight + sums, old, factor, passed);
  }
}

/** Adds the weights of all rows to the cells of a table. */
export function addUpRows(density: usize, table: usize): void {
  const cells = <usize>load<u32>(table, TABLE_AT);
  let cell = placeCells(density, table);
  let weight = <usize>load<u32>(density, DENSITY_WEIGHTS);
  for (const end = weight + ((<usize>load<u32>(density, DENSITY_POINTS)) << 3); weight < end; weight += 8, cell += 4) {
    const at = cells + ((<usize>load<u32>(cell)) << 3);
    store<f64>(at, load<f64>(at) + load<f64>(weight));
  }
}

/** Writes the cell of each row into scratch, u32[points], axis by axis. Returns the pointer to that of the first. */
function placeCells(density: usize, table: usize): usize {
  const points = load<u32>(density, DENSITY_POINTS);
  const out = <usize>load<u32>(density, DENSITY_SCRATCH);
  memory.fill(out, 0, <usize>points << 2);
  for (let place: u32 = 0; place < orderOf(table); place++) {
    const codes = codesOf(density, axisOf(table, place));
    const stride = strideOf(table, place);
    let row: usize = 0;
    if (ASC_FEATURE_SIMD)
      for (; row + 4 <= points; row += 4) {
        const cells = out + (row << 2);
        const steps = i32x4.mul(v128.load16x4_u(codes + (row << 1)), i32x4.splat(stride));
        v128.store(cells, i32x4.add(v128.load(cells), steps));
      }
    for (; row < points; row++) {
      const cell = out + (row << 2);
      store<u32>(cell, load<u32>(cell) + <u32>load<u16>(codes + (row << 1)) * stride);
    }
  }
  return out;
}

@inline
function cellOf(density: usize, table: usize, row: u32): u32 {
  let cell: u32 = 0;
  for (let place: u32 = 0; place < orderOf(table); place++)
    cell += <u32>load<u16>(codesOf(density, axisOf(table, place)) + (<usize>row << 1)) * strideOf(table, place);
  return cell;
}

/** Lists the rows of a cell. */
function find(density: usize, table: usize, cell: u32, points: u32): void {
  const order = orderOf(table);
  let row: u32 = 0;
  if (ASC_FEATURE_SIMD)
    for (; row + 8 <= points; row += 8) {
      let same = i16x8.splat(-1);
      for (let place: u32 = 0; place < order; place++) {
        const codes = v128.load(codesOf(density, axisOf(table, place)) + (<usize>row << 1));
        same = v128.and(same, i16x8.eq(codes, i16x8.splat(<i16>codeOf(density, table, place, cell))));
      }
      for (let mask = i16x8.bitmask(same); mask; mask &= mask - 1) keep(row + ctz(mask));
    }
  for (; row < points; row++) {
    let place: u32 = 0;
    while (
      place < order &&
      load<u16>(codesOf(density, axisOf(table, place)) + (<usize>row << 1)) == codeOf(density, table, place, cell)
    )
      place++;
    if (place == order) keep(row);
  }
}

@inline
function keep(row: u32): void {
  store<u32>(numbers + (<usize>found << 2), row);
  found++;
}
