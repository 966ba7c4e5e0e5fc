// Weights of points, and the marginals that follow them.
import {
  DENSITY_CODES,
  DENSITY_LEAST,
  DENSITY_LISTS,
  DENSITY_MASS,
  DENSITY_PASSED,
  DENSITY_POINTS,
  DENSITY_SCRATCH,
  DENSITY_SUMS,
  DENSITY_UPDATES,
  DENSITY_WEIGHTS,
  DENSITY_WIDTH,
  TABLE_AT,
  TABLE_CELLS,
  TABLE_FREE,
  TABLE_IS_FRESH,
  TABLE_IS_MEASURED,
  TABLE_OFFSET,
} from "../density-layout";
import { rounded } from "../elementary";
import { scaleCellOfAll, scaleTableOfAll } from "./all-points";
import { axisOf, orderOf, passedOf, tableAt, tableCount } from "./density";
import { addMarginals } from "./elimination";
import { scaleOther } from "./other-tables";
import { addChangesOfRows, addUpRows, scaleCellOfRows, scaleTableOfRows } from "./given-rows";

/** After so many updates, or where their sum leaves this range, weights are scaled to 1, and tables added up anew. */
const MOST_UPDATES: u32 = 1000;
const MOST_MASS: f64 = 1e18;
const MOST_COUNT: f64 = 1073741824;

/** Gives all points the weight 1. Nothing of earlier updates remains. */
export function densityOpen(density: usize): void {
  const bytes = (<usize>load<u32>(density, DENSITY_POINTS)) << 3;
  const weights = <usize>load<u32>(density, DENSITY_WEIGHTS);
  for (let at: usize = 0; at < bytes; at += 8) store<f64>(weights + at, 1);
  if (load<u32>(density, DENSITY_SUMS)) memory.fill(load<u32>(density, DENSITY_SUMS), 0, bytes);
  store<f64>(density, <f64>load<u32>(density, DENSITY_POINTS), DENSITY_MASS);
  store<f64>(density, 0, DENSITY_PASSED);
  store<f64>(density, Infinity, DENSITY_LEAST);
  store<u32>(density, 0, DENSITY_UPDATES);
  spoil(density);
}

/**
 * Multiplies the weights of a cell's points by a factor. Other tables are brought up to date where that takes less time
 * than adding them up again.
 * @param factor 0 or more
 */
export function scaleCell(density: usize, table: usize, cell: u32, factor: f64): void {
  freshen(density, table);
  const change = (factor - 1) * load<f64>(<usize>load<u32>(table, TABLE_AT) + (<usize>cell << 3));
  if (load<u32>(density, DENSITY_CODES)) {
    scaleCellOfRows(density, table, cell, factor);
    for (let index: u32 = 0; index < tableCount(density); index++) {
      const other = tableAt(density, index);
      if (!load<u32>(other, TABLE_IS_FRESH)) continue;
      if (load<u32>(other, TABLE_IS_MEASURED)) addChangesOfRows(density, other);
      else store<u32>(other, 0, TABLE_IS_FRESH);
    }
  } else scaleCellOfAll(density, table, cell, factor);
  settle(density, load<f64>(density, DENSITY_MASS) + change);
}

/**
 * Multiplies each point's weight by the factor of its cell. Tables that have all axes of this one are scaled with it.
 * @param factors f64[cells], 0 or more
 */
export function scaleTable(density: usize, table: usize, factors: usize): void {
  freshen(density, table);
  if (load<u32>(density, DENSITY_CODES)) scaleTableOfRows(density, table, factors);
  else scaleTableOfAll(density, table, factors);
  for (let index: u32 = 0; index < tableCount(density); index++) {
    const other = tableAt(density, index);
    if (load<u32>(other, TABLE_IS_FRESH) && !scaleOther(density, other, table, factors))
      store<u32>(other, 0, TABLE_IS_FRESH);
  }
  let at = <usize>load<u32>(table, TABLE_AT);
  let mass: f64 = 0;
  for (const end = at + ((<usize>load<u32>(table, TABLE_CELLS)) << 3); at < end; at += 8) mass += load<f64>(at);
  settle(density, mass);
}

/** Brings a table up to date. */
export function freshen(density: usize, table: usize): void {
  if (load<u32>(table, TABLE_IS_FRESH)) return;
  const list = <usize>load<u32>(density, DENSITY_LISTS);
  addUp(density, list, addUpOrList(density, table, list));
}

/** Brings all tables up to date, or those that are measured: what they have in common is added up once. */
export function freshenAll(density: usize, isMeasured: bool): void {
  const list = <usize>load<u32>(density, DENSITY_LISTS);
  let end = list;
  for (let index: u32 = 0; index < tableCount(density); index++) {
    const table = tableAt(density, index);
    if (load<u32>(table, TABLE_IS_FRESH) || (isMeasured && !load<u32>(table, TABLE_IS_MEASURED))) continue;
    end = addUpOrList(density, table, end);
  }
  addUp(density, list, end);
}

/** Adds given rows up in a table, or lists the table. Returns the end of the list. */
function addUpOrList(density: usize, table: usize, end: usize): usize {
  memory.fill(load<u32>(table, TABLE_AT), 0, (<usize>load<u32>(table, TABLE_CELLS)) << 3);
  store<u32>(table, 1, TABLE_IS_FRESH);
  if (load<u32>(density, DENSITY_CODES)) {
    addUpRows(density, table);
    return end;
  }
  let axes: u32 = 0;
  for (let place: u32 = 0; place < orderOf(table); place++) axes |= 1 << axisOf(table, place);
  store<u32>(table, axes, TABLE_FREE);
  store<u32>(table, 0, TABLE_OFFSET);
  store<u32>(end, <u32>table);
  return end + 4;
}

/** Adds all points up in listed tables. */
function addUp(density: usize, list: usize, end: usize): void {
  const axes: u32 = (1 << load<u32>(density, DENSITY_WIDTH)) - 1;
  addMarginals(density, load<u32>(density, DENSITY_WEIGHTS), axes, 1, load<u32>(density, DENSITY_SCRATCH), list, end);
}

/**
 * Answers of tables, one after the other, as whole counts of a table with `total` rows, 0 … 2^30.
 * @param tables u32[count]: pointers to TABLEs
 * @param out i32[], for the cells of all
 */
export function densityAnswers(density: usize, tables: usize, count: u32, total: f64, out: usize): void {
  const scale = total / load<f64>(density, DENSITY_MASS);
  freshenAll(density, false);
  for (const last = tables + (<usize>count << 2); tables < last; tables += 4) {
    const table = <usize>load<u32>(tables);
    let at = <usize>load<u32>(table, TABLE_AT);
    for (const end = at + ((<usize>load<u32>(table, TABLE_CELLS)) << 3); at < end; at += 8, out += 4)
      store<i32>(out, <i32>min<f64>(MOST_COUNT, max<f64>(0, rounded(scale * load<f64>(at)))));
  }
}

function spoil(density: usize): void {
  for (let index: u32 = 0; index < tableCount(density); index++) store<u32>(tableAt(density, index), 0, TABLE_IS_FRESH);
}

/** Takes on the sum of all weights. Rounding errors of updates never add up to more than those of a thousand. */
function settle(density: usize, mass: f64): void {
  const updates = load<u32>(density, DENSITY_UPDATES) + 1;
  store<f64>(density, mass, DENSITY_MASS);
  store<u32>(density, updates, DENSITY_UPDATES);
  if (updates <= MOST_UPDATES && mass < MOST_MASS && mass * MOST_MASS > 1) return;
  const weights = <usize>load<u32>(density, DENSITY_WEIGHTS);
  const end = weights + ((<usize>load<u32>(density, DENSITY_POINTS)) << 3);
  let sum: f64 = 0;
  for (let at = weights; at < end; at += 8) sum += load<f64>(at);
  const scale = 1 / sum;
  for (let at = weights; at < end; at += 8) store<f64>(at, load<f64>(at) * scale);
  store<f64>(density, 1, DENSITY_MASS);
  store<f64>(density, passedOf(density) * sum, DENSITY_PASSED);
  store<u32>(density, 0, DENSITY_UPDATES);
  spoil(density);
}
