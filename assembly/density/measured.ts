// What was measured: how far a density is from it, and the updates that bring it closer.
import {
  ALL_CELLS,
  DENSITY_BEST,
  DENSITY_FACTORS,
  DENSITY_LEAST,
  DENSITY_MASS,
  DENSITY_MEASURED,
  DENSITY_PASSED,
  DENSITY_POINTS,
  DENSITY_WEIGHTS,
  MEASURED_BYTES,
  MEASURED_CELL,
  MEASURED_SLACK,
  MEASURED_TABLE,
  MEASURED_TARGETS,
  TABLE_AT,
  TABLE_CELLS,
} from "../density-layout";
import { exponential } from "../elementary";
import { passedOf } from "./density";
import { freshen, freshenAll, scaleCell, scaleTable } from "./weights";

/** Fractions are kept so far from 0 and 1: nothing that is measured shuts points out for good. */
const LEAST: f64 = 1e-6;

// What `look` has found: the table of some answers, with its cells and the mass of all points; the answers, as
// fractions; which cell they are of, if one; and by how much they may be missed.
let table: usize = 0;
let cells: usize = 0;
let mass: f64 = 0;
let targets: usize = 0;
let cell: u32 = 0;
let slack: f64 = 0;

/** Brings the table of what was measured up to date. */
function look(density: usize, measured: usize): void {
  table = load<u32>(measured, MEASURED_TABLE);
  freshen(density, table);
  cells = load<u32>(table, TABLE_AT);
  mass = load<f64>(density, DENSITY_MASS);
  targets = load<u32>(measured, MEASURED_TARGETS);
  cell = load<u32>(measured, MEASURED_CELL);
  slack = load<f64>(measured, MEASURED_SLACK);
}

export function measuredAt(density: usize, index: u32): usize {
  return <usize>load<u32>(density, DENSITY_MEASURED) + <usize>index * MEASURED_BYTES;
}

/** The largest error of the answers, of cells that have points. */
export function errorOf(density: usize, measured: usize): f64 {
  look(density, measured);
  if (cell != ALL_CELLS) return cellError(load<f64>(cells + (<usize>cell << 3)), mass, load<f64>(targets), slack);
  let most: f64 = 0;
  for (let at: usize = 0, end = (<usize>load<u32>(table, TABLE_CELLS)) << 3; at < end; at += 8)
    most = max(most, cellError(load<f64>(cells + at), mass, load<f64>(targets + at), slack));
  return most;
}

@inline
function cellError(sum: f64, mass: f64, target: f64, slack: f64): f64 {
  return sum > 0 ? max(0, abs(target - sum / mass) - slack) : 0;
}

/** The fraction nearest to an answer that agrees with what was measured. */
@inline
function wanted(answer: f64, target: f64, slack: f64): f64 {
  return min(1 - LEAST, max(LEAST, min(target + slack, max(target - slack, answer))));
}

/** Adds the present density to the mean of all iterates. */
export function addIterate(density: usize): void {
  store<f64>(density, passedOf(density) + 1 / load<f64>(density, DENSITY_MASS), DENSITY_PASSED);
}

/** Keeps the present density if its error about what was measured next is the least so far. */
export function compareIterate(density: usize, error: f64): void {
  const best = load<u32>(density, DENSITY_BEST);
  if (!best || error >= load<f64>(density, DENSITY_LEAST)) return;
  store<f64>(density, error, DENSITY_LEAST);
  memory.copy(best, load<u32>(density, DENSITY_WEIGHTS), (<usize>load<u32>(density, DENSITY_POINTS)) << 3);
}

/** Multiplies weights by e^(error ÷ 2) of their cell, `repeats` times, with what is left of the error each time. */
export function multiply(density: usize, measured: usize, repeats: u32): void {
  look(density, measured);
  if (cell != ALL_CELLS) {
    let factor: f64 = 1;
    let answer = load<f64>(cells + (<usize>cell << 3)) / mass;
    for (let left = repeats; left; left--) {
      const step = exponential((wanted(answer, load<f64>(targets), slack) - answer) / 2);
      factor *= step;
      answer = (step * answer) / (1 + (step - 1) * answer);
    }
    return scaleCell(density, table, cell, factor);
  }
  const bytes = (<usize>load<u32>(table, TABLE_CELLS)) << 3;
  const factors = <usize>load<u32>(density, DENSITY_FACTORS);
  const answers = factors + bytes;
  for (let at: usize = 0; at < bytes; at += 8) {
    store<f64>(factors + at, 1);
    store<f64>(answers + at, load<f64>(cells + at) / mass);
  }
  for (let left = repeats; left; left--) {
    let sum: f64 = 0;
    for (let at: usize = 0; at < bytes; at += 8) {
      const before = load<f64>(answers + at);
      const step = exponential((wanted(before, load<f64>(targets + at), slack) - before) / 2);
      store<f64>(factors + at, load<f64>(factors + at) * step);
      const answer = before * step;
      store<f64>(answers + at, answer);
      sum += answer;
    }
    for (let at: usize = 0; at < bytes; at += 8) store<f64>(answers + at, load<f64>(answers + at) / sum);
  }
  scaleTable(density, table, factors);
}

/** Scales weights so that the answers are those that were measured, and changes nothing else about them. */
export function project(density: usize, measured: usize): void {
  look(density, measured);
  if (cell != ALL_CELLS) {
    const answer = inside(load<f64>(cells + (<usize>cell << 3)) / mass);
    const target = wanted(answer, load<f64>(targets), slack);
    return scaleCell(density, table, cell, (target * (1 - answer)) / ((1 - target) * answer));
  }
  const factors = <usize>load<u32>(density, DENSITY_FACTORS);
  for (let at: usize = 0, end = (<usize>load<u32>(table, TABLE_CELLS)) << 3; at < end; at += 8) {
    const sum = load<f64>(cells + at);
    const target = wanted(sum / mass, load<f64>(targets + at), slack);
    store<f64>(factors + at, sum > 0 ? (target * mass) / sum : 1);
  }
  scaleTable(density, table, factors);
}

@inline
function inside(fraction: f64): f64 {
  return min(1 - LEAST, max(LEAST, fraction));
}

/** Σ (error)² over the first `count` answers, or sets of answers. */
export function densityLoss(density: usize, count: u32): f64 {
  let loss: f64 = 0;
  freshenAll(density, true);
  for (let index: u32 = 0; index < count; index++) {
    look(density, measuredAt(density, index));
    const isOne = cell != ALL_CELLS;
    const first = cells + (isOne ? <usize>cell << 3 : 0);
    const bytes = (<usize>(isOne ? 1 : load<u32>(table, TABLE_CELLS))) << 3;
    for (let at: usize = 0; at < bytes; at += 8) {
      const error = load<f64>(targets + at) - load<f64>(first + at) / mass;
      loss += error * error;
    }
  }
  return loss;
}
