import type { Attribute } from "../domain/attribute.js";
import { Estimates } from "../estimate/estimates.js";
import { grouped } from "../estimate/grouping.js";
import { type CandidateGroup, candidateAt, candidateGroups, type ScoredGroup } from "../privacy/candidates.js";
import {
  isPayable,
  measurementItems,
  type QueryItem,
  type SensitivityTerms,
  selectionItem,
  WEIGHT_ONE,
} from "../privacy/items.js";
import { isQueryItem } from "../privacy/ledger.js";
import type { Measurement } from "../queries/measurement.js";
import { cellsOf, type Query, shapesOf } from "../queries/query.js";
import {
  type AskedQueries,
  type BudgetClaims,
  bestDivision,
  budgetClaims,
  cheaperInteraction,
  LEAST_WEIGHT,
  MOST_LIGHTER,
  MOST_PICKS,
  STEPS,
} from "./division.js";
import { allPlaces, chosen, measured, onDemand } from "./draw.js";
import { sigmaOfEach } from "./noise.js";
import type { SelectionOptions } from "./options.js";
import { orderOf, type Problem, sensitivityTerms, totalOf } from "./problem.js";
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

/** No table is taken to have more rows than this when a plan is made. */
const MOST_ROWS = 1e7;

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

/** How the second stage is decided, as sentences. */
const ruleOf = ({ target }: Problem<SelectionOptions>, isOpen: boolean): string =>
  [
    "Single columns are measured first. Their noisy answers decide how this part is divided, so that the expected " +
      "error is smallest, between the column sets of the workload and a second measurement of single columns.",
    isOpen &&
      "Pairs that the noise would hide are not measured; if there are any, the other pairs are chosen, in up to four " +
        "rounds, by how far they are from what is known already.",
    "Where there are too many cells for the noise, neighbouring or rare values are measured as groups. Of pairs, " +
      "only their interactions, which single columns do not tell, are measured if that lowers the expected error.",
    target !== undefined && "Pairs with the target get four times the part of others, and are never left out.",
    target !== undefined &&
      isOpen &&
      "Two other columns are measured together with the target if that table will be readable, and on their own otherwise.",
  ]
    .filter(Boolean)
    .join(" ");

/**
 * The one-way marginals of all columns in the workload's tables (one-ways summed from large tables carry the noise of
 * all their cells), then whatever their noisy answers make worth measuring: more one-ways, the tables that are never
 * left out, and the candidates, with a choice among them if some are left out.
 */
export const twoStages: Selection<SelectionOptions> = {
  price(problem) {
    const { attributes, budget } = problem;
    const terms = sensitivityTerms(problem);
    const open = candidatesOf(problem);
    const candidates = candidateGroups(open);
    const asked = withoutTwins(problem, open, Number.POSITIVE_INFINITY);
    const columns = columnsOf({ workload: setsOf(problem), attributes });
    const [claims, ofTables] = [true, false].map((as) => budgetClaims(asked, columns, problem, as));
    const [first, second] = [FIRST_STEPS, STEPS - FIRST_STEPS].map((steps) => steps * claims.oneWaysWeight);
    const share = sharesOf(budget.budget, first + second);
    const cap = share(second);
    const most = atMost(asked, claims, attributes);
    const shown = sharesOf(cap, sumOf(most.map(claims.weightOf)));
    const oneWays = claims.oneWays.map(({ query }) => query);
    const items = measurementItems(oneWays, (query) => share(FIRST_STEPS * claims.weightOf(query)), terms);
    // Queries that might be measured with too much noise are refused here, before any data is seen.
    const least = BigInt(Math.floor(leastShare(ofTables, open) * Number(cap)));
    measurementItems([...claims.fixed, ...open], () => least, terms);
    return {
      items,
      ruled: {
        cap,
        rule: ruleOf(problem, open.length > 0),
        shown: pricedItems(
          most.map((query) => ({ query, share: shown(claims.weightOf(query)), isInteraction: true })),
          terms,
        ),
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
    const itemsOf = (parts: readonly QueryPart[]) =>
      pricedItems(
        parts.map(({ query, part, isInteraction }) => ({ query, share: shareOf(part), isInteraction })),
        terms,
      );
    measurements.push(...(yield* measured(itemsOf(rest.oneWays))));
    const counts = oneWaysOf(measurements, attributes, total);
    measurements.push(...(yield* measured(itemsOf(rest.fixed(counts)))));
    let left = rest.candidates;
    for (const picks of rest.rounds) {
      let tables = left;
      if (rest.choice) {
        const item = selectionItem(candidates, { ...SCORE, picks }, shareOf(rest.choice / rest.rounds.length), terms);
        const estimates = new Estimates(measurements, attributes, total);
        try {
          const numbers = yield* chosen(item, expectedOf(candidates, left, estimates));
          tables = numbers.map((number) => candidateAt(candidates, number));
        } finally {
          estimates.drop();
        }
        const gone = new Set(tables.map(({ columns }) => columns.join()));
        left = left.filter(({ columns }) => !gone.has(columns.join()));
      }
      measurements.push(...(yield* measured(itemsOf(rest.tables(tables, counts)))));
    }
  },
};

/** Items for queries with their shares, or for their interactions, where these cost less and can have so much noise. */
function pricedItems(
  asked: readonly { readonly query: Query; readonly share: bigint; readonly isInteraction?: boolean }[],
  terms: SensitivityTerms,
): QueryItem[] {
  const queries = asked.map(({ query, share, isInteraction }) => {
    const found = isInteraction ? cheaperInteraction(query, terms) : undefined;
    return found && isPayable(found, share, terms) ? found : query;
  });
  return measurementItems(queries, (_, at) => asked[at].share, terms);
}

/** The most that is measured. Where not all candidates can be, the largest of them. */
function atMost(
  { workload }: AskedQueries,
  { fixed, candidates, most }: BudgetClaims,
  attributes: readonly Attribute[],
): readonly Query[] {
  if (most === candidates.length) return workload;
  return [...fixed, ...largest(candidates, most, attributes)];
}

/**
 * A lower bound on any query's share of a part of one step, whatever the one-ways are: that of the lightest one-way; of
 * a fixed table, where the candidates weigh the most; and of a candidate, where all weigh the least on average, but all
 * others that are chosen weigh the most.
 * @param claims those of tables by code, which weigh the most
 * @param open the tables that may be left out; of each with the target and its twin, one is a candidate
 */
function leastShare(
  { oneWays, oneWaysWeight, fixed, fixedWeight, candidates, weightOf }: BudgetClaims,
  open: readonly Query[],
): number {
  const most = Math.min(MOST_PICKS, candidates.length);
  const leastOf = (query: Query) => Math.max(LEAST_WEIGHT, Math.floor(weightOf(query) / MOST_LIGHTER));
  const heaviest = open.reduce((weight, query) => Math.max(weight, weightOf(query)), 0);
  const lightest = open.reduce((weight, query) => Math.min(weight, leastOf(query)), heaviest);
  const shares = oneWays.map(({ weight }) => weight / oneWaysWeight);
  for (const query of fixed) shares.push(leastOf(query) / (fixedWeight + most * heaviest));
  if (open.length) shares.push((lightest / heaviest) * (lightest / (fixedWeight + most * lightest)));
  return shares.reduce((least, share) => Math.min(least, share)) / STEPS;
}

/**
 * The queries that may be left out of a workload: its pairs, and those with the target added that can be readable in
 * some table, unless it has larger sets or the user wants no selection.
 */
function candidatesOf(problem: Problem<SelectionOptions>): readonly Query[] {
  const { workload, budget, options } = problem;
  const open = workload.filter((query) => orderOf(query, problem) === 2);
  if (options.selection === "none" || workload.some((query) => orderOf(query, problem) > 2)) return [];
  const { candidates } = withoutTwins(problem, open, budget.publicRows ?? MOST_ROWS);
  const kept = new Set(candidates);
  return open.filter((query) => kept.has(query) || query.columns.length === 2);
}

/**
 * The workload without twins, which are a pair of columns and the same pair with the target. Of these, it has the table
 * with the target if that is readable, and the pair otherwise.
 * @param rows the number of rows in which it has to be readable
 */
function withoutTwins(problem: Problem<SelectionOptions>, candidates: readonly Query[], rows: number): AskedQueries {
  const { workload, attributes, budget, unit, target } = problem;
  if (!candidates.length) return { workload, candidates };
  const fixed = workload.filter((query) => orderOf(query, problem) < 2);
  const twins = new Map<string, Query[]>();
  for (const query of candidates) {
    const key = query.columns.filter((column) => column !== target).join();
    twins.set(key, [...(twins.get(key) ?? []), query]);
  }
  const isReadable = (query: Query) => {
    const { length } = shapesOf(query, attributes);
    const sigma = sigmaOfEach(length, fixed.length + twins.size, budget, unit);
    return (sigma * cellsOf(query, attributes)) / length <= rows;
  };
  const kept = [...twins.values()].map((queries) => {
    const [small, large = small] = queries.sort((a, b) => a.columns.length - b.columns.length);
    return isReadable(large) ? large : small;
  });
  const measured = new Set([...fixed, ...kept]);
  return { workload: workload.filter((query) => measured.has(query)), candidates: kept };
}

const queriesOf = (candidates: readonly CandidateGroup[]): Query[] => candidates.map(({ query }) => query);

/** A query to be measured, and its part of the cap, 0 to 1. */
interface QueryPart {
  readonly query: Query;
  readonly part: number;
  /** Whether its interaction is measured instead, where that costs less. */
  readonly isInteraction?: boolean;
}

/**
 * The second stage, decided from the noisy answers of the first. Deciding it is post-processing, and nothing here is
 * charged.
 */
interface RestPlan {
  /** The tables that may be measured, of which some may be chosen. */
  readonly candidates: readonly Query[];
  /** The one-way marginals that are measured once more. */
  readonly oneWays: readonly QueryPart[];
  /** The fraction of the cap that pays for choices. 0 if all candidates are measured, or none. */
  readonly choice: number;
  /** How many candidates each round chooses; without a choice, one round, which measures all of them. */
  readonly rounds: readonly number[];
  /**
   * The tables that are measured in any case.
   * @param counts for each attribute the estimated counts of its codes
   */
  fixed(counts: readonly Float64Array[]): readonly QueryPart[];
  /**
   * The tables that a round measures.
   * @param chosen the candidates that it chose, or all of them if there is no choice
   * @param counts for each attribute the estimated counts of its codes
   */
  tables(chosen: readonly Query[], counts: readonly Float64Array[]): readonly QueryPart[];
}

/** @param left the fraction of the budget that is left for the second stage, 0 to 1 */
function planRest(
  problem: Problem<SelectionOptions>,
  candidates: readonly Query[],
  measurements: readonly Measurement[],
  total: number,
  left: number,
): RestPlan {
  const { attributes } = problem;
  const oneWays = measurements.map(({ query }) => query);
  const partitionsOf = (query: Query) => shapesOf(query, attributes).length;
  const bought = measurements.reduce((sum, { query, sigma2 }) => sum + partitionsOf(query) / sigma2, 0);
  const unit = (1 - left) / (left * bought);
  const asked = withoutTwins(problem, candidates, total);
  const counts = oneWaysOf(measurements, attributes, total);
  const inputs = { unit, known: (1 - left) / left, rows: total, attributes, counts };
  const [ofInteractions, ofTables] = [true, false].map((isInteraction) => {
    const claims = budgetClaims(asked, oneWays, problem, isInteraction, counts);
    return { isInteraction, claims, division: bestDivision(claims, inputs) };
  });
  const isCheaper = ofInteractions.division.error < ofTables.division.error;
  const { isInteraction, claims, division } = isCheaper ? ofInteractions : ofTables;
  const { picks, choice } = division;
  const rounds = choice ? Math.min(MOST_ROUNDS, picks, Math.floor(claims.candidates.length / picks)) : 1;
  const ofFixed = claims.fixedWeight / (claims.fixedWeight + picks * claims.candidateWeight);
  const partsOf = (queries: readonly Query[], part: number, counts: readonly Float64Array[]) => {
    const parts = divided(queries, part * division.tables, claims);
    const noisy = parts.map(({ query, part }) => ({ query, sigma: Math.sqrt((unit * claims.costOf(query)) / part) }));
    return grouped(noisy, attributes, counts, total).map((query, at) => ({
      ...{ query, part: parts[at].part, isInteraction },
    }));
  };
  return {
    candidates: picks ? claims.candidates : [],
    oneWays: divided(oneWays, division.oneWays, claims),
    choice,
    rounds: inParts(picks, rounds),
    fixed: (counts) => partsOf(claims.fixed, ofFixed, counts),
    tables: (chosen, counts) => partsOf(chosen, ((1 - ofFixed) * chosen.length) / picks, counts),
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
  if (!(part > 0)) return [];
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
function expectedOf(
  candidates: readonly CandidateGroup[],
  open: readonly Query[],
  estimates: Estimates,
): ScoredGroup[] {
  const { attributes } = estimates;
  const isOpen = new Set(open);
  const compared = candidates.filter(({ query }) => isOpen.has(query));
  const places = allPlaces(compared);
  const implied = onDemand(queriesOf(compared), attributes, async (together) =>
    estimates.implied(together, MOST_TARGET),
  );
  return compared.map((group, at) => {
    const weight = Math.floor(WEIGHT_ONE / shapesOf(group.query, attributes).length);
    return {
      group,
      places: places[at],
      weight,
      targets: async () => (await implied[at]()).targets,
      bias: async () => BigInt(Math.round(weight * (await implied[at]()).chance)),
    };
  });
}
