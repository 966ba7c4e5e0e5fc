import { Estimates } from "../estimate/estimates.js";
import { grouped, resolution } from "../estimate/grouping.js";
import { measurementItem, scoreKind, selectionItem } from "../privacy/items.js";
import { isQueryItem } from "../privacy/ledger.js";
import type { Measurement } from "../queries/measurement.js";
import { cellsOf, type Query, shapesOf } from "../queries/query.js";
import type { Attribute } from "../schema/schema.js";
import { type BudgetClaims, bestDivision, budgetClaims, codeCounts, STEPS, weightOf } from "./division.js";
import { chosen, measured, type ScoredCandidate } from "./draw.js";
import type { SelectionOptions } from "./options.js";
import { type Problem, sensitivityTerms, totalOf } from "./problem.js";
import { columnsOf, setsOf } from "./rounds.js";
import { type Selection, sharesOf, sumOf } from "./selection.js";

// Two stages for a workload that will be estimated from one-ways and interactions: one-ways first; then, by what they say about the
// number of rows and where they are, more of the one-ways, a choice of the pairs that are worth measuring, and these at the resolution
// that is.

/** What the first stage has of the budget, in steps: little is enough to divide the rest by, and what one-ways lack then they are given. */
const FIRST_STEPS = 2;

/** Parts of the cap are whole multiples of 2^−40, rounded down. */
const PART_BITS = 40;

const RULE =
  "The workload and, once more, its single columns share the cap so as to minimise the error expected from the noisy one-ways. " +
  "If some pairs lie below the noise, the others are chosen by how wrong independent columns would be about them. Tables with " +
  "more cells than the noise leaves readable are measured on groups of codes.";

/**
 * The columns of the workload's tables each by itself (one-ways summed from large tables carry the noise of all their cells), then what
 * their noisy answers make worth measuring.
 */
export const twoStages: Selection<SelectionOptions> = {
  price(problem) {
    const { workload, attributes, budget } = problem;
    const terms = sensitivityTerms(problem);
    const candidates = candidatesOf(problem);
    const claims = budgetClaims(workload, candidates, columnsOf({ workload: setsOf(problem), attributes }), attributes);
    const [first, second] = [FIRST_STEPS, STEPS - FIRST_STEPS].map((steps) => steps * claims.oneWaysWeight);
    const share = sharesOf(budget.budget, first + second);
    const cap = share(second);
    const most = atMost(claims, workload, attributes);
    const weights = most.map((query) => weightOf(query, attributes));
    const shown = sharesOf(cap, sumOf(weights));
    const items = claims.oneWays.map(({ query, weight }) => measurementItem(query, share(FIRST_STEPS * weight), terms));
    // What could be asked for with too much noise is found now.
    const least = BigInt(Math.floor(leastShare(claims, workload, attributes) * Number(cap)));
    for (const query of most) measurementItem(query, least, terms);
    return {
      items,
      ruled: {
        cap,
        rule: RULE,
        shown: most.map((query, at) => measurementItem(query, shown(weights[at]), terms)),
        isWhole: true,
      },
      candidates,
      measured: [...claims.oneWays.map(({ query }) => query), ...most],
      facts: { stages: 2 },
    };
  },

  async *draws({ problem, ledger }) {
    const { attributes } = problem;
    const { candidates } = ledger;
    const cap = ledger.cap!;
    const terms = sensitivityTerms(problem);
    const measurements = [...(yield* measured(ledger.items.filter(isQueryItem)))];
    const total = Math.max(1, totalOf(problem, measurements));
    const stage = secondStage(problem, candidates, measurements, total, Number(cap) / Number(ledger.budget));
    const shareOf = (part: number) => (cap * BigInt(Math.floor(part * 2 ** PART_BITS))) >> BigInt(PART_BITS);
    const itemsOf = (shared: readonly SharedQuery[]) =>
      shared.map(({ query, share }) => measurementItem(query, shareOf(share), terms));
    measurements.push(...(yield* measured(itemsOf(stage.oneWays))));
    let tables = candidates;
    if (stage.choice) {
      const { picks, share } = stage.choice;
      const item = selectionItem(candidates, { score: "aim", picks }, shareOf(share), terms);
      const numbers = yield* chosen(item, expectedOf(candidates, new Estimates(measurements, attributes, total)));
      tables = numbers.map((number) => candidates[number]);
    }
    yield* measured(itemsOf(stage.tables(tables, new Estimates(measurements, attributes, total))));
  },
};

/** What is measured at most: where not all of the candidates can be, the largest. */
function atMost(
  { fixed, candidates, most }: BudgetClaims,
  workload: readonly Query[],
  attributes: readonly Attribute[],
): readonly Query[] {
  if (most === candidates.length) return workload;
  const bySize = [...candidates].sort((a, b) => cellsOf(b, attributes) - cellsOf(a, attributes));
  return [...fixed, ...bySize.slice(0, most)];
}

/** A bound below all shares of one step: of the lightest table among as many of the heaviest as can be measured, and of the lightest one-way. */
function leastShare(
  { oneWays, oneWaysWeight, fixed, most }: BudgetClaims,
  workload: readonly Query[],
  attributes: readonly Attribute[],
): number {
  const weights = workload.map((query) => weightOf(query, attributes)).sort((a, b) => a - b);
  const ofTables = weights[0] / ((fixed.length + most) * weights[weights.length - 1]);
  const ofOneWays = Math.min(...oneWays.map(({ weight }) => weight)) / oneWaysWeight;
  return Math.min(ofTables, ofOneWays) / STEPS;
}

/** What may be left out of a workload: its pairs, unless it has larger tables, or no selection is wanted. */
function candidatesOf({ workload, options }: Problem<SelectionOptions>): readonly Query[] {
  return options.selection === "none" || workload.some(({ columns }) => columns.length > 2)
    ? []
    : workload.filter(({ columns }) => columns.length === 2);
}

/** A query to be measured, and its part, 0 to 1, of the cap. */
interface SharedQuery {
  readonly query: Query;
  readonly share: number;
}

/** The second stage, decided from the noisy answers of the first: post-processing, nothing here is charged. */
interface SecondStage {
  /** Columns by themselves, once more. */
  readonly oneWays: readonly SharedQuery[];
  /** So many of the candidates are chosen for this part of the cap; all of them, or none, without it. */
  readonly choice?: { readonly picks: number; readonly share: number };
  /** What is measured at last. @param chosen of the candidates: all of them without a choice */
  tables(chosen: readonly Query[], estimates: Estimates): readonly SharedQuery[];
}

/** @param left what of the budget the second stage has, 0 to 1 */
function secondStage(
  { workload, attributes }: Problem<SelectionOptions>,
  candidates: readonly Query[],
  measurements: readonly Measurement[],
  total: number,
  left: number,
): SecondStage {
  const oneWays = measurements.map(({ query }) => query);
  const claims = budgetClaims(workload, candidates, oneWays, attributes);
  const partitionsOf = (query: Query) => shapesOf(query, attributes).length;
  const bought = measurements.reduce((sum, { query, sigma2 }) => sum + partitionsOf(query) / sigma2, 0);
  const unit = (1 - left) / (left * bought);
  const division = bestDivision(claims, {
    unit,
    known: (1 - left) / left,
    rows: total,
    codeCounts: new Estimates(measurements, attributes, total).oneWays().map(codeCounts),
    shapeOf: (query: Query, sigma: number) => resolution(query, attributes, total, sigma),
  });
  const { picks, choice } = division;
  return {
    oneWays: shared(oneWays, division.oneWays, attributes),
    choice: choice ? { picks, share: choice } : undefined,
    tables(chosen, estimates) {
      const counts = estimates.oneWays();
      const queries = [...claims.fixed, ...(picks ? chosen : [])];
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
function expectedOf(candidates: readonly Query[], estimates: Estimates): ScoredCandidate[] {
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
