import { Estimates } from "../estimate/estimates.js";
import { grouped, resolution } from "../estimate/grouping.js";
import { scoreKind } from "../privacy/items.js";
import type { Schedule } from "../privacy/plan.js";
import { cellsOf, type Query, queryOf, shapesOf } from "../queries/query.js";
import type { Attribute } from "../schema/schema.js";
import { bestDivision, type Sides, STEPS, sidesOf, spreadOf, weightOf } from "./division.js";
import type { Expected, FirstAnswers, SecondStage, SharedQuery } from "./mechanism.js";

// Two stages for a workload that will be estimated from one-ways and interactions: one-ways first; then, by what they say about the
// number of rows and where they are, more of the one-ways, a choice of the pairs that are worth measuring, and these at the resolution
// that is.

/** What the first stage has of the budget, in steps: little is enough to divide the rest by, and what one-ways lack then they are given. */
const FIRST_STEPS = 2;

const RULE =
  "The workload and, once more, its columns by themselves share the cap so that the error is least that the noisy one-ways let expect; " +
  "where noise would drown some of the pairs, the others are chosen, by how wrong independent columns would be about them; tables with " +
  "more cells than noise leaves readable are measured on groups of codes.";

/**
 * The first stage, the columns of the workload's tables each by itself, and what it leaves. One-ways summed from large tables carry the
 * noise of all their cells.
 */
export function twoStages(
  workload: readonly Query[],
  candidates: readonly Query[],
  attributes: readonly Attribute[],
): Schedule {
  const columns = new Set(workload.filter((query) => query.columns.length > 1).flatMap((query) => query.columns));
  if (!columns.size) return { first: workload.map((query) => ({ query, weight: 1 })) };
  const oneWays = [...columns].sort((a, b) => a - b).map((column) => queryOf([column], attributes));
  const sides = sidesOf(workload, candidates, oneWays, attributes);
  const weighted = (query: Query) => ({ query, weight: weightOf(query, attributes) });
  return {
    first: sides.oneWays.map(({ query, weight }) => ({ query, weight: FIRST_STEPS * weight })),
    second: {
      queries: atMost(sides, workload, attributes).map(weighted),
      candidates,
      weight: (STEPS - FIRST_STEPS) * sides.oneWaysWeight,
      rule: RULE,
      leastShare: leastShare(sides, workload, attributes),
    },
  };
}

/** What is measured at most: where not all of the candidates can be, the largest. */
function atMost(
  { fixed, candidates, most }: Sides,
  workload: readonly Query[],
  attributes: readonly Attribute[],
): readonly Query[] {
  if (most === candidates.length) return workload;
  const bySize = [...candidates].sort((a, b) => cellsOf(b, attributes) - cellsOf(a, attributes));
  return [...fixed, ...bySize.slice(0, most)];
}

/** A bound below all shares of one step: of the lightest table among as many of the heaviest as can be measured, and of the lightest one-way. */
function leastShare(
  { oneWays, oneWaysWeight, fixed, most }: Sides,
  workload: readonly Query[],
  attributes: readonly Attribute[],
): number {
  const weights = workload.map((query) => weightOf(query, attributes)).sort((a, b) => a - b);
  const ofTables = weights[0] / ((fixed.length + most) * weights[weights.length - 1]);
  const ofOneWays = Math.min(...oneWays.map(({ weight }) => weight)) / oneWaysWeight;
  return Math.min(ofTables, ofOneWays) / STEPS;
}

/** What may be left out of a workload: its pairs, unless it has larger tables. */
export function candidatesOf(workload: readonly Query[]): readonly Query[] {
  return workload.some(({ columns }) => columns.length > 2)
    ? []
    : workload.filter(({ columns }) => columns.length === 2);
}

/** The second stage. Post-processing of what was drawn before each of its steps: nothing here is charged. */
export function secondStage(first: FirstAnswers): SecondStage {
  const { workload, candidates, attributes, measurements, total, left } = first;
  const oneWays = measurements.map(({ query }) => query);
  const sides = sidesOf(workload, candidates, oneWays, attributes);
  const partitionsOf = (query: Query) => shapesOf(query, attributes).length;
  const bought = measurements.reduce((sum, { query, sigma2 }) => sum + partitionsOf(query) / sigma2, 0);
  const unit = (1 - left) / (left * bought);
  const counts = new Estimates(measurements, attributes, total).oneWays();
  const prospect = {
    unit,
    known: (1 - left) / left,
    rows: total,
    spreads: counts.map(spreadOf),
    shapeOf: (query: Query, sigma: number) => resolution(query, attributes, total, sigma),
  };
  const division = bestDivision(sides, prospect);
  const { picks, choice } = division;
  return {
    oneWays: shared(oneWays, division.oneWays, attributes),
    choice: choice
      ? {
          picks,
          share: choice,
          candidates: (seen) => expectedOf(candidates, new Estimates(seen, attributes, total)),
        }
      : undefined,
    tables(chosen, seen) {
      const counts = new Estimates(seen, attributes, total).oneWays();
      const queries = [...sides.fixed, ...(picks ? chosen : [])];
      return shared(queries, division.tables, attributes).map(({ query, share }) => ({
        query: grouped(query, attributes, counts, total, Math.sqrt((unit * partitionsOf(query)) / share)),
        share,
      }));
    },
  };
}

/** A part of the budget divided by weights; none, where there is none. */
function shared(queries: readonly Query[], part: number, attributes: readonly Attribute[]): SharedQuery[] {
  if (!part) return [];
  const weights = queries.map((query) => weightOf(query, attributes));
  const sum = weights.reduce((a, b) => a + b, 0);
  return queries.map((query, at) => ({ query, share: (part * weights[at]) / sum }));
}

/** How much a rounded count of Poisson's law is off on average, where it is expected to be `count`. */
const chance = (count: number): number => Math.min(2 * count, Math.sqrt((2 / Math.PI) * count));

/** The largest integer that a selection's targets may be. */
const MOST_TARGET = 2 ** 30;

/**
 * What independent columns would answer to each candidate: made when asked for, since all of them together may not fit. Scores are L1
 * distances from it less what chance would make of them in a table of independent columns; of a tree, the mean over its levels.
 */
function expectedOf(candidates: readonly Query[], estimates: Estimates): Expected[] {
  const unit = 2 ** scoreKind("aim").scaleBits;
  return candidates.map((query, number) => {
    const weight = Math.floor(unit / shapesOf(query, estimates.attributes).length);
    const answers = () => estimates.implied(query).map((count) => Math.max(0, count));
    const bias = BigInt(Math.round(weight * answers().reduce((sum, count) => sum + chance(count), 0)));
    return {
      number,
      weight,
      bias,
      targets: () => Int32Array.from(answers(), (count) => Math.min(MOST_TARGET, Math.round(count))),
    };
  });
}
