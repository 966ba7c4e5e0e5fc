// How far noisy answers correct those of public rows.
import {
  ALL_CELLS,
  DENSITY_MASS,
  DENSITY_POINTS,
  MEASURED_CELL,
  MEASURED_TABLE,
  MEASURED_TARGETS,
  TABLE_AT,
  TABLE_CELLS,
} from "../density-layout";
import { logarithm } from "../elementary";
import { LARGE, LEAST_COUNT, SPREADS, spreadOf } from "../estimate/public-rows";
import { measuredAt } from "./measured";
import { freshen } from "./weights";

/**
 * One more parameter has to raise twice the logarithm of the likelihood by this. Several marginals are measured, and
 * with 6, as `correctPublicTable` has it, noise is taken for evidence in one release of twenty.
 */
const EVIDENCE: f64 = 9;

/** Times a relative variance: how much more than sampling may add to one, ÷ what sampling adds. */
const TIMES: f64 = 1000;

// What was measured: its targets, the answers of the density, times `mass`, how many bytes either have, and whether
// these are all of a table.
let targets: usize = 0;
let answers: usize = 0;
let mass: f64 = 0;
let bytes: usize = 0;
let isWhole: bool = false;
/** What all noisy answers of a table have too much. */
let excess: f64 = 0;
/** The variance of the noise. */
let noise: f64 = 0;

// The variance of a true fraction about the expected one: ÷ it, and ÷ its square. No fraction is taken to be smaller
// than `least`.
let sampling: f64 = 0;
let spread: f64 = 0;
let least: f64 = 0;

/**
 * Replaces noisy answers by what is most likely true, where a density over public rows has followed what was measured
 * before. True answers are taken to be Gaussian about those of the density, with at least the variance that sampling
 * gives them. Several times this variance, and a variance that grows with the square of the answer, are added if the
 * noisy answers give evidence for them.
 * @param index the number of what was measured, whose targets are noisy
 * @param rows how many rows the answers are fractions of
 * @param variance that of the noise, above 0
 */
export function shrinkAnswers(density: usize, index: u32, rows: f64, variance: f64): void {
  look(density, measuredAt(density, index));
  noise = variance;
  least = LEAST_COUNT / rows;
  const once = 1 / rows + 1 / <f64>load<u32>(density, DENSITY_POINTS);
  let lowest: f64 = Infinity;
  let bestSampling: f64 = 0;
  let bestSpread: f64 = 0;
  for (let first: u32 = 0; first <= SPREADS; first++)
    for (let second: u32 = 0; second <= SPREADS; second++) {
      sampling = once * (1 + TIMES * spreadOf(first));
      spread = spreadOf(second);
      const deviance = devianceOf() + EVIDENCE * <f64>(u32(first > 0) + u32(second > 0));
      if (deviance >= lowest) continue;
      lowest = deviance;
      bestSampling = sampling;
      bestSpread = spread;
    }
  sampling = bestSampling;
  spread = bestSpread;
  shrink();
}

function look(density: usize, measured: usize): void {
  const table = <usize>load<u32>(measured, MEASURED_TABLE);
  const cell = load<u32>(measured, MEASURED_CELL);
  freshen(density, table);
  isWhole = cell == ALL_CELLS;
  targets = load<u32>(measured, MEASURED_TARGETS);
  answers = <usize>load<u32>(table, TABLE_AT) + (isWhole ? 0 : <usize>cell << 3);
  mass = load<f64>(density, DENSITY_MASS);
  bytes = isWhole ? (<usize>load<u32>(table, TABLE_CELLS)) << 3 : 8;
  excess = isWhole ? -1 : 0;
  if (isWhole) for (let at: usize = 0; at < bytes; at += 8) excess += load<f64>(targets + at);
  excess /= <f64>(bytes >> 3);
}

@inline
function expectedAt(at: usize): f64 {
  return load<f64>(answers + at) / mass;
}

@inline
function varianceOf(expected: f64): f64 {
  return sampling * max<f64>(expected, least) + spread * expected * expected;
}

/** −2 ln of the likelihood of the noisy answers, but for a constant. Cells without public rows say nothing. */
function devianceOf(): f64 {
  let squares: f64 = 0;
  let logarithms: f64 = 0;
  let product: f64 = 1;
  for (let at: usize = 0; at < bytes; at += 8) {
    const expected = expectedAt(at);
    if (!(expected > 0)) continue;
    const variance = varianceOf(expected) * (1 - expected);
    const difference = load<f64>(targets + at) - excess - expected;
    squares += (difference * difference) / (variance + noise);
    product *= 1 + variance / noise;
    if (product < LARGE) continue;
    logarithms += logarithm(product);
    product = 1;
  }
  const cells = <f64>(bytes >> 3);
  return squares + (logarithms + logarithm(product)) * (isWhole ? (cells - 1) / cells : 1);
}

/**
 * Each answer moves towards the noisy one by the part of the difference that is no noise. Those of a whole table keep
 * their sum: the conditional mean, given that the true answers add up to 1.
 */
function shrink(): void {
  if (!isWhole) {
    const expected = expectedAt(0);
    const part = partOf(varianceOf(expected) * (1 - expected));
    return store<f64>(targets, expected + part * (load<f64>(targets) - expected));
  }
  let parts: f64 = 0;
  let moved: f64 = 0;
  for (let at: usize = 0; at < bytes; at += 8) {
    const expected = expectedAt(at);
    if (!(expected > 0)) continue;
    const part = partOf(varianceOf(expected));
    parts += part;
    moved += part * (load<f64>(targets + at) - expected);
  }
  for (let at: usize = 0; at < bytes; at += 8) {
    const expected = expectedAt(at);
    const difference = load<f64>(targets + at) - expected - moved / parts;
    store<f64>(targets + at, expected > 0 ? expected + partOf(varianceOf(expected)) * difference : 0);
  }
}

@inline
function partOf(variance: f64): f64 {
  return variance / (variance + noise);
}
