import { cubeRoot, exponential } from "../core/elementary.js";
import type { Attribute } from "../domain/attribute.js";
import { cellsIn, cellsOf, type Query, shapesOf } from "../queries/query.js";

// How to divide a budget between the one-way marginals of a workload's columns and its tables, some pairs of which may
// be left out, so that the expected error is smallest. The fitted constants are from bench/accuracy.md.

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
const MOST_PICKS = 2000;
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

/**
 * The weights, in whole numbers, by which one-ways and tables divide their parts of the budget. Queries with more cells
 * get more, since their errors are sums over more cells. Most of their cells have almost no rows, so the power is
 * smaller than the ⅔ that errors of cells · √(1 ÷ share) would call for (bench/accuracy.md, "Shares").
 */
export function weightOf(query: Query, attributes: readonly Attribute[]): number {
  const cells = cellsOf(query, attributes);
  return Math.round(2 ** 10 * (query.columns.length === 1 ? Math.sqrt(cells) : cubeRoot(cells)));
}

/** The properties of a query that determine the error of its table. */
interface WeightedQuery {
  readonly query: Query;
  readonly weight: number;
  /** The number of codes of each of its columns. */
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

/** The queries that share a budget. */
export interface BudgetClaims {
  /** The one-way marginals, and the sum of their weights. */
  readonly oneWays: readonly WeightedQuery[];
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
  readonly typical: readonly (WeightedQuery & { readonly isOpen: boolean })[];
  readonly times: number;
  /** The candidates in classes by the error of independent columns, largest errors first. */
  readonly ranks: readonly RankClass[];
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

/**
 * How a budget of 1 is divided: the fractions for the one-ways, for the choice and for the tables, and the number of
 * candidates chosen.
 */
export interface Division {
  readonly oneWays: number;
  readonly picks: number;
  readonly choice: number;
  readonly tables: number;
}

/**
 * The division with about the smallest error. Among numbers of candidates whose errors differ by little, compared with
 * what measuring candidates gains at all, the largest number is taken.
 */
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

/** The numbers of candidates to try, from as many as can be measured down to 0. */
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

/** How the rows of a column are distributed over its codes. */
export interface CodeCounts {
  /** The number of codes with at least `count` rows. */
  above(count: number): number;
  /** The total number of rows of the other codes. */
  below(count: number): number;
}

/** @param counts the rows of each code, not negative */
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

/** The known or assumed facts that a division is based on. */
export interface DivisionInputs {
  /** The variance of the noise that the whole budget would leave in one partition. */
  readonly unit: number;
  /** The fraction of the budget that has already been spent on the one-ways. */
  readonly known: number;
  readonly rows: number;
  /** One per attribute. */
  readonly codeCounts: readonly CodeCounts[];
  /** The sizes of the axes at which a query will be measured with noise of this standard deviation. */
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

/** The expected L1 error, summed over the workload. */
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

/**
 * The error of each column's one-way, averaged over all measurements of its codes by inverse variance. The error of a
 * code is at most its count.
 */
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
 * The error of a table: the error of its margins and that of its interaction, added in quadrature. In codes above the
 * noise, the error of the interaction is the noise in as many directions as their margins have cells, or the
 * interaction itself if that is smaller. Elsewhere it is the interaction itself, as it is for candidates that are not
 * chosen.
 * @param part the fraction of the candidates that is chosen: those with the largest interactions
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
