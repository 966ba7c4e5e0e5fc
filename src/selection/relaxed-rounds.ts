// The rounds of RAP and RAPsoftmax.
import { type CandidateGroup, candidateCount } from "../privacy/candidates.js";
import { asksForCells, expectMarginals } from "../queries/cells.js";
import { expectCandidates, marginalsOrCells } from "./choices.js";
import type { Problem } from "./problem.js";
import { columnsOf, onlyModule, roundsBy, setsOf } from "./rounds.js";

/** What such rounds choose, and how often: the options that they have. */
export interface RelaxedOptions {
  readonly selection?: string;
  readonly rounds?: number;
  readonly perRound?: number;
}

/**
 * The default number of rounds that choose cells, and of cells that each chooses at ε = 1; at another ε, times √ε. And
 * the part of all marginals that rounds choose one by one at ε = 1, and the most rounds: as private-gsd's.
 */
const ROUNDS = 10;
const CELLS = 10;
const MARGINALS = 0.75;
const MOST_ROUNDS = 50;

/**
 * One-ways that the first rows are fitted to, for a tenth of the budget, then rounds. The papers start without any, and
 * spend as much on choices as on measurements. A choice among thousands of cells needs more: with half, cells whose
 * error is large go unseen (`npm run bench -- rap rap-64`: .0183 and .0239 at ε = 1, and .0151 and .0197 with this).
 * Each query is measured once, with noise of its own.
 */
export const relaxedRounds = roundsBy<RelaxedOptions>({
  start: columnsOf,
  shares: ({ selection = "cells" }) => ({ start: 0.1, selection: selection === "cells" ? 0.7 : 0.5 }),
  candidates: candidatesOf,
  modules: (problem) => onlyModule(countsOf(problem)),
  score: ({ selection }) => (selection === "l1" ? "l1" : "max"),
});

/** @throws {StandinError} `workload/not-marginals`, `options/selection` */
function candidatesOf({ workload, attributes, options }: Problem<RelaxedOptions>): CandidateGroup[] {
  expectMarginals(workload, attributes, asksForCells);
  return marginalsOrCells(setsOf({ workload }), attributes, options.selection ?? "cells");
}

/** @throws {StandinError} `options/rounds` where there are not so many candidates */
function countsOf(problem: Problem<RelaxedOptions>): { count: number; picks: number } {
  const among = candidateCount(candidatesOf(problem));
  const { rounds, perRound, selection = "cells" } = problem.options;
  const root = Math.sqrt(problem.budget.epsilon);
  const [usual, most] =
    selection === "cells"
      ? [ROUNDS, Math.round(CELLS * root)]
      : [Math.min(MOST_ROUNDS, Math.ceil(MARGINALS * among * root)), 1];
  // ε may be 0 where δ alone already covers ρ.
  const count = rounds ?? Math.max(1, Math.min(usual, among));
  const picks = perRound ?? Math.max(1, Math.min(most, Math.floor(among / count)));
  expectCandidates(count, picks, among);
  return { count, picks };
}
