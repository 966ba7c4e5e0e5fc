// Reads the QUERY struct of layout.ts.
import {
  AXIS_BYTES,
  AXIS_COLUMN,
  AXIS_FINE,
  AXIS_MISSING,
  AXIS_SIZE,
  AXIS_TREE,
  QUERY_AXES,
  QUERY_BYTES,
  QUERY_CELLS,
  QUERY_KIND,
  QUERY_LEVELS,
  QUERY_ORDER,
  TREE_LEAVES,
} from "../layout";

@inline
export function orderOf(query: usize): u32 {
  return load<u32>(query, QUERY_ORDER);
}

@inline
export function levelsOf(query: usize): u32 {
  return load<u32>(query, QUERY_LEVELS);
}

@inline
export function cellsOf(query: usize): u32 {
  return load<u32>(query, QUERY_CELLS);
}

@inline
export function kindNumberOf(query: usize): u32 {
  return load<u32>(query, QUERY_KIND);
}

/** The size of the struct itself. */
@inline
export function bytesOf(query: usize): u32 {
  return load<u32>(query, QUERY_BYTES);
}

/** u32[]: the additional parameters of queries of its kind, besides columns. */
@inline
export function parametersOf(query: usize): usize {
  return axisOf(query, orderOf(query));
}

@inline
function axisOf(query: usize, axis: u32): usize {
  return query + QUERY_AXES + axis * AXIS_BYTES;
}

@inline
export function columnOf(query: usize, axis: u32): u32 {
  return load<u32>(axisOf(query, axis), AXIS_COLUMN);
}

@inline
export function sizeOf(query: usize, axis: u32): u32 {
  return load<u32>(axisOf(query, axis), AXIS_SIZE);
}

@inline
export function isTree(query: usize, axis: u32): bool {
  return load<u32>(axisOf(query, axis), AXIS_TREE) != 0;
}

@inline
export function hasMissing(query: usize, axis: u32): bool {
  return load<u32>(axisOf(query, axis), AXIS_MISSING) != 0;
}

/** The number of codes, without missing, of a tree column whose rows have finer codes than leaves; otherwise 0. */
@inline
export function fineOf(query: usize, axis: u32): u32 {
  return load<u32>(axisOf(query, axis), AXIS_FINE);
}

/** The number of codes that rows have, missing included. */
@inline
export function codesOf(query: usize, axis: u32): u32 {
  const fine = fineOf(query, axis);
  return fine ? fine + u32(hasMissing(query, axis)) : sizeOf(query, axis);
}

/**
 * What `cellAt` needs of an axis: 2^32 cells per code, rounded up. With at most 2^16 codes the rounding never shows.
 * @param fine as `fineOf` returns it
 */
@inline
export function cellFactor(fine: u32): u64 {
  return fine ? ((<u64>TREE_LEAVES << 32) + fine - 1) / fine : <u64>1 << 32;
}

/** The cell that holds a code of a row. */
@inline
export function cellAt(code: u32, factor: u64): u32 {
  return u32((<u64>code * factor) >> 32);
}

/** The number of cells on the finest level: one for each combination of codes. */
export function finestCells(query: usize): u32 {
  let cells: u32 = 1;
  for (let axis: u32 = 0; axis < orderOf(query); axis++) cells *= sizeOf(query, axis);
  return cells;
}

/** The position of the finest level among the answers, which are stored coarsest first. */
export function finestOffset(query: usize): u32 {
  return cellsOf(query) - finestCells(query);
}
