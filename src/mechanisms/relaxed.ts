// What RAP and RAPsoftmax share: adaptive rounds, and relaxed rows as the model.
import { StandinError } from "../core/errors.js";
import { expectCells, RelaxedModel, type RelaxedSettings } from "../models/relaxed.js";
import { candidateCount, candidateGroups, cellGroups } from "../privacy/candidates.js";
import { filledSettings } from "../projection/settings.js";
import { TOTAL } from "../queries/total.js";
import type { Problem } from "../selection/problem.js";
import { roundsBy } from "../selection/rounds.js";
import type { CheckedOptions, Mechanism } from "./mechanism.js";
import { RELAXED_OPTIONS } from "./options.js";

/** The default number of rounds, and of choices in each. */
interface Counts {
  readonly rounds: number;
  readonly perRound: number;
}

/** @param defaults the settings of its fits, with the method's name */
export function relaxedMechanism(
  name: string,
  relaxation: RelaxedSettings["relaxation"],
  defaults: { readonly method: string; readonly rows: number; readonly steps: number; readonly rate: number },
  counts: Counts,
): Mechanism {
  const rounds = roundsBy<CheckedOptions>({
    // Without the declared n, N̂ has to be bought.
    start: ({ budget }) => (budget.publicRows === undefined ? [TOTAL] : []),
    shares: { start: 0.02, selection: 0.5 },
    candidates: candidatesOf,
    counts: (problem) => countsOf(problem, counts),
    score: ({ selection }) => (selection === "l1" ? "l1" : "max"),
  });
  const settingsOf = ({ search }: Pick<CheckedOptions, "search">): RelaxedSettings => ({
    ...filledSettings(defaults, search),
    relaxation,
  });
  return {
    name,
    table: RELAXED_OPTIONS,
    options: ({ search = {}, ...selection }) => ({
      ...selection,
      estimate: "raw",
      search: filledSettings({ ...defaults }, search),
    }),
    ...rounds,
    tables: () => 1,
    model: ({ attributes, options }) => new RelaxedModel(attributes, settingsOf(options)),
    memory: (attributes, queries, _rows, _certain, options) =>
      RelaxedModel.bytes(attributes, settingsOf(options), queries),
  };
}

function candidatesOf({ workload, attributes, options }: Problem<CheckedOptions>) {
  expectCells(workload);
  const { selection = "cells" } = options;
  return selection === "cells" ? cellGroups(workload, attributes) : candidateGroups(workload);
}

/** @throws {StandinError} `options/rounds` where there are not so many candidates */
function countsOf(problem: Problem<CheckedOptions>, defaults: Counts) {
  const among = candidateCount(candidatesOf(problem));
  const { rounds, perRound } = problem.options;
  const count = rounds ?? Math.min(defaults.rounds, among);
  const picks = perRound ?? Math.max(1, Math.min(defaults.perRound, Math.floor(among / count)));
  if (count * picks <= among) return { count, picks };
  throw new StandinError(
    "options/rounds",
    `${count} rounds of ${picks} would choose ${count * picks} of ${among} candidates.`,
    "Use fewer.",
  );
}
