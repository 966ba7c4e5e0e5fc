import { shownNumber } from "../core/arguments.js";
import { StandinError } from "../core/errors.js";
import { finished } from "../core/progress.js";
import { thousands } from "../core/thousands.js";
import type { SignedCell } from "../models/model.js";
import type { Law } from "../privacy/accounting.js";
import { candidateCount, cellsChosen, signedCellGroups } from "../privacy/candidates.js";
import { measurementItems, selectionItems, WEIGHT_ONE } from "../privacy/items.js";
import { isQueryItem } from "../privacy/ledger.js";
import { expectMarginals } from "../queries/cells.js";
import { TOTAL } from "../queries/total.js";
import { expectRounds } from "./choices.js";
import { allPlaces, chosen, measured, scoredBy } from "./draw.js";
import { type Problem, sensitivityTerms, totalOf } from "./problem.js";
import { type Selection, sharesOf, sumOf } from "./selection.js";
import { areWeighted, wholeWeights } from "./weights.js";

/** Where the number of rows is private, the fraction of the budget that buys a noisy one. */
const TOTAL_SHARE = 0.02;
/** The whole budget in the units of weights. */
const WHOLE = 2 ** 40;
/** What was chosen is kept so many times, so that little is lost if the run stops. */
const KEPT = 50;
/** The most choices in all rounds: more would take memory that no plan states. */
export const MOST_CHOICES = 100_000;

/** How signed rounds spend a budget. */
export interface SignedRule {
  readonly rounds: number;
  /** The weight of a round, counted from 0 on: a whole number. Shares of the budget are in proportion. */
  weightOf(round: number): number;
  /** How many candidates each of them chooses, and by which law. */
  readonly picks: number;
  readonly law: Law;
}

/**
 * Rounds that choose cells of the workload's marginals, and complements of cells, by their signed errors: how far the
 * answers of a model, fitted to all choices before, are below the table's. Nothing is measured, and a candidate can be
 * chosen again. If the number of rows is private, a noisy one comes first.
 * @param ruleOf also given how many candidates there are
 */
export const signedRounds = <Options>(
  ruleOf: (problem: Problem<Options>, candidates: number) => SignedRule,
): Selection<Options> => ({
  price(problem) {
    const { attributes, budget, workload } = problem;
    const terms = sensitivityTerms(problem);
    expectMarginals(workload, attributes);
    const candidates = signedCellGroups(workload, attributes);
    const { rounds, weightOf, picks, law } = ruleOf(problem, candidateCount(candidates));
    expectFew(rounds, picks);
    expectEnough(candidateCount(candidates), picks, law);
    const start = budget.publicRows === undefined ? [TOTAL] : [];
    const first = start.length * TOTAL_SHARE * WHOLE;
    const weights = Array.from({ length: rounds }, (_, round) => weightOf(round));
    const all = sumOf(weights);
    const parts = weights.map((weight) => Math.max(1, Math.round(((WHOLE - first) * weight) / all)));
    const share = sharesOf(budget.budget, Math.round(first) + sumOf(parts));
    const how = { score: "signed", law, picks, isWeighted: areWeighted(problem, workload) } as const;
    return {
      items: [
        ...measurementItems(start, () => share(Math.round(first)), terms),
        ...selectionItems(candidates, how, parts.map(share), terms),
      ],
      candidates,
      measured: start,
    };
  },

  async *draws({ problem, ledger, model, seed, onProgress, signal }) {
    const { attributes, workload } = problem;
    const { candidates, items } = ledger;
    const planned = items.flatMap((item) => (item.kind === "selection" ? [item] : []));
    const weightOf = areWeighted(problem, workload) ? wholeWeights(problem, workload, WEIGHT_ONE) : undefined;
    const places = allPlaces(candidates);
    const measurements = [...(yield* measured(items.filter(isQueryItem)))];
    const total = Math.max(1, totalOf(problem, measurements));
    const rounds: (readonly SignedCell[])[] = [];
    const every = Math.ceil(planned.length / KEPT);
    for (const [round, item] of planned.entries()) {
      onProgress?.({ phase: "round", done: round, of: planned.length });
      const choices = { rounds, of: planned.length, perRound: item.picks };
      await finished(model.fit({ measurements, total, adaptive: true, choices }, { rows: 1, seed }), { signal });
      const keep = (round + 1) % every === 0 && round + 1 < planned.length;
      const numbers = yield* chosen(item, scoredBy(model, candidates, places, attributes, weightOf), { keep });
      rounds.push(cellsChosen(candidates, numbers));
    }
  },
});

/** @throws {StandinError} `options/rounds`, `options/perRound` */
function expectFew(rounds: number, picks: number): void {
  expectRounds(rounds);
  if (rounds * picks > MOST_CHOICES)
    throw new StandinError(
      "options/perRound",
      `Rounds would choose ${shownNumber(rounds * picks)} cells and complements in total.`,
      `Use fewer rounds, or choose less in each: at most ${thousands(MOST_CHOICES)} in total.`,
    );
}

/** @throws {StandinError} `options/perRound` */
function expectEnough(candidates: number, picks: number, law: Law): void {
  if (picks > candidates && law !== "replacement")
    throw new StandinError(
      "options/perRound",
      `Each round would choose ${picks} of ${candidates} cells and complements.`,
      "Use fewer.",
    );
}
