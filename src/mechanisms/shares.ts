import { resolution } from "../estimate/grouping.js";
import { cellsIn, type Query, queryOf, shapesOf } from "../queries/query.js";
import type { Attribute } from "../schema/schema.js";

/** A query to be measured, and its part of the budget, 0 to 1. */
export interface SharedQuery {
  readonly query: Query;
  readonly share: number;
}

/** How much of a table's interaction is taken to stand out of the noise. */
const INTERACTION = { first: 0.3, second: Number((globalThis as any).process?.env.INTER ?? 0.5) };
/** Shares of one-ways are whole steps of this part of what there is. */
const STEPS = { first: 200, second: 40 };

/**
 * The first stage of a workload that will be estimated from one-ways and interactions: the columns of its tables, each by itself. One-ways
 * summed from large tables carry the noise of all their cells; and they tell at which resolution, and with how much more of the
 * budget for themselves, the tables are worth measuring. A rule on public facts alone.
 */
export function firstStage(workload: readonly Query[], attributes: readonly Attribute[]): SharedQuery[] {
  const columns = [...new Set(workload.filter(({ columns }) => columns.length > 1).flatMap((query) => query.columns))];
  const oneWays = columns.sort((a, b) => a - b).map((column) => queryOf([column], attributes));
  const whole = (query: Query) => shapesOf(query, attributes).at(-1)!;
  const share = bestShare(STEPS.first, (part) =>
    predictedError({ workload, oneWays, attributes, known: 0, part, interaction: INTERACTION.first, shapeOf: whole }),
  );
  return oneWays.map((query) => ({ query, share: share / oneWays.length }));
}

/**
 * The second stage: the workload's queries and, where that helps, the one-ways once more, with what the first stage left.
 * Post-processing of the first stage's answers.
 * @param spent what the first stage had, 0 to 1
 * @param unit the variance of the noise that the whole budget, spent on one partition, would leave
 */
export function secondStage(
  workload: readonly Query[],
  oneWays: readonly Query[],
  attributes: readonly Attribute[],
  spent: number,
  total: number,
  unit: number,
): SharedQuery[] {
  const left = 1 - spent;
  const share = bestShare(STEPS.second, (part) => {
    const sigma = Math.sqrt((unit * workload.length) / (left * (1 - part)));
    const shapeOf = (query: Query) => resolution(query, attributes, total, sigma * Math.sqrt(shapesOf(query, attributes).length));
    const terms = { workload, oneWays, attributes, known: spent / left, part, interaction: INTERACTION.second, shapeOf, bias: (Number((globalThis as any).process?.env.BIAS ?? 0.2) * total) / Math.sqrt(unit) };
    return predictedError(terms);
  });
  const again = share > 0 ? oneWays.map((query) => ({ query, share: (left * share) / oneWays.length })) : [];
  return [...again, ...workload.map((query) => ({ query, share: (left * (1 - share)) / workload.length }))];
}

/** The share, of equal steps from 0 up, with the least error. */
function bestShare(steps: number, error: (share: number) => number): number {
  let best = 0;
  let least = Number.POSITIVE_INFINITY;
  for (let step = 0; step < steps; step++) {
    const found = error(step / steps);
    if (found >= least) continue;
    least = found;
    best = step / steps;
  }
  return best;
}

interface Division {
  readonly workload: readonly Query[];
  readonly oneWays: readonly Query[];
  readonly attributes: readonly Attribute[];
  /** What the one-ways have already, and what they will have, evenly; the workload has 1 − part, evenly. */
  readonly known: number;
  readonly part: number;
  readonly interaction: number;
  readonly bias?: number;
  /** The sizes of the axes at which a query will be measured. */
  shapeOf(query: Query): readonly number[];
}

/**
 * Σ over the workload of the L1 error to expect, but for a common factor: of the one-ways, each averaged over all measurements of its
 * column by inverse variance, and of the interaction, of which noise in √(Σ sizes) directions is kept.
 */
function predictedError({ workload, oneWays, attributes, known, part, interaction, shapeOf, bias }: Division): number {
  const precisions = new Float64Array(attributes.length);
  const partitions = (query: Query) => shapesOf(query, attributes).length;
  for (const query of oneWays) precisions[query.columns[0]] += (known + part) / (oneWays.length * partitions(query));
  const each = (1 - part) / workload.length;
  const shapes = workload.map(shapeOf);
  for (const [at, query] of workload.entries()) {
    const cells = cellsIn(shapes[at]);
    query.columns.forEach((column, axis) => {
      const size = shapes[at][axis];
      if (size === attributes[column].size) precisions[column] += (each * size) / (cells * partitions(query));
    });
  }
  let error = 0;
  for (const [at, query] of workload.entries()) {
    for (const column of query.columns) error += attributes[column].size / Math.sqrt(precisions[column]);
    if (query.columns.length === 1) continue;
    const directions = shapes[at].reduce((sum, size) => sum + size, 0);
    const noise = interaction * Math.sqrt((cellsIn(shapes[at]) * directions * partitions(query)) / each);
    error += bias ? 1 / (1 / noise + 1 / bias) : noise;
  }
  return error;
}
