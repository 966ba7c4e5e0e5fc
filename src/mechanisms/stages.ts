import { Estimates } from "../estimate/estimates.js";
import { grouped, resolution } from "../estimate/grouping.js";
import { scoreKind } from "../privacy/items.js";
import type { Schedule } from "../privacy/plan.js";
import { cellsOf, type Query, queryOf, shapesOf } from "../queries/query.js";
import type { Attribute } from "../schema/schema.js";
import { bestDivision, picksTried, STEPS, sidesOf, spreadOf } from "./division.js";
import type { Expected, FirstAnswers, SecondStage } from "./mechanism.js";

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
  const bySize = [...candidates].sort((a, b) => cellsOf(b, attributes) - cellsOf(a, attributes));
  return {
    first: oneWays.map((query) => ({ query, weight: FIRST_STEPS })),
    second: {
      queries: sides.most < candidates.length ? [...sides.fixed, ...bySize.slice(0, sides.most)] : workload,
      candidates,
      weight: (STEPS - FIRST_STEPS) * oneWays.length,
      rule: RULE,
      leastShare: 1 / (STEPS * Math.max(sides.fixed.length + sides.most, oneWays.length)),
    },
  };
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
  const [{ query, sigma2 }] = measurements;
  const unit = (sigma2 * (1 - left)) / (left * oneWays.length * partitionsOf(query));
  const counts = new Estimates(measurements, attributes, total).oneWays();
  const prospect = {
    unit,
    known: (1 - left) / left,
    rows: total,
    spreads: new Map(oneWays.map(({ columns: [column] }) => [column, spreadOf(counts[column])])),
    shapeOf: (query: Query, sigma: number) => resolution(query, attributes, total, sigma),
  };
  const division = bestDivision(sides, prospect, picksTried(sides));
  const { picks, choice, each } = division;
  const share = division.oneWays / oneWays.length;
  return {
    oneWays: share ? oneWays.map((query) => ({ query, share })) : [],
    choice: choice
      ? {
          picks,
          share: choice,
          candidates: (seen) => expectedOf(candidates, new Estimates(seen, attributes, total)),
        }
      : undefined,
    tables(chosen, seen) {
      const counts = new Estimates(seen, attributes, total).oneWays();
      const sigmaOf = (query: Query) => Math.sqrt((unit * partitionsOf(query)) / each);
      const queries = [...sides.fixed, ...(picks ? chosen : [])];
      return queries.map((query) => ({
        query: grouped(query, attributes, counts, total, sigmaOf(query)),
        share: each,
      }));
    },
  };
}

/** How much a rounded count of Poisson's law is off on average, where it is expected to be `count`. */
const chance = (count: number): number => Math.min(2 * count, Math.sqrt((2 / Math.PI) * count));

/**
 * What independent columns would answer to each candidate. Scores are L1 distances from it less what chance would make of them in a table
 * of independent columns; of a tree, the mean over its levels.
 */
function expectedOf(candidates: readonly Query[], estimates: Estimates): Expected[] {
  const unit = 2 ** scoreKind("aim").scaleBits;
  return candidates.map((query, number) => {
    const weight = Math.floor(unit / shapesOf(query, estimates.attributes).length);
    const answers = () => estimates.implied(query).map((count) => Math.max(0, count));
    const bias = BigInt(Math.round(weight * answers().reduce((sum, count) => sum + chance(count), 0)));
    return { number, weight, bias, targets: () => Int32Array.from(answers(), Math.round) };
  });
}
