import { finished } from "../core/progress.js";
import type { Attribute } from "../domain/attribute.js";
import { type CandidateGroup, candidateAt, candidateCount, candidateGroups } from "../privacy/candidates.js";
import { type Item, measurementItems, openItem, selectionItem, WEIGHT_ONE } from "../privacy/items.js";
import { isQueryItem } from "../privacy/ledger.js";
import { countOf, membersAt } from "../queries/members.js";
import { cellsOf, isColumnSet, type Query, queryOf } from "../queries/query.js";
import { expectCandidates } from "./choices.js";
import { allPlaces, chosen, measured, placesWhere, scoredBy, withoutChosen } from "./draw.js";
import { allOf, type Limit } from "./limit.js";
import { noiseDistances } from "./noise.js";
import type { SelectionOptions } from "./options.js";
import { observationsInRounds, type Problem, sensitivityTerms } from "./problem.js";
import { type Selection, sharesOf, sumOf } from "./selection.js";
import { areWeighted, wholeWeights } from "./weights.js";

/**
 * Rounds fit models of this many rows, as many as Liu et al. 2023 use (Table 7): enough to find what is most wrong
 * (bench/adaptive.md).
 */
export const ROUND_ROWS = 2000;

/** The whole budget in the units of weights. */
const WHOLE = 2 ** 40;
/**
 * The fraction of the budget that buys noisy one-ways, which the first rows are drawn from, and the fraction of the
 * rest that buys choices (bench/adaptive.md).
 */
const ONE_WAYS = 0.1;
const SELECTION = 0.3;
/**
 * More rounds than this take long and barely improve the choice (bench/adaptive.md). Beyond this number, each round
 * chooses several candidates.
 */
const MOST_ROUNDS = 50;
/**
 * At most this many queries per column count towards the number of measurements: more sets would add little that is new
 * (bench/adaptive.md).
 */
const QUERIES_PER_COLUMN = 10;
/**
 * So many members of random sets are measured per column at ε = 1, and at any other ε in proportion. Each has one
 * answer and says less than a column set, so it takes more of them. With fewer, errors are larger at ε = 1, and with
 * more at ε = 0.07 (bench/adaptive.md).
 */
const MEMBERS_PER_COLUMN = 30;
/** More would make the search slow. */
const MOST_MEMBERS = 10_000;

/** Rounds that choose among the same candidates. */
export interface Module {
  /** Whether it chooses among those that a query of the workload stands for. */
  has(query: Query): boolean;
  /** How many rounds it has, and how many candidates each of them chooses. */
  readonly count: number;
  readonly picks: number;
  /** Its part of the budget for rounds, relative to those of the other modules. Above 0. */
  readonly weight: number;
}

/** The only module of rounds that choose among all candidates. */
export const onlyModule = ({ count, picks }: Pick<Module, "count" | "picks">): readonly Module[] => [
  { has: () => true, count, picks, weight: 1 },
];

/** What rounds choose among, and how they spend a budget. */
export interface RoundsRule<Options> {
  /** What is measured before the first round. */
  start(problem: Problem<Options>): readonly Query[];
  /** The fraction of the budget that buys it, if there is anything, and the fraction of the rest that buys choices. */
  shares(options: Options): { readonly start: number; readonly selection: number };
  candidates(problem: Problem<Options>): CandidateGroup[];
  /** One or more, whose rounds take turns. */
  modules(problem: Problem<Options>): readonly Module[];
  score(options: Options): "max" | "l1" | "aim";
  /** Which candidates a round may choose, if not all that are left. If none of these, all are left again. */
  limit?(problem: Problem<Options>): Limit;
}

/**
 * Rounds by a rule. In each, a model is fitted to everything measured so far, and the candidates that it is most wrong
 * about are chosen and measured (the adaptive measurements of Liu, Vietri and Wu, "Iterative Methods for Private
 * Synthetic Data", NeurIPS 2021, Algorithm 1). A query that has been chosen is no longer a candidate. Errors are
 * multiplied by the candidates' weights before they are compared. Rounds that would choose everything choose nothing.
 */
export const roundsBy = <Options>(rule: RoundsRule<Options>): Selection<Options> => ({
  price(problem) {
    const { attributes, budget, options } = problem;
    const terms = sensitivityTerms(problem);
    const candidates = rule.candidates(problem);
    const sets = queriesOf(candidates);
    const score = rule.score(options);
    const isWeighted = score === "aim" || areWeighted(problem, sets);
    const start = rule.start(problem);
    const modules = rule.modules(problem);
    const weights = sumOf(modules.map(({ weight }) => weight));
    const shares = rule.shares(options);
    const first = start.length ? shares.start : 0;
    const part = (share: number, among: number) => Math.max(1, Math.round((WHOLE * share) / among));
    const each = part(first, start.length || 1);
    const priced = modules.map((module) => {
      const { count, picks } = module;
      const among = amongOf(module, candidates);
      const own = ((1 - first) * module.weight) / weights;
      const selection = leavesSome(module, rule, among) ? part(own * shares.selection, count) : 0;
      const measurement = part(own * (selection ? 1 - shares.selection : 1), count * picks);
      return { ...module, selection, measurement, among };
    });
    const total = priced.reduce(
      (sum, { count, picks, selection, measurement }) => sum + BigInt(count) * BigInt(selection + picks * measurement),
      BigInt(each) * BigInt(start.length),
    );
    const share = sharesOf(budget.budget, total);
    const choosing = priced.filter(({ selection }) => selection);
    // A release numbers the candidates of all modules, so these make up its selections.
    const rounds = choosing.map(({ picks, selection, measurement, among }) => [
      selectionItem(candidates, { score, picks, isWeighted }, share(selection), terms),
      ...new Array<Item>(picks).fill(openItem(among, share(measurement), terms)),
    ]);
    const measuringAll = priced.filter(({ selection }) => !selection);
    return {
      items: [
        ...measurementItems(start, () => share(each), terms),
        ...measuringAll.flatMap(({ among, measurement }) =>
          measurementItems(queriesOf(among), (_, at) => share(among[at].count * measurement), terms),
        ),
        ...inTurn(choosing).flatMap((module) => rounds[choosing.indexOf(module)]),
      ],
      candidates: choosing.length ? candidates : [],
      measured: [
        ...start,
        ...measuringAll.flatMap(({ among }) => queriesOf(among)),
        ...choosing.flatMap(({ count, picks, among }) => mostMeasured(among, count * picks, attributes)),
      ],
    };
  },

  async *draws({ problem, ledger, model, seed, onProgress, signal }) {
    const { candidates, items } = ledger;
    const terms = sensitivityTerms(problem);
    const planned = items.flatMap((item, at) =>
      item.kind === "selection" ? [{ item, share: items[at + 1].share }] : [],
    );
    const sets = queriesOf(candidates);
    const isBiased = rule.score(problem.options) === "aim";
    const isWeighted = isBiased || areWeighted(problem, sets);
    const weightOf = isWeighted ? wholeWeights(problem, sets, WEIGHT_ONE) : undefined;
    const within = rule.limit?.(problem) ?? allOf;
    const turns = inTurn(
      rule.modules(problem).filter((module) => leavesSome(module, rule, amongOf(module, candidates))),
    );
    let left = allPlaces(candidates);
    const measurements = [...(yield* measured(items.filter(isQueryItem), { keep: planned.length > 0 }))];
    for (const [round, { item, share }] of planned.entries()) {
      onProgress?.({ phase: "round", done: round, of: planned.length });
      await finished(model.fit(observationsInRounds(problem, measurements), fitOptions(seed, round)), { signal });
      const asked = measurements.map(({ query }) => query);
      const fitting = (some: readonly Query[]) => within(some, asked, (round + 1) / planned.length);
      let open = fitting(sets.filter((set, at) => turns[round].has(set) && left[at].length));
      if (!open.length) {
        left = allPlaces(candidates);
        open = fitting(sets.filter((set) => turns[round].has(set)));
      }
      const compared = new Set(open);
      const places = placesWhere(candidates, left, (query) => compared.has(query));
      const biasOf = isBiased ? noiseDistances(sets, share, terms) : undefined;
      const among = scoredBy(model, candidates, places, problem.attributes, weightOf, biasOf);
      const numbers = yield* chosen(item, among);
      left = withoutChosen(candidates, left, numbers);
      const picked = numbers.map((number) => candidateAt(candidates, number));
      const measure = measurementItems(picked, () => share, terms);
      measurements.push(...(yield* measured(measure, { keep: round + 1 < planned.length })));
    }
  },
});

const amongOf = (module: Module, candidates: readonly CandidateGroup[]) =>
  candidates.filter(({ query }) => module.has(query));

/**
 * Whether a module's rounds leave any of its candidates unchosen. Otherwise there is nothing to choose: a choice would
 * cost budget and say nothing, so all are measured at once. Those that one query asks for are measured as that query:
 * the cells of a marginal together cost as much as one of them alone.
 */
const leavesSome = (
  { count, picks }: Module,
  { limit }: Pick<RoundsRule<never>, "limit">,
  among: readonly CandidateGroup[],
) => limit !== undefined || count * picks < sumOf(among.map((group) => group.count));

const queriesOf = (groups: readonly CandidateGroup[]): Query[] => groups.map(({ query }) => query);

/** The module of each round: the next is that which has had the smallest part of its rounds. */
function inTurn<M extends Module>(modules: readonly M[]): M[] {
  return modules
    .flatMap((module) => Array.from({ length: module.count }, (_, done) => ({ module, part: done / module.count })))
    .sort((a, b) => a.part - b.part)
    .map(({ module }) => module);
}

/** Noisy one-ways, then rounds. The members of a set of random queries are candidates one by one. */
export const rounds: Selection<SelectionOptions> = roundsBy({
  start: columnsOf,
  shares: () => ({ start: ONE_WAYS, selection: SELECTION }),
  candidates: (problem) => candidateGroups(setsOf(problem)),
  modules: (problem) => onlyModule(roundsFor(problem)),
  score: ({ selection }) => (selection === "l1" ? "l1" : "max"),
});

/** Every round searches with its own seed. */
export const fitOptions = (seed: number, round: number) => ({ rows: ROUND_ROWS, seed: (seed + round + 1) >>> 0 });

/** The queries of the workload that rounds can choose from: all except single columns. */
export const setsOf = ({ workload }: Pick<Problem<unknown>, "workload">): Query[] =>
  workload.filter((query) => query.columns.length > 1 || !isColumnSet(query));

/** The one-way marginals of the workload's columns. */
export function columnsOf({ workload, attributes }: Pick<Problem<unknown>, "workload" | "attributes">): Query[] {
  const columns = new Set(workload.flatMap((query) => query.columns));
  return [...columns].sort((a, b) => a - b).map((column) => queryOf([column], attributes));
}

/** The most that choosing `count` candidates measures: the largest queries, and as many members of each set. */
function mostMeasured(
  candidates: readonly CandidateGroup[],
  count: number,
  attributes: readonly Attribute[],
): readonly Query[] {
  const sets = candidates.filter((group) => group.count > 1);
  const single = candidates.filter((group) => group.count === 1).map(({ one }) => one);
  const members = sets.flatMap((group) => {
    const places = Array.from({ length: Math.min(count, group.count) }, (_, place) => place);
    return countOf(group.query) > 1 ? [membersAt(group.query, places)] : places.map(group.at);
  });
  return [...largest(single, count, attributes), ...members];
}

/** The `count` largest of these queries: the most that a search has to hold. */
export function largest(queries: readonly Query[], count: number, attributes: readonly Attribute[]): Query[] {
  const bySize = queries
    .map((query) => ({ query, cells: cellsOf(query, attributes) }))
    .sort((a, b) => b.cells - a.cells);
  return bySize.slice(0, count).map(({ query }) => query);
}

/**
 * The number of rounds, and of choices per round, by default ¾ √ε of the queries in total, and 30 ε per column of the
 * members of random sets. Fitted to real tables (bench/adaptive.md): fewer leave errors undetected, more are dominated
 * by noise.
 * @throws {StandinError} `options/rounds` where there are not so many candidates
 */
export function roundsFor(problem: Problem<SelectionOptions>): { count: number; picks: number; isAll: boolean } {
  const { budget, options } = problem;
  const candidates = candidateGroups(setsOf(problem));
  const among = candidateCount(candidates);
  const [count, picks] = countsFor(candidates, columnsOf(problem).length, budget.epsilon, options);
  expectCandidates(count, picks, among, "Use fewer, or no selection: all are then measured at once.");
  return { count, picks, isAll: count * picks === among };
}

function countsFor(
  candidates: readonly CandidateGroup[],
  columns: number,
  epsilon: number,
  { rounds, perRound }: SelectionOptions,
): [number, number] {
  if (rounds !== undefined) return [rounds, perRound ?? 1];
  const single = candidates.filter(({ count }) => count === 1).length;
  const members = candidateCount(candidates) - single;
  const telling = Math.min(single, QUERIES_PER_COLUMN * columns);
  const queries = Math.min(single, Math.ceil(0.75 * telling * Math.sqrt(epsilon)));
  const ofSets = Math.min(members, MOST_MEMBERS, Math.ceil(MEMBERS_PER_COLUMN * columns * epsilon));
  // ε may be 0 where δ alone already covers ρ.
  const measured = Math.max(1, queries + ofSets);
  const picks = perRound ?? Math.ceil(measured / MOST_ROUNDS);
  return [Math.max(1, Math.floor(measured / picks)), picks];
}
