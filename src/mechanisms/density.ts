// What MWEM, PEP and their versions with public rows share: adaptive rounds, and explicit densities as the model.
import { either } from "../core/arguments.js";
import { StandinError } from "../core/errors.js";
import type { OptionTable, Settings } from "../core/option-table.js";
import { DensityModel, type DensityUpdates, expectSmallParts } from "../models/density.js";
import { OUTPUTS, type Output } from "../models/density-part.js";
import { domainParts } from "../models/domain-parts.js";
import { type CandidateGroup, candidateCount, candidateGroups, cellGroups } from "../privacy/candidates.js";
import { filledSettings } from "../projection/settings.js";
import type { Problem } from "../selection/problem.js";
import { columnsOf, roundsBy, setsOf } from "../selection/rounds.js";
import type { CheckedOptions, Mechanism } from "./mechanism.js";

const rounds = roundsBy<CheckedOptions>({
  start: columnsOf,
  shares: { start: 0.2, selection: 0.5 },
  candidates: candidatesOf,
  counts: countsOf,
  score: ({ selection }) => (selection === "l1" ? "l1" : "max"),
});

/** What one of them is, besides its name. */
export interface DensityMechanism {
  readonly table: OptionTable;
  readonly publicTable?: "required";
  /** The settings of its updates, with the method's name. */
  readonly defaults: Settings & { readonly method: string };
  updates(settings: Readonly<Record<string, number>>): DensityUpdates;
}

export function densityMechanism(name: string, { table, publicTable, defaults, updates }: DensityMechanism): Mechanism {
  const parts = publicTable
    ? undefined
    : ({ attributes, workload }: Problem<CheckedOptions>) => domainParts(attributes, workload);
  return {
    name,
    table,
    parts,
    publicTable,
    options: ({ search = {}, output, estimate, ...selection }) => ({
      ...selection,
      estimate: checkedOutput(output ?? estimate),
      search: filledSettings(defaults, search),
    }),
    price(problem) {
      if (parts) expectSmallParts(parts(problem));
      return { ...rounds.price(problem), measured: [...columnsOf(problem), ...setsOf(problem)] };
    },
    draws: rounds.draws,
    tables: () => 1,
    model: ({ options, ...input }) =>
      new DensityModel(input, {
        updates: updates(options.search as Readonly<Record<string, number>>),
        output: options.estimate as Output,
      }),
    memory: (attributes, queries, rows, _certain, _options, given) =>
      DensityModel.bytes({ attributes, publicTable: given }, queries, rows),
  };
}

function checkedOutput(asked: string = OUTPUTS[0]): Output {
  const found = OUTPUTS.find((name) => name === asked);
  if (found) return found;
  throw new StandinError(
    "options/estimate",
    `The density to follow is "${asked}".`,
    `Use ${either(OUTPUTS.map((name) => JSON.stringify(name)))}.`,
  );
}

/** @throws {StandinError} `workload/not-marginal`, `options/selection` */
function candidatesOf({ workload, attributes, options }: Problem<CheckedOptions>): CandidateGroup[] {
  const other = workload.find(({ kind }) => kind !== "marginal");
  if (other)
    throw new StandinError(
      "workload/not-marginal",
      `Densities answer marginals, and the workload has a query of the class "${other.kind}".`,
      "Use private-gsd for such queries; columns with trees can have bins instead (standin.bins).",
    );
  const sets = setsOf({ workload });
  if (!sets.length)
    throw new StandinError(
      "options/selection",
      "The workload has no set of two columns or more, so there is nothing to choose.",
      "Use private-gsd, which then measures everything at once.",
    );
  return options.selection === "cells" ? cellGroups(sets, attributes) : candidateGroups(sets);
}

/** @throws {StandinError} `options/rounds` where there are not so many candidates */
function countsOf(problem: Problem<CheckedOptions>): { count: number; picks: number } {
  const among = candidateCount(candidatesOf(problem));
  const { rounds, perRound } = problem.options;
  const count = rounds ?? Math.min(20, among);
  const picks = perRound ?? 1;
  if (count * picks <= among) return { count, picks };
  throw new StandinError(
    "options/rounds",
    `${count} rounds of ${picks} would choose ${count * picks} of ${among} candidates.`,
    "Use fewer.",
  );
}
