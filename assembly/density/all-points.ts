// Updates of a density over all combinations of codes. The points of a cell are runs with equal steps between them.
import {
  DENSITY_LISTS,
  DENSITY_SCRATCH,
  DENSITY_WEIGHTS,
  DENSITY_WIDTH,
  MOST_AXES,
  TABLE_FREE,
  TABLE_IS_FRESH,
  TABLE_OFFSET,
} from "../density-layout";
import {
  axisOf,
  codeOf,
  distanceOfSums,
  keepSum,
  orderOf,
  passedOf,
  sizeOf,
  strideOf,
  tableAt,
  tableCount,
} from "./density";
import { addMarginals } from "./elimination";

// u32[MOST_AXES]: the distance between codes of an axis, in points, and the code of each axis that is fixed.
const STEPS = memory.data(4 * MOST_AXES, 4);
const CODES = memory.data(4 * MOST_AXES, 4);
// u32[MOST_AXES][2]: neighbouring free axes as one: how many codes they have together, and the distance between them.
const RUNS = memory.data(8 * MOST_AXES, 4);

let runs: u32 = 0;
let factor: f64 = 1;
let passed: f64 = 0;
let sums: usize = 0;
/** Where the next weight that an update has changed is kept, as it was. */
let kept: usize = 0;
let factors: usize = 0;

/**
 * Multiplies the weights of a cell's points by a factor, and brings all fresh tables up to date: their changes are
 * marginals of the cell's points alone.
 */
export function scaleCellOfAll(density: usize, table: usize, cell: u32, times: f64): void {
  factor = times;
  passed = passedOf(density);
  sums = distanceOfSums(density);
  setSteps(density);
  let fixed: u32 = 0;
  let first: u32 = 0;
  for (let place: u32 = 0; place < orderOf(table); place++) {
    const axis = axisOf(table, place);
    const code = codeOf(density, table, place, cell);
    fixed |= 1 << axis;
    first += code * stepOf(axis);
    store<u32>(CODES + (<usize>axis << 2), code);
  }
  setRuns(density, fixed);
  kept = <usize>load<u32>(density, DENSITY_SCRATCH);
  scaleRuns(0, <usize>load<u32>(density, DENSITY_WEIGHTS) + (<usize>first << 3));
  addChanges(density, fixed);
}

/** Multiplies each point's weight by the factor of its cell. */
export function scaleTableOfAll(density: usize, table: usize, by: usize): void {
  passed = passedOf(density);
  sums = distanceOfSums(density);
  factors = by;
  setSteps(density);
  scaleLines(density, table, 0, 0, 0, <usize>load<u32>(density, DENSITY_WEIGHTS));
}

@inline
function stepOf(axis: u32): u32 {
  return load<u32>(STEPS + (<usize>axis << 2));
}

function setSteps(density: usize): void {
  let step: u32 = 1;
  for (let axis = load<u32>(density, DENSITY_WIDTH); axis-- > 0; ) {
    store<u32>(STEPS + (<usize>axis << 2), step);
    step *= sizeOf(density, axis);
  }
}

function setRuns(density: usize, fixed: u32): void {
  runs = 0;
  let isOpen = false;
  for (let axis: u32 = 0; axis < load<u32>(density, DENSITY_WIDTH); axis++) {
    const isFree = !(fixed & (1 << axis));
    if (isFree) {
      if (!isOpen) {
        store<u32>(RUNS + (<usize>runs << 3), 1);
        runs++;
      }
      const run = RUNS + ((<usize>runs - 1) << 3);
      store<u32>(run, load<u32>(run) * sizeOf(density, axis));
      store<u32>(run, stepOf(axis) << 3, 4);
    }
    isOpen = isFree;
  }
  if (!runs) {
    store<u32>(RUNS, 1);
    store<u32>(RUNS, 0, 4);
    runs = 1;
  }
}

function scaleRuns(run: u32, from: usize): void {
  const count = load<u32>(RUNS + (<usize>run << 3));
  const step = <usize>load<u32>(RUNS + (<usize>run << 3), 4);
  if (run + 1 < runs) {
    for (let code: u32 = 0; code < count; code++, from += step) scaleRuns(run + 1, from);
    return;
  }
  let left = count;
  if (ASC_FEATURE_SIMD && step == 8 && !sums) {
    const times = f64x2.splat(factor);
    for (; left >= 2; left -= 2, from += 16, kept += 16) {
      const pair = v128.load(from);
      v128.store(kept, pair);
      v128.store(from, f64x2.mul(pair, times));
    }
  }
  for (; left; left--, from += step, kept += 8) {
    const weight = load<f64>(from);
    store<f64>(kept, weight);
    store<f64>(from, weight * factor);
    if (sums) keepSum(from + sums, weight, factor, passed);
  }
}

/** Adds the marginals of what was kept, times what it has changed by, to all fresh tables. */
function addChanges(density: usize, fixed: u32): void {
  const list = <usize>load<u32>(density, DENSITY_LISTS);
  let end = list;
  for (let index: u32 = 0; index < tableCount(density); index++) {
    const table = tableAt(density, index);
    if (!load<u32>(table, TABLE_IS_FRESH)) continue;
    let free: u32 = 0;
    let offset: u32 = 0;
    for (let place: u32 = 0; place < orderOf(table); place++) {
      const axis = axisOf(table, place);
      if (fixed & (1 << axis)) offset += load<u32>(CODES + (<usize>axis << 2)) * strideOf(table, place);
      else free |= 1 << axis;
    }
    store<u32>(table, free, TABLE_FREE);
    store<u32>(table, offset, TABLE_OFFSET);
    store<u32>(end, <u32>table);
    end += 4;
  }
  const axes = ((1 << load<u32>(density, DENSITY_WIDTH)) - 1) & ~fixed;
  addMarginals(density, <usize>load<u32>(density, DENSITY_SCRATCH), axes, factor - 1, kept, list, end);
}

/**
 * @param place the table's axis that comes next
 * @param axis the axis that comes next
 */
function scaleLines(density: usize, table: usize, place: u32, axis: u32, cell: u32, from: usize): usize {
  const isOwn = axisOf(table, place) == axis;
  const stride = isOwn ? strideOf(table, place) : 0;
  const isLast = isOwn && place + 1 == orderOf(table);
  const line = <usize>stepOf(axis) << 3;
  for (let left = sizeOf(density, axis); left; left--, cell += stride)
    if (isLast) {
      scaleLine(from, from + line, load<f64>(factors + (<usize>cell << 3)));
      from += line;
    } else from = scaleLines(density, table, isOwn ? place + 1 : place, axis + 1, cell, from);
  return from;
}

@inline
function scaleLine(from: usize, end: usize, times: f64): void {
  if (ASC_FEATURE_SIMD && !sums)
    for (; from + 16 <= end; from += 16) v128.store(from, f64x2.mul(v128.load(from), f64x2.splat(times)));
  for (; from < end; from += 8) {
    const weight = load<f64>(from);
    store<f64>(from, weight * times);
    if (sums) keepSum(from + sums, weight, times, passed);
  }
}
