import type { WeightedQuery } from "../privacy/plan.js";
import { cellsIn, type Query, queryOf, shapesOf } from "../queries/query.js";
import type { Attribute } from "../schema/schema.js";

/** Shares of one-ways are whole steps of this part of the budget. */
const STEPS = 200;

/** How much of a table's interaction is taken to stand out of the noise: the least that is right on tables of 14 and 21 columns at ε = 1. */
const INTERACTION = 0.3;

/**
 * What to measure for a workload that will be estimated from one-ways and interactions: its column sets, all with the same share, and
 * before them each of their columns by itself, where that makes the tables more accurate: one-ways summed from large tables carry the
 * noise of all their cells. A rule on public facts alone: the share of the one-ways that minimises `predictedError`.
 */
export function withOneWays(workload: readonly Query[], attributes: readonly Attribute[]): WeightedQuery[] {
  const tables = workload.filter(({ columns }) => columns.length > 1);
  const listed = new Set(workload.flatMap(({ columns }) => (columns.length === 1 ? columns : [])));
  const columns = [...new Set(tables.flatMap((query) => query.columns))].sort((a, b) => a - b);
  const added = columns.filter((column) => !listed.has(column)).map((column) => queryOf([column], attributes));
  const step = added.length ? bestStep(workload, added, attributes) : 0;
  if (!step) return workload.map((query) => ({ query, weight: 1 }));
  return [
    ...added.map((query) => ({ query, weight: step * workload.length })),
    ...workload.map((query) => ({ query, weight: (STEPS - step) * added.length })),
  ];
}

function bestStep(workload: readonly Query[], added: readonly Query[], attributes: readonly Attribute[]): number {
  const terms = workload.map((query) => termsOf(query, attributes));
  const oneWays = added.map((query) => termsOf(query, attributes));
  let best = 0;
  let least = Number.POSITIVE_INFINITY;
  for (let step = 0; step < STEPS; step++) {
    const error = predictedError(terms, oneWays, attributes.length, step / STEPS);
    if (error >= least) continue;
    least = error;
    best = step;
  }
  return best;
}

/** What the error of a query's table follows from. */
interface Terms {
  readonly columns: readonly number[];
  /** The sizes of its axes. */
  readonly shape: readonly number[];
  readonly cells: number;
  /** Each row is in so many cells of the query: its sensitivity. */
  readonly partitions: number;
}

function termsOf(query: Query, attributes: readonly Attribute[]): Terms {
  const shapes = shapesOf(query, attributes);
  const shape = shapes.at(-1)!;
  return { columns: query.columns, shape, cells: cellsIn(shape), partitions: shapes.length };
}

/**
 * Σ over the workload of the L1 error to expect, but for a common factor: of the one-ways, each averaged over all measurements of its
 * column by inverse variance, and of the interaction, of which noise is kept in as many directions as its margins have cells.
 * @param share the part of the budget that is spent on the added one-ways, evenly; the rest goes evenly to the workload
 */
function predictedError(workload: readonly Terms[], added: readonly Terms[], width: number, share: number): number {
  const precisions = new Float64Array(width);
  const variance = ({ partitions }: Terms, part: number, among: number) => (partitions * among) / part;
  for (const terms of added) if (share > 0) precisions[terms.columns[0]] += 1 / variance(terms, share, added.length);
  for (const terms of workload)
    terms.columns.forEach((column, axis) => {
      const summed = terms.cells / terms.shape[axis];
      precisions[column] += 1 / (summed * variance(terms, 1 - share, workload.length));
    });
  let error = 0;
  for (const terms of workload) {
    terms.columns.forEach((column, axis) => {
      error += terms.shape[axis] / Math.sqrt(precisions[column]);
    });
    if (terms.columns.length === 1) continue;
    const directions = terms.shape.reduce((sum, size) => sum + terms.cells / size, 0);
    error += INTERACTION * Math.sqrt(terms.cells * directions * variance(terms, 1 - share, workload.length));
  }
  return error;
}
