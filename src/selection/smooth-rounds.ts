// The rounds of RAP++.
import { expectSmooth } from "../models/smooth-queries.js";
import { candidateCount, candidateGroups } from "../privacy/candidates.js";
import { isColumnSet, type Query } from "../queries/query.js";
import { expectCandidates, expectQueries } from "./choices.js";
import type { Problem } from "./problem.js";
import { columnsOf, type Module, roundsBy, setsOf } from "./rounds.js";

/** How many rounds there are of each kind, and how many choices in each of them. */
export interface SmoothOptions {
  readonly rounds?: number;
  readonly perRound?: number;
}

/**
 * By default, the part of all column sets that is chosen at ε = 1, and the most sets and rounds; and the rounds of
 * other queries at ε = 1, and the choices in each. At another ε, there are √ε times as many. The paper has 50 rounds of
 * 10: those of 20 take half the time, and are as accurate on ACS mobility.
 */
const SETS = { part: 0.75, most: 100, rounds: 10 };
const QUERIES = { rounds: 25, picks: 20 };

/**
 * Rounds of column sets and rounds of other queries take turns, and share the budget by the numbers of columns without
 * and with an order. One-ways come first, as with RAP.
 */
export const smoothRounds = roundsBy<SmoothOptions>({
  start: columnsOf,
  shares: () => ({ start: 0.1, selection: 0.3 }),
  candidates: (problem) => candidateGroups(asked(problem)),
  modules: modulesOf,
  score: () => "max",
});

/** @throws {StandinError} `workload/not-smooth`, `options/selection` */
function asked(problem: Problem<SmoothOptions>): Query[] {
  expectSmooth(problem.workload);
  const queries = setsOf(problem);
  expectQueries(queries);
  return queries;
}

/** @throws {StandinError} `options/rounds` where a module has not so many candidates */
function modulesOf(problem: Problem<SmoothOptions>): Module[] {
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
