// Reads the structs of a density.
import {
  DENSITY_CODES,
  DENSITY_PASSED,
  DENSITY_SIZES,
  DENSITY_SUMS,
  DENSITY_TABLES,
  DENSITY_TABLE_COUNT,
  DENSITY_WEIGHTS,
  TABLE_AXIS_BYTES,
  TABLE_BYTES,
  TABLE_ORDER,
} from "../density-layout";

@inline
export function tableCount(density: usize): u32 {
  return load<u32>(density, DENSITY_TABLE_COUNT);
}

@inline
export function tableAt(density: usize, index: u32): usize {
  return <usize>load<u32>(<usize>load<u32>(density, DENSITY_TABLES) + (<usize>index << 2));
}

@inline
export function sizeOf(density: usize, axis: u32): u32 {
  return load<u32>(<usize>load<u32>(density, DENSITY_SIZES) + (<usize>axis << 2));
}

/** The codes of given rows on an axis, u16[points]. */
@inline
export function codesOf(density: usize, axis: u32): usize {
  return <usize>load<u32>(<usize>load<u32>(density, DENSITY_CODES) + (<usize>axis << 2));
}

@inline
export function orderOf(table: usize): u32 {
  return load<u32>(table, TABLE_ORDER);
}

@inline
export function axisOf(table: usize, place: u32): u32 {
  return load<u32>(table + TABLE_BYTES + <usize>place * TABLE_AXIS_BYTES);
}

@inline
export function strideOf(table: usize, place: u32): u32 {
  return load<u32>(table + TABLE_BYTES + <usize>place * TABLE_AXIS_BYTES, 4);
}

/** The code that a cell of a table has on one of its axes. */
@inline
export function codeOf(density: usize, table: usize, place: u32, cell: u32): u32 {
  return (cell / strideOf(table, place)) % sizeOf(density, axisOf(table, place));
}

/** How far a point's sum lies behind its weight; 0 where there are no sums. */
export function distanceOfSums(density: usize): usize {
  const sums = load<u32>(density, DENSITY_SUMS);
  return sums ? <usize>(sums - load<u32>(density, DENSITY_WEIGHTS)) : 0;
}

/**
 * The sum of all iterates of a point is its sum here plus its weight times DENSITY_PASSED. So a point whose weight
 * changes by a factor is the only one whose sum changes.
 */
@inline
export function keepSum(sum: usize, weight: f64, factor: f64, passed: f64): void {
  store<f64>(sum, load<f64>(sum) + (1 - factor) * passed * weight);
}

@inline
export function passedOf(density: usize): f64 {
  return load<f64>(density, DENSITY_PASSED);
}
