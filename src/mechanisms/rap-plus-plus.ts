import { AnnealedModel } from "../models/annealed.js";
import { expectSmooth } from "../models/smooth-queries.js";
import { candidateCount, candidateGroups } from "../privacy/candidates.js";
import { filledSettings } from "../projection/settings.js";
import { isColumnSet, type Query } from "../queries/query.js";
import { expectCandidates, expectQueries } from "../selection/choices.js";
import type { Problem } from "../selection/problem.js";
import { columnsOf, type Module, roundsBy, setsOf } from "../selection/rounds.js";
import type { CheckedOptions, Mechanism } from "./mechanism.js";
import { RAP_PLUS_PLUS_OPTIONS } from "./options.js";

/**
 * Sigmoids of the paper's first scale, 2, hardly tell values from 0 to 1 apart: fits that begin there end at several
 * times the error. From 64 on, fits to prefixes do best on the whole (ACS mobility and coverage): at 32, one-ways that
 * the first rows satisfy are blurred, and rows move away from them. Half-spaces do best from half of that.
 */
const DEFAULTS = { method: "annealing", rows: 1000, steepness: 64, stages: 8, steps: 100, rate: 0.03 };
/**
 * By default, the part of all column sets that is chosen at ε = 1, and the most sets and rounds; and the rounds of
 * other queries at ε = 1, and the choices in each. At another ε, there are √ε times as many. The paper has 50 rounds of
 * 10: those of 20 take half the time, and are as accurate on ACS mobility.
 */
const SETS = { part: 0.75, most: 100, rounds: 10 };
const QUERIES = { rounds: 25, picks: 20 };

const settingsOf = ({ search = {} }: Partial<CheckedOptions>) => filledSettings(DEFAULTS, search);

/**
 * RAP++ (Vietri et al., "Private Synthetic Data for Multitask Learning and Marginal Queries", NeurIPS 2022). Rounds of
 * column sets and rounds of other queries take turns, and share the budget by the numbers of columns without and with
 * an order. (The published code measured everything again in each round, and its choices cost twice what it stated.)
 * One-ways come first, as with RAP.
 */
export const rapPlusPlus: Mechanism = {
  name: "rap++",
  table: RAP_PLUS_PLUS_OPTIONS,
  options: ({ search, ...selection }) => ({ ...selection, estimate: "raw", search: settingsOf({ search }) }),
  ...roundsBy<CheckedOptions>({
    start: columnsOf,
    shares: () => ({ start: 0.1, selection: 0.3 }),
    candidates: (problem) => candidateGroups(asked(problem)),
    modules: modulesOf,
    score: () => "max",
  }),
  tables: () => 1,
  model: ({ attributes, options, engines, workload }) =>
    new AnnealedModel(attributes, settingsOf(options), engines, workload),
  memory: (attributes, queries, _rows, _certain, options) =>
    AnnealedModel.bytes(attributes, settingsOf(options).rows, queries),
};

/** @throws {StandinError} `workload/not-smooth`, `options/selection` */
function asked(problem: Problem<CheckedOptions>): Query[] {
  expectSmooth(problem.workload);
  const queries = setsOf(problem);
  expectQueries(queries);
  return queries;
}

/** @throws {StandinError} `options/rounds` where a module has not so many candidates */
function modulesOf(problem: Problem<CheckedOptions>): Module[] {
  const { attributes, budget, options } = problem;
  const ordered = attributes.filter((attribute) => attribute.ordered).length;
  const root = Math.sqrt(budget.epsilon);
  return [true, false].flatMap((ofSets) => {
    const has = (query: Query) => isColumnSet(query) === ofSets;
    const among = candidateCount(candidateGroups(asked(problem).filter(has)));
    if (!among) return [];
    const sets = Math.max(1, Math.min(among, SETS.most, Math.ceil(SETS.part * among * root)));
    const picks = options.perRound ?? (ofSets ? Math.ceil(sets / SETS.rounds) : Math.min(QUERIES.picks, among));
    const most = ofSets ? Math.floor(sets / picks) : Math.round(QUERIES.rounds * root);
    const count = options.rounds ?? Math.max(1, Math.min(most, Math.floor(among / picks)));
    expectCandidates(count, picks, among);
    return [{ has, count, picks, weight: Math.max(1, ofSets ? attributes.length - ordered : ordered) }];
  });
}
