// The levels of a tree. On a tree axis, interval i of one level is half of interval i >> 1 of the level above.
// "Missing", which is last on every level, is not an interval but obeys the same rule: 2^(l+1) >> 1 = 2^l.
import { isTable } from "./index";
import { finestOffset, hasMissing, isTree, levelsOf, orderOf, sizeOf } from "./query";

/**
 * Overwrites the coarser levels of the answers with sums of the finest, which `answerRows` counted. Only trees have
 * coarser levels.
 * @param query a QUERY
 * @param out i32[cells]: the query's answers, all levels
 */
export function answerLevels(query: usize, out: usize): void {
  if (isTable(query)) sumLevels<i32>(query, out);
}

/** The same for estimates. @param out f64[cells]: the query's estimated answers, all levels */
export function estimateLevels(query: usize, out: usize): void {
  sumLevels<f64>(query, out);
}

function sumLevels<T>(query: usize, out: usize): void {
  let fine = out + finestOffset(query) * sizeof<T>();
  memory.fill(out, 0, fine - out);
  for (let level = levelsOf(query) - 1; level > 0; level--) {
    const coarse = fine - cellsAt(query, level) * sizeof<T>();
    addAcross<T>(query, level, 0, fine, coarse, 0, false);
    fine = coarse;
  }
}

/**
 * Adds to every cell the cells that contain it on all coarser levels, so that the finest level holds sums over all
 * levels.
 * @param query a QUERY
 * @param out i32[cells]: one value per cell, all levels
 */
export function addCoarserLevels(query: usize, out: usize): void {
  let coarse = out;
  for (let level: u32 = 1; level < levelsOf(query); level++) {
    const fine = coarse + (<usize>cellsAt(query, level) << 2);
    addAcross<i32>(query, level, 0, fine, coarse, 0, true);
    coarse = fine;
  }
}

/** The number of codes, or of intervals and "missing", of an axis at a level; level 1 is the coarsest. */
export function widthAt(query: usize, axis: u32, level: u32): u32 {
  return isTree(query, axis) ? (1 << level) + u32(hasMissing(query, axis)) : sizeOf(query, axis);
}

/** The number of cells at a level; level 1 is the coarsest. */
export function cellsAt(query: usize, level: u32): u32 {
  let cells: u32 = 1;
  for (let axis: u32 = 0; axis < orderOf(query); axis++) cells *= widthAt(query, axis, level);
  return cells;
}

/**
 * Walks the cells of the level below `level` in order, starting at `fine`, and adds each to the cell that contains it,
 * or (`down`) the containing cell to it. `cell` is the index of the containing cell on the axes before `axis`. Returns
 * the end of the walk.
 */
function addAcross<T>(query: usize, level: u32, axis: u32, fine: usize, coarse: usize, cell: u32, down: bool): usize {
  if (axis == orderOf(query)) {
    const container = coarse + <usize>cell * sizeof<T>();
    const sum = load<T>(fine) + load<T>(container);
    store<T>(down ? fine : container, sum);
    return fine + sizeof<T>();
  }
  const halving = u32(isTree(query, axis));
  const width = widthAt(query, axis, level);
  for (let index: u32 = 0, end = widthAt(query, axis, level + 1); index < end; index++)
    fine = addAcross<T>(query, level, axis + 1, fine, coarse, cell * width + (index >> halving), down);
  return fine;
}
