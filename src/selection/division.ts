import { cubeRoot, exponential } from "../core/elementary.js";
import { cellsIn, cellsOf, type Query, shapesOf } from "../queries/query.js";
import type { Attribute } from "../schema/schema.js";

// How a budget is best divided between the columns of a workload by themselves and its tables, of which some pairs may be left out: so that
// the error to expect is least.

/** A budget is divided in whole steps of this part. */
export const STEPS = 40;
/** What the choice of pairs costs, in steps, where some are left out. */
const CHOICE_STEPS = 2;
/** Numbers of pairs are tried in steps of this factor. */
const PICKS_FACTOR = 1.2;
/** Pairs are left out for more than this part of what measuring pairs gains: predictions are no more exact. */
const CLEAR_GAIN = 0.01;
/** More pairs than this, or pairs with more cells than this together, take long to search, and hardly any table has rows for them. */
const MOST_PICKS = 2000;
const MOST_PICKED_CELLS = 2 ** 25;
/**
 * What independent columns are wrong by, Σ|count − product| as a part of the rows, falls over the pairs of real tables, largest first,
 * about as MOST_WRONG · e^(−rank ÷ r): r is a quarter of the pairs, but more of few columns, which all lean on each other, and less of many, which lean
 * on few others each (bench/accuracy.md).
 */
const MOST_WRONG = 0.6;
const ranksToFall = (pairs: number): number => Math.max(25, Math.min(pairs / 4, 8 * Math.sqrt(pairs)));
/** In how many classes the ranks are taken, smaller ones for the first. */
const CLASSES = 20;
/** Shrinkage leaves about this many times the noise that a table of one singular value has. */
const KEPT = 1.5;
/** So many tables, spread over the workload, stand for all when an error is predicted. */
const TYPICAL = 60;
/** A code is told from the noise where it has so many deviations of it: the estimates leave the others as their margins imply. */
const LEAST_COUNT = 2;

/**
 * How one-ways, and how tables, share what they have, in whole numbers: more for those of more cells, whose errors are the sum of more.
 * Most of their cells have hardly a row, so that it is less than the ⅔ power, which errors of cells · √(1 ÷ share) would ask for.
 */
export function weightOf(query: Query, attributes: readonly Attribute[]): number {
  const cells = cellsOf(query, attributes);
  return Math.round(2 ** 10 * (query.columns.length === 1 ? Math.sqrt(cells) : cubeRoot(cells)));
}

/** What the error of a query's table follows from. */
interface WeightedQuery {
  readonly query: Query;
  readonly weight: number;
  /** How many codes its columns have. */
  readonly sizes: readonly number[];
  readonly partitions: number;
}

function weightedQuery(query: Query, attributes: readonly Attribute[]): WeightedQuery {
  const shapes = shapesOf(query, attributes);
  return {
    query,
    weight: weightOf(query, attributes),
    sizes: shapes[shapes.length - 1],
    partitions: shapes.length,
  };
}

/** What a budget is divided between. */
export interface BudgetClaims {
  /** The columns by themselves, and the sum of their weights. */
  readonly oneWays: readonly WeightedQuery[];
  readonly oneWaysWeight: number;
  /** The queries that are measured in any case, and those that may be left out. */
  readonly fixed: readonly Query[];
  readonly candidates: readonly Query[];
  /** The weights of the fixed together, and of a candidate on average. */
  readonly fixedWeight: number;
  readonly candidateWeight: number;
  /** How many candidates can be measured. */
  readonly most: number;
  /** Some of the workload's queries, and how many each stands for. */
  readonly typical: readonly (WeightedQuery & { readonly isOpen: boolean })[];
  readonly times: number;
  /** The candidates by how wrong independent columns are about them, the worst first. */
  readonly ranks: readonly RankClass[];
}

/** A class of candidates: those between two parts of all, and Σ|count − product| as a part of the rows. */
interface RankClass {
  readonly from: number;
  readonly to: number;
  readonly wrong: number;
}

export function budgetClaims(
  workload: readonly Query[],
  candidates: readonly Query[],
  oneWays: readonly Query[],
  attributes: readonly Attribute[],
): BudgetClaims {
  const open = new Set(candidates);
  const stride = Math.ceil(workload.length / TYPICAL);
  const typical = workload
    .filter((_, at) => at % stride === 0)
    .map((query) => ({ ...weightedQuery(query, attributes), isOpen: open.has(query) }));
  const fixed = workload.filter((query) => !open.has(query));
  const weightsOf = (queries: readonly Query[]) => queries.reduce((sum, query) => sum + weightOf(query, attributes), 0);
  return {
    oneWays: oneWays.map((query) => weightedQuery(query, attributes)),
    oneWaysWeight: weightsOf(oneWays),
    fixed,
    candidates,
    fixedWeight: weightsOf(fixed),
    candidateWeight: weightsOf(candidates) / Math.max(1, candidates.length),
    most: candidates.length > MOST_PICKS ? mostPicks(candidates, attributes) : candidates.length,
    typical,
    times: workload.length / typical.length,
    ranks: ranksOf(candidates.length),
  };
}

function ranksOf(candidates: number): RankClass[] {
  const fall = Math.max(1, candidates) / ranksToFall(candidates);
  return Array.from({ length: CLASSES }, (_, number) => {
    const [from, to] = [number, number + 1].map((end) => (end / CLASSES) ** 2);
    const wrong = (MOST_WRONG * (exponential(-fall * from) - exponential(-fall * to))) / (fall * (to - from));
    return { from, to, wrong };
  });
}

function mostPicks(candidates: readonly Query[], attributes: readonly Attribute[]): number {
  const sizes = candidates.map((query) => cellsOf(query, attributes)).sort((a, b) => b - a);
  let picks = 0;
  for (let cells = sizes[0]; picks < MOST_PICKS && cells <= MOST_PICKED_CELLS; cells += sizes[picks]) picks++;
  return Math.max(1, picks);
}

/** Parts of a budget, the whole of 1: of the one-ways, of the choice, and of the tables; and how many candidates are chosen. */
export interface Division {
  readonly oneWays: number;
  readonly picks: number;
  readonly choice: number;
  readonly tables: number;
}

/** The division of about the least error: of numbers of candidates that differ by little of what measuring them gains at all, the largest. */
export function bestDivision(claims: BudgetClaims, inputs: DivisionInputs): Division {
  const tried = picksTried(claims).map((picks) => {
    const [first, ...others] = divisionsWith(claims, picks).map((division) => ({
      division,
      error: predictedError(claims, inputs, division),
    }));
    return others.reduce((best, other) => (other.error < best.error ? other : best), first);
  });
  const errors = tried.map(({ error }) => error);
  const least = Math.min(...errors);
  const without = errors[errors.length - 1];
  return tried.find(({ error }) => error <= least + CLEAR_GAIN * (without - least))!.division;
}

/** From all candidates that can be measured to none. */
function picksTried({ most }: BudgetClaims): number[] {
  const tried: number[] = [];
  for (let picks = most; picks > 0; picks = Math.min(picks - 1, Math.floor(picks / PICKS_FACTOR))) tried.push(picks);
  return [...tried, 0];
}

function divisionsWith({ fixed, candidates }: BudgetClaims, picks: number): Division[] {
  if (fixed.length + picks === 0) return [{ oneWays: 1, picks, choice: 0, tables: 0 }];
  const choice = picks > 0 && picks < candidates.length ? CHOICE_STEPS : 0;
  return Array.from({ length: STEPS - choice }, (_, step) => ({
    oneWays: step / STEPS,
    picks,
    choice: choice / STEPS,
    tables: (STEPS - choice - step) / STEPS,
  }));
}

/** Where the rows of a column are. */
export interface CodeCounts {
  /** How many codes have at least so many rows. */
  above(count: number): number;
  /** How many rows the other codes have together. */
  below(count: number): number;
}

/** @param counts of the codes, not negative */
export function codeCounts(counts: Float64Array): CodeCounts {
  const ascending = counts.slice().sort();
  const sums = [0];
  for (const count of ascending) sums.push(sums[sums.length - 1] + count);
  const rank = (count: number) => {
    let [low, high] = [0, ascending.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (ascending[middle] < count) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  return { above: (count) => ascending.length - rank(count), below: (count) => sums[rank(count)] };
}

/** What is known, or taken for known, when a budget is divided. */
export interface DivisionInputs {
  /** The variance of the noise that the whole budget would leave in one partition. */
  readonly unit: number;
  /** What the one-ways have had already, in parts of the budget. */
  readonly known: number;
  readonly rows: number;
  /** For each attribute. */
  readonly codeCounts: readonly CodeCounts[];
  /** The sizes of the axes at which a query will be measured with noise of this deviation. */
  shapeOf(query: Query, sigma: number): readonly number[];
}

/** A table as it would be measured. */
interface PlannedTable {
  readonly terms: WeightedQuery;
  readonly sigma: number;
  readonly shape: readonly number[];
  /** Whether it is a candidate. */
  readonly isOpen: boolean;
}

/** Σ over the workload of the L1 error to expect. */
function predictedError(claims: BudgetClaims, inputs: DivisionInputs, division: Division): number {
  const { candidates, typical, times } = claims;
  const { unit, shapeOf } = inputs;
  const { tables, picks } = division;
  const part = candidates.length ? picks / candidates.length : 0;
  const measured = claims.fixedWeight + picks * claims.candidateWeight;
  const planned = typical.map((terms): PlannedTable => {
    const sigma = tables ? Math.sqrt((unit * terms.partitions * measured) / (tables * terms.weight)) : Infinity;
    return { terms, sigma, shape: tables ? shapeOf(terms.query, sigma) : terms.sizes, isOpen: terms.isOpen };
  });
  const errors = oneWayErrors(claims, inputs, division, planned);
  return (
    times *
    planned.reduce((sum, table) => {
      const { columns } = table.terms.query;
      const ofMargins = columns.reduce((squares, column) => squares + errors.get(column)! ** 2, 0);
      return sum + (columns.length > 1 ? tableError(table, claims, inputs, part, ofMargins) : Math.sqrt(ofMargins));
    }, 0)
  );
}

/** For each column the error of its one-way, averaged over all measurements of its codes by inverse variance; a code's is no more than its count. */
function oneWayErrors(
  { oneWays, oneWaysWeight, candidates, times }: BudgetClaims,
  { unit, known, codeCounts }: DivisionInputs,
  { oneWays: again, picks }: Division,
  planned: readonly PlannedTable[],
): Map<number, number> {
  const precisions = new Map<number, number>();
  const add = (column: number, precision: number) => precisions.set(column, (precisions.get(column) ?? 0) + precision);
  for (const { query, partitions, weight } of oneWays)
    add(query.columns[0], ((known + again) * weight) / (oneWaysWeight * partitions * unit));
  for (const { terms, shape, sigma, isOpen } of planned) {
    const { query, sizes } = terms;
    const tables = times * (isOpen ? picks / candidates.length : 1);
    const cells = cellsIn(shape);
    for (const [axis, column] of query.columns.entries())
      if (shape[axis] === sizes[axis]) add(column, (tables * sizes[axis]) / (cells * sigma ** 2));
  }
  return new Map(
    Array.from(precisions, ([column, precision]) => {
      const sigma = 1 / Math.sqrt(precision);
      const { above, below } = codeCounts[column];
      return [column, sigma * above(sigma) + below(sigma)];
    }),
  );
}

/**
 * The error of a table: that of its margins, and in quadrature that of its interaction. In the codes that are told from the noise this is the noise in
 * as many directions as their margins have cells, unless the interaction is smaller; elsewhere it is the interaction itself, as in candidates
 * that are not chosen.
 * @param part of the candidates, what is chosen: the largest interactions
 * @param ofMargins the squared error of the margins
 */
function tableError(
  { terms, shape, sigma, isOpen }: PlannedTable,
  { ranks }: BudgetClaims,
  inputs: DivisionInputs,
  part: number,
  ofMargins: number,
): number {
  const { query, sizes } = terms;
  const { rows, codeCounts } = inputs;
  const least = LEAST_COUNT * sigma;
  let told = 1;
  const seen = shape.map((size, axis) => {
    if (size < sizes[axis]) return size;
    const { above, below } = codeCounts[query.columns[axis]];
    told *= 1 - below(least) / rows;
    return above(least);
  });
  const cells = cellsIn(seen);
  const directions = seen.reduce((sum, size) => sum + cells / size, 0);
  const noise = cells ? KEPT * sigma * Math.sqrt(cells * directions) : 0;
  const measured = (most: number) =>
    cells ? (1 - told) * most + noise / Math.sqrt(1 + (noise / (told * most)) ** 2) : most;
  const whole = (error: number) => Math.sqrt(ofMargins + error * error);
  if (!isOpen) return whole(measured(MOST_WRONG * rows));
  return ranks.reduce((sum, { from, to, wrong }) => {
    const chosen = Math.max(0, Math.min(1, (part - from) / (to - from)));
    const error = (chosen && chosen * whole(measured(wrong * rows))) + (1 - chosen) * whole(wrong * rows);
    return sum + (to - from) * error;
  }, 0);
}
