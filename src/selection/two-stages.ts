import type { Attribute } from "../domain/attribute.js";
import { Estimates } from "../estimate/estimates.js";
import { grouped } from "../estimate/grouping.js";
import { type CandidateGroup, candidateAt, candidateGroups, type ScoredGroup } from "../privacy/candidates.js";
import { measurementItems, selectionItem, WEIGHT_ONE } from "../privacy/items.js";
import { isQueryItem } from "../privacy/ledger.js";
import type { Measurement } from "../queries/measurement.js";
import { type Query, shapesOf } from "../queries/query.js";
import { type BudgetClaims, bestDivision, budgetClaims, STEPS } from "./division.js";
import { allPlaces, chosen, measured, onDemand, withoutChosen } from "./draw.js";
import type { SelectionOptions } from "./options.js";
import { type Problem, sensitivityTerms, totalOf } from "./problem.js";
import { columnsOf, largest, setsOf } from "./rounds.js";
import { type Selection, sharesOf, sumOf } from "./selection.js";

// Two stages for a workload that will be estimated from one-way marginals and interactions. One-ways are measured
// first. Then, given the number of rows and where they are, come more one-ways, a choice of the pairs that are worth
// measuring, and these pairs at the resolution that is worth measuring.

/**
 * The first stage's part of the budget, in steps: a small part is enough to divide the rest by, and one-ways that need
 * more get it then (bench/accuracy.md, "Shares").
 */
const FIRST_STEPS = 2;

/** Parts of the cap are multiples of 2^−40, rounded down. */
const PART_BITS = 40;

/**
 * Where few candidates are measured, they are chosen in rounds, so that later choices know what earlier ones have
 * revealed: at most so many rounds, and no more than as often as the chosen ones fit into all (bench/accuracy.md,
 * "Which pairs").
 */
const MOST_ROUNDS = 4;
/** How choices are made. */
const SCORE = { score: "aim", isWeighted: true } as const;

const RULE =
  "Single columns are measured first. Their noisy answers decide how this part is divided, so that the expected " +
  "error is smallest, between the column sets of the workload and a second measurement of single columns. Pairs that " +
  "the noise would hide are not measured; if there are any, the other pairs are chosen, in up to four rounds, by how " +
  "far they are from what is known already. Where there are too many cells for the noise, neighbouring or rare values " +
  "are measured as groups.";

/**
 * The one-way marginals of all columns in the workload's tables (one-ways summed from large tables carry the noise of
 * all their cells), then whatever their noisy answers make worth measuring.
 */
export const twoStages: Selection<SelectionOptions> = {
  price(problem) {
    const { workload, attributes, budget } = problem;
    const terms = sensitivityTerms(problem);
    const candidates = candidateGroups(candidatesOf(problem));
    const claims = budgetClaims(
      workload,
      queriesOf(candidates),
      columnsOf({ workload: setsOf(problem), attributes }),
      attributes,
    );
    const [first, second] = [FIRST_STEPS, STEPS - FIRST_STEPS].map((steps) => steps * claims.oneWaysWeight);
    const share = sharesOf(budget.budget, first + second);
    const cap = share(second);
    const most = atMost(claims, workload, attributes);
    const shown = sharesOf(cap, sumOf(most.map(claims.weightOf)));
    const oneWays = claims.oneWays.map(({ query }) => query);
    const items = measurementItems(oneWays, (query) => share(FIRST_STEPS * claims.weightOf(query)), terms);
    // Queries that might be measured with too much noise are refused here, before any data is seen.
    const least = BigInt(Math.floor(leastShare(claims, workload) * Number(cap)));
    measurementItems(most, () => least, terms);
    return {
      items,
      ruled: {
        cap,
        rule: RULE,
        shown: measurementItems(most, (query) => shown(claims.weightOf(query)), terms),
        isWhole: true,
      },
      candidates,
      // The one-ways may be measured in both stages.
      measured: [...oneWays, ...oneWays, ...most],
      facts: { stages: 2 },
    };
  },

  async *draws({ problem, ledger }) {
    const { attributes } = problem;
    const { candidates } = ledger;
    const queries = queriesOf(candidates);
    const cap = ledger.cap!;
    const terms = sensitivityTerms(problem);
    const measurements = [...(yield* measured(ledger.items.filter(isQueryItem)))];
    const total = Math.max(1, totalOf(problem, measurements));
    const rest = planRest(problem, queries, measurements, total, Number(cap) / Number(ledger.budget));
    const shareOf = (part: number) => (cap * BigInt(Math.floor(part * 2 ** PART_BITS))) >> BigInt(PART_BITS);
    const itemsOf = (parts: readonly QueryPart[]) => {
      const asked = parts.map(({ query }) => query);
      return measurementItems(asked, (_, at) => shareOf(parts[at].part), terms);
    };
    measurements.push(...(yield* measured(itemsOf(rest.oneWays))));
    let left = allPlaces(candidates);
    for (const round of rest.rounds) {
      const estimates = new Estimates(measurements, attributes, total);
      let tables: readonly Query[] = rest.choice ? [] : queries;
      let counts: readonly Float64Array[];
      try {
        if (rest.choice) {
          const share = shareOf(rest.choice / rest.rounds.length);
          const item = selectionItem(candidates, { ...SCORE, picks: round.picks }, share, terms);
          const numbers = yield* chosen(item, await expectedOf(candidates, left, estimates));
          left = withoutChosen(candidates, left, numbers);
          tables = numbers.map((number) => candidateAt(candidates, number));
        }
        counts = estimates.oneWays();
      } finally {
        estimates.drop();
      }
      measurements.push(...(yield* measured(itemsOf(rest.tables(round, tables, counts)))));
    }
  },
};

/** The most that is measured. Where not all candidates can be, the largest of them. */
function atMost(
  { fixed, candidates, most }: BudgetClaims,
  workload: readonly Query[],
  attributes: readonly Attribute[],
): readonly Query[] {
  if (most === candidates.length) return workload;
  return [...fixed, ...largest(candidates, most, attributes)];
}

/**
 * A lower bound on any query's share of a part of one step: that of the lightest table among as many of the heaviest as
 * can be measured, or that of the lightest one-way, whichever is smaller.
 */
function leastShare(
  { oneWays, oneWaysWeight, fixed, most, weightOf }: BudgetClaims,
  workload: readonly Query[],
): number {
  const weights = workload.map(weightOf).sort((a, b) => a - b);
  const ofTables = weights[0] / ((fixed.length + most) * weights[weights.length - 1]);
  const ofOneWays = Math.min(...oneWays.map(({ weight }) => weight)) / oneWaysWeight;
  return Math.min(ofTables, ofOneWays) / STEPS;
}

/**
 * The queries that may be left out of a workload: its pairs, unless it has larger tables or the user wants no
 * selection.
 */
function candidatesOf({ workload, options }: Problem<SelectionOptions>): readonly Query[] {
  return options.selection === "none" || workload.some(({ columns }) => columns.length > 2)
    ? []
    : workload.filter(({ columns }) => columns.length === 2);
}

const queriesOf = (candidates: readonly CandidateGroup[]): Query[] => candidates.map(({ query }) => query);

/** A query to be measured, and its part of the cap, 0 to 1. */
interface QueryPart {
  readonly query: Query;
  readonly part: number;
}

/**
 * The second stage, decided from the noisy answers of the first. Deciding it is post-processing, and nothing here is
 * charged.
 */
interface RestPlan {
  /** The one-way marginals that are measured once more. */
  readonly oneWays: readonly QueryPart[];
  /** The fraction of the cap that pays for choices. 0 if all candidates are measured, or none. */
  readonly choice: number;
  /** One or more rounds of choices; without a choice, one in which tables are measured. */
  readonly rounds: readonly Round[];
  /**
   * The tables that a round measures.
   * @param chosen the candidates that it chose, or all of them if there is no choice
   * @param counts for each attribute the estimated counts of its codes
   */
  tables(round: Round, chosen: readonly Query[], counts: readonly Float64Array[]): readonly QueryPart[];
}

/** How many candidates are chosen, what else is measured with them, and the part of all tables' budget, 0 to 1. */
interface Round {
  readonly picks: number;
  readonly fixed: readonly Query[];
  readonly part: number;
}

/** @param left the fraction of the budget that is left for the second stage, 0 to 1 */
function planRest(
  { workload, attributes }: Problem<SelectionOptions>,
  candidates: readonly Query[],
  measurements: readonly Measurement[],
  total: number,
  left: number,
): RestPlan {
  const oneWays = measurements.map(({ query }) => query);
  const claims = budgetClaims(workload, candidates, oneWays, attributes);
  const partitionsOf = (query: Query) => shapesOf(query, attributes).length;
  const bought = measurements.reduce((sum, { query, sigma2 }) => sum + partitionsOf(query) / sigma2, 0);
  const unit = (1 - left) / (left * bought);
  const division = bestDivision(claims, {
    unit,
    known: (1 - left) / left,
    rows: total,
    attributes,
    counts: oneWaysOf(measurements, attributes, total),
  });
  const { picks, choice } = division;
  const rounds = choice ? Math.min(MOST_ROUNDS, picks, Math.floor(candidates.length / picks)) : 1;
  const weight = claims.fixedWeight + picks * claims.candidateWeight;
  return {
    oneWays: divided(oneWays, division.oneWays, claims),
    choice,
    rounds: inParts(picks, rounds).map((own, round) => {
      const fixed = round ? [] : claims.fixed;
      const left = (round ? 0 : claims.fixedWeight) + own * claims.candidateWeight;
      return { picks: own, fixed, part: rounds > 1 ? left / weight : 1 };
    }),
    tables({ fixed, part }, chosen, counts) {
      const queries = [...fixed, ...(picks ? chosen : [])];
      const parts = divided(queries, part * division.tables, claims);
      const noisy = parts.map(({ query, part }) => ({ query, sigma: Math.sqrt((unit * partitionsOf(query)) / part) }));
      return grouped(noisy, attributes, counts, total).map((query, at) => ({ query, part: parts[at].part }));
    },
  };
}

/** A whole number in parts that differ by at most 1. */
const inParts = (count: number, parts: number): number[] =>
  Array.from(
    { length: parts },
    (_, part) => Math.floor((count * (part + 1)) / parts) - Math.floor((count * part) / parts),
  );

/** For each attribute the estimated counts of its codes. */
function oneWaysOf(
  measurements: readonly Measurement[],
  attributes: readonly Attribute[],
  total: number,
): readonly Float64Array[] {
  const estimates = new Estimates(measurements, attributes, total);
  const counts = estimates.oneWays();
  estimates.drop();
  return counts;
}

/** A part of the budget divided by the queries' weights; empty where the part is 0. */
function divided(queries: readonly Query[], part: number, { weightOf }: BudgetClaims): QueryPart[] {
  if (!part) return [];
  const sum = sumOf(queries.map(weightOf));
  return queries.map((query) => ({ query, part: (part * weightOf(query)) / sum }));
}

/** The largest value allowed for a selection's targets. */
const MOST_TARGET = 2 ** 30;

/**
 * The candidates that are left, scored against the answers that the estimates imply. These answers are computed on
 * demand, since all of them together may not fit in memory. Scores are L1 distances from the answers, less what chance
 * would contribute in a table of independent columns. For a tree, they are the mean over its levels.
 */
async function expectedOf(
  candidates: readonly CandidateGroup[],
  left: readonly Uint32Array[],
  estimates: Estimates,
): Promise<ScoredGroup[]> {
  const { attributes } = estimates;
  const open = candidates.flatMap((group, at) => (left[at].length ? [{ group, places: left[at] }] : []));
  const implied = onDemand(queriesOf(open.map(({ group }) => group)), attributes, async (together) =>
    estimates.implied(together, MOST_TARGET),
  );
  const scored: ScoredGroup[] = [];
  for (const [at, { group, places }] of open.entries()) {
    const weight = Math.floor(WEIGHT_ONE / shapesOf(group.query, attributes).length);
    const bias = BigInt(Math.round(weight * (await implied[at]()).chance));
    scored.push({ group, places, weight, bias, targets: async () => (await implied[at]()).targets });
  }
  return scored;
}
