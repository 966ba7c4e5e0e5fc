// Which interactions and marginals to measure, and how precisely, so that a workload of marginals, reconstructed from
// them by least squares, has the least squared error.
import type { Components, Told } from "../estimate/components.js";

/** A marginal of a workload, and what its squared error is multiplied by. */
export interface WeightedSet {
  /** Ascending. */
  readonly columns: readonly number[];
  readonly weight: number;
}

/** A table that may be measured. */
export interface Candidate extends Told {
  /** What it costs for the same noise on each answer, in rows, as a multiple of what a marginal costs. */
  readonly cost: number;
}

/** The strategy's error is above the least by no more than this part of it. */
const TOLERANCE = 1e-3;
const MOST_STEPS = 500;
/** A table that has less than this part of the mean is left out if others say all that it does. */
const NEGLIGIBLE = 0.01;

/** How much each component's variance adds to the sum of the workload's weighted squared errors. */
function errorsOf(workload: readonly WeightedSet[], components: Components): Float64Array {
  const errors = new Float64Array(components.degrees.length);
  for (const { columns, weight } of workload) {
    const each = weight / components.cellsOf(columns);
    for (const component of components.within(columns)) errors[component] += components.degrees[component] * each;
  }
  return errors;
}

/**
 * The part of the budget for each candidate with which the error is least; all parts sum to 1. Each part is multiplied
 * by the root of what more of it would gain, relative to the mean, which never makes the error larger. Where every
 * component is told by one candidate, the first step is the last: it ends at the roots of error weight times price
 * (Xiao, He, Zhang and Kifer, "An optimal and scalable matrix mechanism for noisy marginals under convex loss
 * functions", NeurIPS 2023).
 */
export function bestParts(
  candidates: readonly Candidate[],
  workload: readonly WeightedSet[],
  components: Components,
): number[] {
  const errors = errorsOf(workload, components);
  const tellers = candidates.map(({ columns, centred, cost }) => ({
    price: cost * components.cellsOf(columns),
    told: components.within(columns, centred).filter((at) => errors[at]),
  }));
  let parts = normalised(tellers.map(({ price }) => Math.sqrt(price)));
  for (let step = 0; step < MOST_STEPS; step++) {
    const precisions = new Float64Array(errors.length);
    for (const [at, { price, told }] of tellers.entries())
      for (const component of told) precisions[component] += parts[at] / price;
    const error = errors.reduce((sum, own, at) => sum + (own && own / precisions[at]), 0);
    const slopes = errors.map((own, at) => own && own / precisions[at] ** 2);
    const gains = tellers.map(({ price, told }) => told.reduce((sum, at) => sum + slopes[at], 0) / price);
    if (gains.every((gain) => gain <= (1 + TOLERANCE) * error)) break;
    parts = normalised(parts.map((part, at) => part * Math.sqrt(gains[at] / error)));
  }
  return withoutNegligible(
    parts,
    tellers.map(({ told }) => told),
  );
}

/**
 * The least weighted squared error that Gaussian noise can have with a budget for which a cell of one marginal would
 * have precision 1: each component measured alone.
 */
export function leastError(workload: readonly WeightedSet[], components: Components): number {
  const errors = errorsOf(workload, components);
  const prices = components.prices();
  return errors.reduce((sum, error, at) => sum + Math.sqrt(error * prices[at]), 0) ** 2;
}

function normalised(parts: readonly number[]): number[] {
  const sum = parts.reduce((a, b) => a + b);
  return parts.map((part) => part / sum);
}

/** @param told the components that each tells, all of which have to be told by some that are left */
function withoutNegligible(parts: readonly number[], told: readonly (readonly number[])[]): number[] {
  const isWorthIt = (part: number) => part * parts.length >= NEGLIGIBLE;
  const kept = new Set(told.flatMap((components, at) => (isWorthIt(parts[at]) ? components : [])));
  return normalised(
    parts.map((part, at) => (isWorthIt(part) || !told[at].every((component) => kept.has(component)) ? part : 0)),
  );
}
