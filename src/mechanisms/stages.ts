import { Estimates } from "../estimate/estimates.js";
import { grouped, resolution } from "../estimate/grouping.js";
import type { Schedule } from "../privacy/plan.js";
import type { Measurement } from "../queries/measurement.js";
import { cellsIn, type Query, queryOf, shapesOf } from "../queries/query.js";
import type { Attribute } from "../schema/schema.js";
import type { FirstAnswers, SharedQuery } from "./mechanism.js";

// Two stages for a workload that will be estimated from one-ways and interactions: one-ways first; then, by what they say about the
// number of rows and where they are, more of the one-ways, and the workload at the resolution that is worth measuring.

/** Shares of one-ways are whole steps of this part of what there is. */
const STEPS = 40;
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
  const sides = { workload: termsOf(workload, attributes), oneWays: termsOf(oneWays, attributes) };
  const unknown = { known: 0, shapeOf: ({ sizes }: Terms) => sizes, kept: FIRST_KEPT, most: Number.POSITIVE_INFINITY };
  const step = bestStep(1, (part) => predictedError({ ...sides, ...unknown, part }));
  return {
    first: oneWays.map((query) => ({ query, weight: step })),
    second: {
      queries: workload,
      weight: (STEPS - step) * oneWays.length,
      rule: RULE,
      leastShare: 1 / (STEPS * Math.max(workload.length, oneWays.length)),
    },
  };
}

/** The second stage. Post-processing of the first stage's answers: nothing here is charged. */
export function secondStage({ workload, attributes, measurements, total, left }: FirstAnswers): SharedQuery[] {
  const oneWays = measurements.map(({ query }) => query);
  const sides = { workload: termsOf(workload, attributes), oneWays: termsOf(oneWays, attributes) };
  const unit = unitVariance(measurements[0], sides.oneWays[0], (1 - left) / oneWays.length);
  const share = (part: number) => (1 - part) / workload.length;
  const sigmaAt = ({ partitions }: Terms, part: number) => Math.sqrt((unit * partitions) / (left * share(part)));
  const seen = {
    known: (1 - left) / left,
    kept: SECOND_KEPT,
    most: (MOST_INTERACTION * total) / Math.sqrt(unit / left),
  };
  const step = bestStep(0, (part) => {
    const shapeOf = (terms: Terms) => resolution(terms.query, attributes, total, sigmaAt(terms, part));
    return predictedError({ ...sides, ...seen, part, shapeOf });
  });
  const part = step / STEPS;
  const counts = new Estimates(measurements, attributes, total).oneWays();
  return [
    ...(step ? oneWays.map((query) => ({ query, share: part / oneWays.length })) : []),
    ...sides.workload.map((terms) => ({
      query: grouped(terms.query, attributes, counts, total, sigmaAt(terms, part)),
      share: share(part),
    })),
  ];
}

/** The variance of the noise that the whole budget, spent on one partition, would leave. */
function unitVariance({ sigma2 }: Measurement, { partitions }: Terms, share: number): number {
  return (sigma2 * share) / partitions;
}

/** The step from `first` up whose share of the whole has the least error. */
function bestStep(first: number, error: (share: number) => number): number {
  let best = first;
  let least = Number.POSITIVE_INFINITY;
  for (let step = first; step < STEPS; step++) {
    const found = error(step / STEPS);
    if (found >= least) continue;
    least = found;
    best = step;
  }
  return best;
}

/** What the error of a query's table follows from. */
interface Terms {
  readonly query: Query;
  /** How many codes its columns have. */
  readonly sizes: readonly number[];
  readonly partitions: number;
}

function termsOf(queries: readonly Query[], attributes: readonly Attribute[]): Terms[] {
  return queries.map((query) => {
    const shapes = shapesOf(query, attributes);
    return { query, sizes: shapes[shapes.length - 1], partitions: shapes.length };
  });
}

/** How what is left of a budget, the whole of 1, is divided. */
interface Division {
  readonly workload: readonly Terms[];
  readonly oneWays: readonly Terms[];
  /** What the one-ways have had already, and what they will have, each evenly; the workload has 1 − part, evenly. */
  readonly known: number;
  readonly part: number;
  /** The sizes of the axes at which a query will be measured. */
  shapeOf(terms: Terms): readonly number[];
  /** Of the noise of an interaction, what is kept; and the most that an interaction can hold. */
  readonly kept: number;
  readonly most: number;
}

/**
 * Σ over the workload of the L1 error to expect, in units of the noise that the whole leaves in one partition: of the one-ways, each
 * averaged over all measurements of its codes by inverse variance, and of the interactions, whose noise is kept in as many directions
 * as their margins have cells.
 */
function predictedError({ workload, oneWays, known, part, shapeOf, kept, most }: Division): number {
  const each = (1 - part) / workload.length;
  const again = (known + part) / oneWays.length;
  const precisions = new Map(oneWays.map(({ query, partitions }) => [query.columns[0], again / partitions]));
  const shapes = workload.map(shapeOf);
  for (const [at, { query, sizes, partitions }] of workload.entries()) {
    const cells = cellsIn(shapes[at]);
    for (const [axis, column] of query.columns.entries())
      if (shapes[at][axis] === sizes[axis])
        precisions.set(column, (precisions.get(column) ?? 0) + (each * sizes[axis]) / (cells * partitions));
  }
  let error = 0;
  for (const [at, { query, sizes, partitions }] of workload.entries()) {
    for (const [axis, column] of query.columns.entries()) error += sizes[axis] / Math.sqrt(precisions.get(column)!);
    if (sizes.length === 1) continue;
    const cells = cellsIn(shapes[at]);
    const directions = shapes[at].reduce((sum, size) => sum + cells / size, 0);
    const noise = kept * Math.sqrt((cells * directions * partitions) / each);
    error += 1 / (1 / noise + 1 / most);
  }
  return error;
}
