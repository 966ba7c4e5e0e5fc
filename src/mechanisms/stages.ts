import { Estimates } from "../estimate/estimates.js";
import { grouped, resolution } from "../estimate/grouping.js";
import type { Schedule } from "../privacy/plan.js";
import type { Measurement } from "../queries/measurement.js";
import { cellsIn, type Query, queryOf, shapesOf } from "../queries/query.js";
import type { Attribute } from "../schema/schema.js";
import type { FirstAnswers, SharedQuery } from "./mechanism.js";

// Two stages for a workload that will be estimated from one-ways and interactions: one-ways first; then, by what they say about the
// number of rows and where they are, more of the one-ways, and the workload at the resolution that is worth measuring.

/** Shares of one-ways are whole steps of these parts of what there is. */
const FIRST_STEPS = 200;
const SECOND_STEPS = 40;
/** How much of the noise of a table's interaction stays after shrinkage, as long as the number of rows is not known, and then. */
const FIRST_KEPT = 0.3;
const SECOND_KEPT = 1;
/** A table's interaction, as a part of the rows: where its noise is larger, shrinkage drops both. */
const MOST_INTERACTION = 0.5;

const RULE =
  "The workload and, once more, its columns by themselves share the cap so that the error is least that the noisy one-ways let expect; " +
  "tables with more cells than noise leaves readable are measured on groups of codes.";

/**
 * The first stage, the columns of the workload's tables each by itself, and what it leaves. One-ways summed from large tables carry the
 * noise of all their cells. A rule on public facts alone: the share for which `predictedError` is least.
 */
export function twoStages(workload: readonly Query[], attributes: readonly Attribute[]): Schedule {
  const columns = new Set(workload.filter((query) => query.columns.length > 1).flatMap((query) => query.columns));
  if (!columns.size) return { first: workload.map((query) => ({ query, weight: 1 })) };
  const oneWays = [...columns].sort((a, b) => a - b).map((column) => queryOf([column], attributes));
  const whole = (query: Query) => shapesOf(query, attributes).at(-1)!;
  const step = bestStep(1, FIRST_STEPS, (part) =>
    predictedError({ workload, oneWays, attributes, known: 0, part, shapeOf: whole, kept: FIRST_KEPT, most: Infinity }),
  );
  return {
    first: oneWays.map((query) => ({ query, weight: step })),
    second: {
      queries: workload,
      weight: (FIRST_STEPS - step) * oneWays.length,
      rule: RULE,
      leastShare: 1 / (SECOND_STEPS * Math.max(workload.length, oneWays.length)),
    },
  };
}

/** The second stage. Post-processing of the first stage's answers: nothing here is charged. */
export function secondStage({ workload, attributes, measurements, total, left }: FirstAnswers): SharedQuery[] {
  const oneWays = measurements.map(({ query }) => query);
  const known = (1 - left) / left;
  const unit = unitVariance(measurements[0], attributes, (1 - left) / oneWays.length);
  const sigmaAt = (query: Query, share: number) =>
    Math.sqrt((unit * shapesOf(query, attributes).length) / (left * share));
  const share = (part: number) => (1 - part) / workload.length;
  const most = (MOST_INTERACTION * total) / Math.sqrt(unit / left);
  const step = bestStep(0, SECOND_STEPS, (part) => {
    const shapeOf = (query: Query) => resolution(query, attributes, total, sigmaAt(query, share(part)));
    return predictedError({ workload, oneWays, attributes, known, part, shapeOf, kept: SECOND_KEPT, most });
  });
  const part = step / SECOND_STEPS;
  const counts = new Estimates(measurements, attributes, total).oneWays();
  return [
    ...(step ? oneWays.map((query) => ({ query, share: part / oneWays.length })) : []),
    ...workload.map((query) => ({
      query: grouped(query, attributes, counts, total, sigmaAt(query, share(part))),
      share: share(part),
    })),
  ];
}

/** The variance of the noise that the whole budget, spent on one partition, would leave. */
function unitVariance({ query, sigma2 }: Measurement, attributes: readonly Attribute[], share: number): number {
  return (sigma2 * share) / shapesOf(query, attributes).length;
}

/** The step from `first` to `steps` − 1 whose share of the whole has the least error. */
function bestStep(first: number, steps: number, error: (share: number) => number): number {
  let best = first;
  let least = Number.POSITIVE_INFINITY;
  for (let step = first; step < steps; step++) {
    const found = error(step / steps);
    if (found >= least) continue;
    least = found;
    best = step;
  }
  return best;
}

/** How what is left of a budget, the whole of 1, is divided. */
interface Division {
  readonly workload: readonly Query[];
  readonly oneWays: readonly Query[];
  readonly attributes: readonly Attribute[];
  /** What the one-ways have had already, and what they will have, each evenly; the workload has 1 − part, evenly. */
  readonly known: number;
  readonly part: number;
  /** The sizes of the axes at which a query will be measured. */
  shapeOf(query: Query): readonly number[];
  /** Of the noise of an interaction, what is kept; and the most that an interaction can hold. */
  readonly kept: number;
  readonly most: number;
}

/**
 * Σ over the workload of the L1 error to expect, in units of the noise that the whole leaves in one partition: of the one-ways, each
 * averaged over all measurements of its codes by inverse variance, and of the interactions, whose noise is kept in as many directions
 * as their margins have cells.
 */
function predictedError({ workload, oneWays, attributes, known, part, shapeOf, kept, most }: Division): number {
  const variance = (query: Query, share: number) => shapesOf(query, attributes).length / share;
  const each = (1 - part) / workload.length;
  const shapes = workload.map(shapeOf);
  const precisions = new Float64Array(attributes.length);
  for (const query of oneWays) precisions[query.columns[0]] += 1 / variance(query, (known + part) / oneWays.length);
  for (const [at, query] of workload.entries())
    for (const [axis, column] of query.columns.entries()) {
      const size = shapes[at][axis];
      const summed = cellsIn(shapes[at]) / size;
      if (size === attributes[column].size) precisions[column] += 1 / (summed * variance(query, each));
    }
  let error = 0;
  for (const [at, query] of workload.entries()) {
    for (const column of query.columns) error += attributes[column].size / Math.sqrt(precisions[column]);
    if (query.columns.length === 1) continue;
    const directions = shapes[at].reduce((sum, size) => sum + cellsIn(shapes[at]) / size, 0);
    const noise = kept * Math.sqrt(cellsIn(shapes[at]) * directions * variance(query, each));
    error += 1 / (1 / noise + 1 / most);
  }
  return error;
}
