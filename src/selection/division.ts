import type { Attribute } from "../domain/attribute.js";
import { Calls } from "../engine/calls.js";
import type { Instance } from "../engine/instance.js";
import * as layout from "../engine/layout.js";
import { workbench } from "../engine/workbench.js";
import { LEAST_GROUPS, MOST_NOISE } from "../estimate/grouping.js";
import { costOf, type SensitivityTerms } from "../privacy/items.js";
import { interactionIn } from "../queries/interaction.js";
import { cellsIn, cellsOf, type Query } from "../queries/query.js";
import { writeGrouped } from "../queries/struct.js";
import { type Problem, sensitivityTerms } from "./problem.js";
import { sumOf } from "./selection.js";

// How to divide a budget between the one-way marginals of a workload's columns and its tables, some pairs of which may
// be left out, so that the expected error is smallest. The engine predicts the error of a
// division (assembly/selection/division.ts). The fitted constants are from bench/accuracy.md.

/** A budget is divided in steps of 1 ÷ STEPS. */
export const STEPS = 40;
/** The cost of choosing pairs, in steps, where some are left out: 5 % (bench/accuracy.md, "Which pairs"). */
const CHOICE_STEPS = 2;
/** The numbers of pairs that are tried differ by this factor. */
const PICKS_FACTOR = 1.2;
/**
 * Pairs are left out only if that gains more than this fraction of what measuring pairs gains at all: the predictions
 * are no more exact than that (bench/accuracy.md, "A clear gain").
 */
const CLEAR_GAIN = 0.01;
/**
 * More pairs than this, or pairs with more cells than this in total, take long to search, and almost no table has
 * enough rows for them.
 */
export const MOST_PICKS = 2000;
const MOST_PICKED_CELLS = 2 ** 25;
/**
 * The error of independent columns, Σ|count − product| as a fraction of the rows, falls over the pairs of real tables,
 * largest first, roughly as MOST_WRONG · e^(−rank ÷ r). Here r is a quarter of the pairs, but more for few columns,
 * which all depend on each other, and less for many columns, each of which depends on few others (bench/accuracy.md,
 * "Which pairs").
 */
const MOST_WRONG = 0.6;
const ranksToFall = (pairs: number): number => Math.max(25, Math.min(pairs / 4, 8 * Math.sqrt(pairs)));
/** The number of classes into which the ranks are divided; the first classes are smaller. */
const CLASSES = 20;
/**
 * Shrinkage leaves about this many times the noise of a table with one singular value (bench/accuracy.md, "Which
 * pairs").
 */
const KEPT = 1.5;
/** The number of tables, spread over the workload, that represent it when an error is predicted. */
const TYPICAL = 60;
/**
 * A code is above the noise if its count is at least this many standard deviations. The estimates leave all other codes
 * as their margins imply (bench/accuracy.md, "Codes with few rows").
 */
const LEAST_COUNT = 2;

/** How much more weight the pairs of the target have than others (bench/accuracy.md, "With a target"). */
const PREDICTOR_WEIGHT = 4;

/** Weights are in units of 2^−10. */
const WEIGHT_UNIT = 2 ** 10;
/** No table weighs less, whatever is known of its columns: an interaction costs a quarter of a table or more. */
export const LEAST_WEIGHT = WEIGHT_UNIT / 2;
/**
 * Nor does a table weigh this many times less than it would by the sizes of its columns: a plan has to pay for the
 * lightest one, and small budgets could not.
 */
export const MOST_LIGHTER = 16;

/**
 * The weights, in whole numbers, by which one-ways and tables divide their parts of the budget. Queries with more cells
 * get more, since their errors are sums over more cells; tables by how many codes their columns use. Those that cost
 * less for the same noise get less (bench/accuracy.md, "Shares").
 * @param rootOf of a column of a table, the square root of the number of codes that it uses
 */
function weightsOf(
  queries: readonly Query[],
  rootOf: (column: number) => number,
  costOf: (query: Query) => number,
  { attributes, target }: Pick<Problem<unknown>, "attributes" | "target">,
): ReadonlyMap<Query, number> {
  const calls = new Calls(workbench());
  // The root is taken of 64 times the cost, which is more than 1.
  for (const query of queries) calls.add("cubeRoot", 64 * Math.min(1, costOf(query)));
  const roots = calls.results().map((root) => root / 4);
  return new Map(
    queries.map((query, at) => {
      const { columns } = query;
      const ofSizes = Math.sqrt(cellsIn(columns.map((column) => attributes[column].size)));
      const root =
        columns.length === 1
          ? Math.sqrt(cellsOf(query, attributes))
          : Math.max(
              columns.reduce((product, column) => product * rootOf(column), roots[at]),
              ofSizes / MOST_LIGHTER,
            );
      const isPredictor = target !== undefined && columns.length === 2 && columns.includes(target);
      return [query, Math.round((isPredictor ? PREDICTOR_WEIGHT : 1) * WEIGHT_UNIT * root)];
    }),
  );
}

/**
 * The square root of the number of codes that a column uses: Σ √(code's fraction of the rows), at least 1. Codes that
 * are equally frequent count as one each, and rare ones for less.
 */
function rootOfUsed(counts: Float64Array): number {
  const rows = counts.reduce((sum, count) => sum + count, 0);
  return counts.reduce((sum, count) => sum + Math.sqrt(count / rows), 0);
}

/** The queries of a workload that may be measured, and those of them that may be left out. */
export interface AskedQueries {
  readonly workload: readonly Query[];
  readonly candidates: readonly Query[];
}

/** A query that shares the budget, its weight, and whether it may be left out. */
interface BudgetClaim {
  readonly query: Query;
  readonly weight: number;
  /** What it costs for the same noise on each cell, as a multiple of what a marginal costs. */
  readonly cost: number;
  readonly isOpen: boolean;
}

/** The queries that share a budget. */
export interface BudgetClaims {
  /** The one-way marginals, and the sum of their weights. */
  readonly oneWays: readonly BudgetClaim[];
  readonly oneWaysWeight: number;
  /** The queries that are measured in any case, and those that may be left out. */
  readonly fixed: readonly Query[];
  readonly candidates: readonly Query[];
  /** The total weight of the fixed queries, and the average weight of a candidate. */
  readonly fixedWeight: number;
  readonly candidateWeight: number;
  /** The most candidates that can be measured. */
  readonly most: number;
  /** A sample of the workload's queries, and how many queries each of them represents. */
  readonly typical: readonly BudgetClaim[];
  readonly times: number;
  /** The candidates in classes by the error of independent columns, largest errors first. */
  readonly ranks: readonly RankClass[];
  /** The weight of a query of the workload, or of a one-way. */
  weightOf(query: Query): number;
  /** Its cost. */
  costOf(query: Query): number;
}

/**
 * A class of candidates: those between two fractions of all candidates, and their Σ|count − product| as a fraction of
 * the rows.
 */
interface RankClass {
  readonly from: number;
  readonly to: number;
  readonly wrong: number;
}

/**
 * @param asked the queries of the workload that may be measured, and those of them that may be left out
 * @param oneWays the one-way marginals that are measured besides them
 * @param asInteractions whether pairs are measured as interactions where these cost less
 * @param counts for each attribute, the rows of each code, not negative; without them, all are taken to be the same
 */
export function budgetClaims(
  { workload, candidates }: AskedQueries,
  oneWays: readonly Query[],
  problem: Pick<Problem<unknown>, "workload" | "attributes" | "target" | "budget" | "unit">,
  asInteractions: boolean,
  counts?: readonly Float64Array[],
): BudgetClaims {
  const { attributes } = problem;
  const terms = sensitivityTerms(problem);
  const open = new Set(candidates);
  const costs = new Map<Query, number>();
  for (const query of [...oneWays, ...problem.workload])
    costs.set(query, costOf((asInteractions && cheaperInteraction(query, terms)) || query, terms));
  const costOfQuery = (query: Query) => costs.get(query)!;
  const roots = attributes.map(({ size }, column) => (counts ? rootOfUsed(counts[column]) : Math.sqrt(size)));
  const weights = weightsOf([...costs.keys()], (column) => roots[column], costOfQuery, problem);
  const weightOf = (query: Query) => weights.get(query)!;
  const claimOf = (query: Query, isOpen: boolean) => ({
    ...{ query, weight: weightOf(query), cost: costOfQuery(query), isOpen },
  });
  const stride = Math.ceil(workload.length / TYPICAL);
  const typical = workload.filter((_, at) => at % stride === 0).map((query) => claimOf(query, open.has(query)));
  const fixed = workload.filter((query) => !open.has(query));
  const weightOfAll = (queries: readonly Query[]) => sumOf(queries.map(weightOf));
  return {
    oneWays: oneWays.map((query) => claimOf(query, false)),
    oneWaysWeight: weightOfAll(oneWays),
    fixed,
    candidates,
    fixedWeight: weightOfAll(fixed),
    candidateWeight: weightOfAll(candidates) / Math.max(1, candidates.length),
    most: candidates.length > MOST_PICKS ? mostPicks(candidates, attributes) : candidates.length,
    typical,
    times: workload.length / typical.length,
    ranks: ranksOf(candidates.length),
    weightOf,
    costOf: costOfQuery,
  };
}

/**
 * The interaction of a pair, where it costs less than the table. (Of more columns, pairs need not be known besides.)
 */
export function cheaperInteraction(query: Query, terms: SensitivityTerms): Query | undefined {
  if (query.columns.length !== 2) return undefined;
  const found = interactionIn(query, terms.schema.attributes);
  return found && costOf(found, terms) < 1 ? found : undefined;
}

function ranksOf(candidates: number): RankClass[] {
  const fall = Math.max(1, candidates) / ranksToFall(candidates);
  const ends = Array.from({ length: CLASSES + 1 }, (_, number) => (number / CLASSES) ** 2);
  const calls = new Calls(workbench());
  for (const end of ends) calls.add("exponential", -fall * end);
  const left = calls.results();
  return ends.slice(1).map((to, number) => {
    const from = ends[number];
    return { from, to, wrong: (MOST_WRONG * (left[number] - left[number + 1])) / (fall * (to - from)) };
  });
}

function mostPicks(candidates: readonly Query[], attributes: readonly Attribute[]): number {
  const sizes = candidates.map((query) => cellsOf(query, attributes)).sort((a, b) => b - a);
  let picks = 0;
  for (let cells = sizes[0]; picks < MOST_PICKS && cells <= MOST_PICKED_CELLS; cells += sizes[picks]) picks++;
  return Math.max(1, picks);
}

/**
 * How a budget of 1 is divided: the fractions for the one-ways, for the choice and for the tables, and the number of
 * candidates chosen.
 */
export interface Division {
  readonly oneWays: number;
  readonly picks: number;
  readonly choice: number;
  readonly tables: number;
  /** The expected error. */
  readonly error: number;
}

/**
 * The division with about the smallest error. Among numbers of candidates whose errors differ by little, compared with
 * what measuring candidates gains at all, the largest number is taken.
 */
export function bestDivision(claims: BudgetClaims, inputs: DivisionInputs): Division {
  const engine = workbench();
  const tried = picksTried(claims).map((picks) => divisionsWith(claims, picks));
  const best = engine.scratch(() => {
    const facts = writeDivision(engine, claims, inputs);
    const counts = tried.map(({ count }) => count);
    const errors = engine.reserve(counts.map((count) => 8 * count));
    const calls = new Calls(engine);
    for (const [at, { picks, first, count, choice }] of tried.entries())
      calls.add("predictErrors", facts, picks, first, count, STEPS - choice, STEPS, errors[at]);
    calls.run();
    return engine.readAll(errors, counts, Float64Array).map((of) => {
      const error = of.reduce((least, other) => Math.min(least, other));
      return { error, step: of.indexOf(error) };
    });
  });
  const least = Math.min(...best.map(({ error }) => error));
  const without = best[best.length - 1].error;
  const found = best.findIndex(({ error }) => error <= least + CLEAR_GAIN * (without - least));
  const { picks, first, choice } = tried[found];
  const again = first + best[found].step;
  const { error } = best[found];
  return { oneWays: again / STEPS, picks, choice: choice / STEPS, tables: (STEPS - choice - again) / STEPS, error };
}

/** The numbers of candidates to try, from as many as can be measured down to 0. */
function picksTried({ most }: BudgetClaims): number[] {
  const tried: number[] = [];
  for (let picks = most; picks > 0; picks = Math.min(picks - 1, Math.floor(picks / PICKS_FACTOR))) tried.push(picks);
  return [...tried, 0];
}

/** Divisions with equally many candidates: the first buys `first` steps of one-ways, each of the others one more. */
interface Divisions {
  readonly picks: number;
  /** The steps that buy the choice. */
  readonly choice: number;
  readonly first: number;
  readonly count: number;
}

function divisionsWith({ fixed, candidates }: BudgetClaims, picks: number): Divisions {
  if (fixed.length + picks === 0) return { picks, choice: 0, first: STEPS, count: 1 };
  const choice = picks > 0 && picks < candidates.length ? CHOICE_STEPS : 0;
  return { picks, choice, first: 0, count: STEPS - choice };
}

/** The known or assumed facts that a division is based on. */
export interface DivisionInputs {
  readonly attributes: readonly Attribute[];
  /** The variance of the noise that the whole budget would leave in one partition. */
  readonly unit: number;
  /** The fraction of the budget that has already been spent on the one-ways. */
  readonly known: number;
  readonly rows: number;
  /** For each attribute, the rows of each code, not negative. */
  readonly counts: readonly Float64Array[];
}

/** Writes what the predicted error of a division depends on. Returns the pointer to its DIVISION struct. */
function writeDivision(
  engine: Instance,
  claims: BudgetClaims,
  { attributes, unit, known, rows, counts }: DivisionInputs,
): number {
  const { oneWays, typical, ranks, candidates } = claims;
  const bytes = new ArrayBuffer(layout.DIVISION_BYTES);
  const [words, numbers] = [new Uint32Array(bytes), new Float64Array(bytes)];
  const [ofOneWays, ofTables] = writeClaims(engine, [oneWays, typical], attributes);
  const fractions = ranks.flatMap(({ from, to, wrong }) => [from, to, wrong]);
  words[layout.DIVISION_COLUMNS / 4] = counts.length;
  words[layout.DIVISION_ONE_WAYS / 4] = oneWays.length;
  words[layout.DIVISION_TABLES / 4] = typical.length;
  words[layout.DIVISION_RANKS / 4] = ranks.length;
  words[layout.DIVISION_COUNTS_AT / 4] = writeCounts(engine, counts);
  words[layout.DIVISION_ONE_WAYS_AT / 4] = ofOneWays;
  words[layout.DIVISION_TABLES_AT / 4] = ofTables;
  words[layout.DIVISION_RANKS_AT / 4] = engine.place(Float64Array.from(fractions));
  words[layout.DIVISION_LEAST_GROUPS / 4] = LEAST_GROUPS;
  words[layout.DIVISION_SCRATCH / 4] = engine.alloc(8 * counts.length);
  numbers[layout.DIVISION_UNIT / 8] = unit;
  numbers[layout.DIVISION_KNOWN / 8] = known;
  numbers[layout.DIVISION_ROWS / 8] = rows;
  numbers[layout.DIVISION_TIMES / 8] = claims.times;
  numbers[layout.DIVISION_CANDIDATES / 8] = candidates.length;
  numbers[layout.DIVISION_ONE_WAYS_WEIGHT / 8] = claims.oneWaysWeight;
  numbers[layout.DIVISION_FIXED_WEIGHT / 8] = claims.fixedWeight;
  numbers[layout.DIVISION_CANDIDATE_WEIGHT / 8] = claims.candidateWeight;
  numbers[layout.DIVISION_MOST_WRONG / 8] = MOST_WRONG;
  numbers[layout.DIVISION_KEPT / 8] = KEPT;
  numbers[layout.DIVISION_LEAST_COUNT / 8] = LEAST_COUNT;
  numbers[layout.DIVISION_MOST_NOISE / 8] = MOST_NOISE;
  return engine.place(new Uint8Array(bytes));
}

/** Writes a COUNTS entry for each column. Returns the pointer to them. */
function writeCounts(engine: Instance, counts: readonly Float64Array[]): number {
  const sums = engine.reserve(counts.map(({ length }) => 8 * (2 * length + 1)));
  engine.scratch(() => {
    const most = counts.reduce((longest, { length }) => Math.max(longest, length), 0);
    const [order, scratch] = engine.reserve([4 * most, 16 * most]);
    const calls = new Calls(engine);
    for (const [at, values] of engine.placeAll(counts).entries())
      calls.add("sumAscending", values, counts[at].length, sums[at], order, scratch);
    calls.run();
  });
  return engine.place(Uint32Array.from(counts.flatMap(({ length }, at) => [length, sums[at]])));
}

/** Writes lists of CLAIM entries. Returns the pointer to each list. */
function writeClaims(
  engine: Instance,
  lists: readonly (readonly BudgetClaim[])[],
  attributes: readonly Attribute[],
): number[] {
  const structs = writeGrouped(
    engine,
    lists.flat().map(({ query }) => query),
    attributes,
  ).values();
  return engine.placeAll(
    lists.map((claims) => {
      const bytes = new ArrayBuffer(layout.CLAIM_BYTES * claims.length);
      const [words, numbers] = [new Uint32Array(bytes), new Float64Array(bytes)];
      for (const [index, { isOpen, weight, cost }] of claims.entries()) {
        const at = index * layout.CLAIM_BYTES;
        words[(at + layout.CLAIM_QUERY) / 4] = structs.next().value!.byCode;
        words[(at + layout.CLAIM_OPEN) / 4] = Number(isOpen);
        numbers[(at + layout.CLAIM_WEIGHT) / 8] = weight;
        numbers[(at + layout.CLAIM_COST) / 8] = cost;
      }
      return new Uint8Array(bytes);
    }),
  );
}
