// Fits a junction tree to noisy marginals: the distribution whose marginals have the least squared error, by mirror
// descent over the log-potentials (McKenna, Sheldon and Miklau, "Graphical-model based estimation and inference for
// differential privacy", ICML 2019, Algorithm 1), with momentum that is dropped where it does not help.
import {
  DESCENT_ANSWERS,
  DESCENT_CELLS,
  DESCENT_CHECKED,
  DESCENT_CLIQUES,
  DESCENT_CURRENT,
  DESCENT_ENOUGH,
  DESCENT_FACTORS,
  DESCENT_LOSS,
  DESCENT_MARGINALS,
  DESCENT_MOMENTUM,
  DESCENT_MOST,
  DESCENT_POTENTIALS,
  DESCENT_RATE,
  DESCENT_STEPS,
  DESCENT_STREAK,
  DESCENT_TOLERANCE,
  DESCENT_TREES,
  DESCENT_WEIGHTS,
} from "../graphical-layout";
import { SEARCH_LIMIT, SEARCH_RUNNING, SEARCH_SETTLED } from "../layout";
import { exponentialPairs, exponentialOf } from "../lanes";
import { propagate } from "./propagation";

/** The rate grows by this factor after a step that was taken, and shrinks after one that was not. */
const FASTER: f64 = 1.05;
const SLOWER: f64 = 0.5;
/** A fit has settled once so many steps together gain little, unless all were taken: longer ones then gain more. */
const PATIENCE: u32 = 10;
/** No step changes a log-potential by more. */
const MOST_CHANGE: f64 = 50;
/** No cell starts with a smaller log-potential. */
const LEAST_POTENTIAL: f64 = -300;

/**
 * Takes at most so many steps.
 * @param descent a DESCENT; at first its loss is NaN, and its current copy is calibrated, to which the first call adds
 * the log-potentials, none above 0
 * @returns a status of a search
 */
export function descendMirror(descent: usize, steps: u32): i32 {
  if (isNaN(load<f64>(descent, DESCENT_LOSS))) {
    begin(descent);
    const loss = squaredError(descent, load<u32>(descent, DESCENT_CURRENT));
    store<f64>(descent, loss, DESCENT_LOSS);
    store<f64>(descent, loss, DESCENT_CHECKED);
  }
  for (; steps > 0; steps--) {
    const tried = load<u32>(descent, DESCENT_STEPS);
    if (tried >= load<u32>(descent, DESCENT_MOST)) return SEARCH_LIMIT;
    store<u32>(descent, tried + 1, DESCENT_STEPS);
    step(descent);
    if (load<f64>(descent, DESCENT_LOSS) <= load<f64>(descent, DESCENT_ENOUGH)) return SEARCH_SETTLED;
    if (tried % PATIENCE != PATIENCE - 1) continue;
    const loss = load<f64>(descent, DESCENT_LOSS);
    const before = load<f64>(descent, DESCENT_CHECKED);
    store<f64>(descent, loss, DESCENT_CHECKED);
    if (load<u32>(descent, DESCENT_STREAK) >= PATIENCE) continue;
    if (before - loss <= load<f64>(descent, DESCENT_TOLERANCE) * loss) return SEARCH_SETTLED;
  }
  return SEARCH_RUNNING;
}

/** Multiplies the tree by the log-potentials. */
function begin(descent: usize): void {
  let potential = load<usize>(descent, DESCENT_POTENTIALS);
  let factor = load<usize>(descent, DESCENT_FACTORS);
  for (const end = factor + ((<usize>load<u32>(descent, DESCENT_CELLS)) << 3); factor < end; factor += 8) {
    store<f64>(factor, exponentialOf(max<f64>(LEAST_POTENTIAL, load<f64>(potential))));
    potential += 8;
  }
  const current = load<u32>(descent, DESCENT_CURRENT);
  propagate(load<usize>(descent + (<usize>current << 2), DESCENT_TREES), load<u32>(descent, DESCENT_CLIQUES));
  store<u32>(descent, 1 - current, DESCENT_CURRENT);
}

/** Tries a step, which becomes the fit if the loss falls by enough. */
function step(descent: usize): void {
  const current = load<u32>(descent, DESCENT_CURRENT);
  const streak = load<u32>(descent, DESCENT_STREAK);
  const rate = load<f64>(descent, DESCENT_RATE);
  changeCells(descent, current, rate, momentumOf(streak), momentumOf(streak + 1));
  const tree = load<usize>(descent + (<usize>current << 2), DESCENT_TREES);
  propagate(tree, load<u32>(descent, DESCENT_CLIQUES));
  const loss = squaredError(descent, 1 - current);
  const least = load<f64>(descent, DESCENT_LOSS) - (streak ? 0 : 0.5 * rate * expectedFall(descent, current));
  if (loss <= least) {
    keepStep(descent, current, rate, momentumOf(streak), momentumOf(streak + 1));
    store<u32>(descent, 1 - current, DESCENT_CURRENT);
    store<u32>(descent, streak + 1, DESCENT_STREAK);
    store<f64>(descent, loss, DESCENT_LOSS);
    store<f64>(descent, rate * FASTER, DESCENT_RATE);
  } else {
    store<u32>(descent, 0, DESCENT_STREAK);
    store<f64>(descent, rate * SLOWER, DESCENT_RATE);
  }
}

/** The part of a step that the next one repeats (Nesterov 1983). */
// @ts-ignore: decorator
@inline
function momentumOf(streak: u32): f64 {
  return <f64>streak / <f64>(streak + 3);
}

/**
 * The step of the log-potentials: down the slope at the present point, which lies ahead of the last one by its
 * momentum, and then ahead again.
 */
function changeCells(descent: usize, current: u32, rate: f64, held: f64, ahead: f64): void {
  let marginal = load<usize>(descent + (<usize>current << 2), DESCENT_MARGINALS);
  let answer = load<usize>(descent, DESCENT_ANSWERS);
  let weight = load<usize>(descent, DESCENT_WEIGHTS);
  let momentum = load<usize>(descent, DESCENT_MOMENTUM);
  let factor = load<usize>(descent, DESCENT_FACTORS);
  const end = factor + ((<usize>load<u32>(descent, DESCENT_CELLS)) << 3);
  const again = held * ahead;
  const onwards = rate * (1 + ahead);
  if (ASC_FEATURE_SIMD) {
    const repeated = f64x2.splat(again);
    const rates = f64x2.splat(onwards);
    const most = f64x2.splat(MOST_CHANGE);
    for (const pairs = end - 8; factor < pairs; factor += 16) {
      const error = f64x2.sub(v128.load(marginal), v128.load(answer));
      const slope = f64x2.mul(v128.load(weight), error);
      let change = f64x2.sub(f64x2.mul(repeated, v128.load(momentum)), f64x2.mul(rates, slope));
      change = f64x2.pmin(most, f64x2.pmax(f64x2.neg(most), change));
      v128.store(factor, exponentialPairs(change));
      marginal += 16;
      answer += 16;
      weight += 16;
      momentum += 16;
    }
  }
  for (; factor < end; factor += 8) {
    const slope = load<f64>(weight) * (load<f64>(marginal) - load<f64>(answer));
    const change = again * load<f64>(momentum) - onwards * slope;
    store<f64>(factor, exponentialOf(min<f64>(MOST_CHANGE, max<f64>(-MOST_CHANGE, change))));
    marginal += 8;
    answer += 8;
    weight += 8;
    momentum += 8;
  }
}

/** The step that was taken, and what it adds to the log-potentials: the part ahead, less what was ahead before. */
function keepStep(descent: usize, before: u32, rate: f64, held: f64, ahead: f64): void {
  let marginal = load<usize>(descent + (<usize>before << 2), DESCENT_MARGINALS);
  let answer = load<usize>(descent, DESCENT_ANSWERS);
  let weight = load<usize>(descent, DESCENT_WEIGHTS);
  let momentum = load<usize>(descent, DESCENT_MOMENTUM);
  let potential = load<usize>(descent, DESCENT_POTENTIALS);
  const end = momentum + ((<usize>load<u32>(descent, DESCENT_CELLS)) << 3);
  for (; momentum < end; momentum += 8, marginal += 8, answer += 8, weight += 8, potential += 8) {
    const slope = load<f64>(weight) * (load<f64>(marginal) - load<f64>(answer));
    const step = held * load<f64>(momentum) - rate * slope;
    store<f64>(potential, load<f64>(potential) + ahead * step - rate * slope);
    store<f64>(momentum, step);
  }
}

/** ½ Σ weight·(marginal − answer)². */
function squaredError(descent: usize, copy: u32): f64 {
  let marginal = load<usize>(descent + (<usize>copy << 2), DESCENT_MARGINALS);
  let answer = load<usize>(descent, DESCENT_ANSWERS);
  let weight = load<usize>(descent, DESCENT_WEIGHTS);
  let sum: f64 = 0;
  for (const end = marginal + ((<usize>load<u32>(descent, DESCENT_CELLS)) << 3); marginal < end; marginal += 8) {
    const error = load<f64>(marginal) - load<f64>(answer);
    sum += load<f64>(weight) * error * error;
    answer += 8;
    weight += 8;
  }
  return sum / 2;
}

/** Σ slope·(marginal before − marginal afterwards). */
function expectedFall(descent: usize, before: u32): f64 {
  let marginal = load<usize>(descent + (<usize>before << 2), DESCENT_MARGINALS);
  let after = load<usize>(descent + ((<usize>(1 - before)) << 2), DESCENT_MARGINALS);
  let answer = load<usize>(descent, DESCENT_ANSWERS);
  let weight = load<usize>(descent, DESCENT_WEIGHTS);
  let sum: f64 = 0;
  for (const end = marginal + ((<usize>load<u32>(descent, DESCENT_CELLS)) << 3); marginal < end; marginal += 8) {
    const slope = load<f64>(weight) * (load<f64>(marginal) - load<f64>(answer));
    sum += slope * (load<f64>(marginal) - load<f64>(after));
    after += 8;
    answer += 8;
    weight += 8;
  }
  return sum;
}
