// What MWEM, PEP and their versions with public rows share: adaptive rounds, and explicit densities as the model.
import { either } from "../core/arguments.js";
import { StandinError } from "../core/errors.js";
import type { Settings } from "../core/option-table.js";
import { DensityModel, type DensityUpdates, expectSmallParts } from "../models/density.js";
import { ITERATES, type Iterate } from "../models/density-part.js";
import { domainParts } from "../models/domain-parts.js";
import { type CandidateGroup, candidateCount } from "../privacy/candidates.js";
import { filledSettings } from "../projection/settings.js";
import { expectMarginals } from "../queries/cells.js";
import { TOTAL } from "../queries/total.js";
import { expectCandidates, marginalsOrCells } from "../selection/choices.js";
import type { Problem } from "../selection/problem.js";
import { columnsOf, onlyModule, roundsBy, setsOf } from "../selection/rounds.js";
import type { CheckedOptions, Mechanism } from "./mechanism.js";
import { DENSITY_OPTIONS } from "./options.js";

/**
 * The default number of choices at ε = 1, for each column of the workload: of whole marginals, or of cells. At another
 * ε, times √ε. Fitted to Adult and to NIST's excerpts (bench/mwem.bench.ts, bench/pmw-pub.bench.ts): fewer leave large
 * errors, and more leave each too little budget. Public rows leave less to correct.
 */
const CHOICES = {
  all: { marginals: 2, cells: 10 },
  given: { marginals: 0.75, cells: 3.75 },
};

/**
 * The part of what the start leaves that buys choices. The papers take half. A choice among thousands of cells needs
 * more, and one among a few marginals, each of which is measured with more noise, needs less.
 */
const selectionShare = ({ selection }: CheckedOptions) => (selection === "cells" ? 0.7 : 0.3);

/** What they choose, and how. Each query is measured once. */
const choices = {
  candidates: candidatesOf,
  modules: (problem: Problem<CheckedOptions>) => onlyModule(countsOf(problem)),
  score: ({ selection }: CheckedOptions) => (selection === "l1" ? ("l1" as const) : ("max" as const)),
};

/**
 * One-ways for a fifth of the budget, then rounds. The papers start from a uniform density: with one-ways, the largest
 * error on Adult is less than half at ε = 0.1, and the same at ε = 1.
 */
const overAll = roundsBy<CheckedOptions>({
  ...choices,
  start: columnsOf,
  shares: (options) => ({ start: 0.2, selection: selectionShare(options) }),
});

/**
 * Rounds that begin with public rows. These tell one-ways better than a small budget would: on NIST's excerpts,
 * measuring them first makes distances larger by half. Only the number of rows is measured, unless it is public.
 */
const overRows = roundsBy<CheckedOptions>({
  ...choices,
  start: ({ budget }) => (budget.publicRows === undefined ? [TOTAL] : []),
  shares: (options) => ({ start: 0.02, selection: selectionShare(options) }),
});

/** What one of them is, besides its name. */
export interface DensityMechanism {
  readonly publicTable?: "required";
  /** The settings of its updates, with the method's name. */
  readonly defaults: Settings & { readonly method: string };
  updates(settings: Readonly<Record<string, number>>): DensityUpdates;
}

export function densityMechanism(name: string, { publicTable, defaults, updates }: DensityMechanism): Mechanism {
  const rounds = publicTable ? overRows : overAll;
  const parts = publicTable
    ? undefined
    : ({ attributes, workload }: Problem<CheckedOptions>) => domainParts(attributes, workload);
  return {
    name,
    table: DENSITY_OPTIONS,
    parts,
    publicTable,
    options: ({ search = {}, iterate, estimate, ...selection }) => ({
      ...selection,
      estimate: checkedIterate(iterate ?? estimate),
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
        iterate: options.estimate as Iterate,
      }),
    memory: (attributes, queries, rows, _certain, _options, given) =>
      DensityModel.bytes({ attributes, publicTable: given }, queries, rows),
  };
}

function checkedIterate(asked: string = ITERATES[0]): Iterate {
  const found = ITERATES.find((name) => name === asked);
  if (found) return found;
  throw new StandinError(
    "options/estimate",
    `The density to follow is "${asked}".`,
    `Use ${either(ITERATES.map((name) => JSON.stringify(name)))}.`,
  );
}

/** @throws {StandinError} `workload/not-marginals`, `options/selection` */
function candidatesOf({ workload, attributes, options, publicTable }: Problem<CheckedOptions>): CandidateGroup[] {
  expectMarginals(workload, attributes);
  // Without a start, single columns are to be chosen too.
  return marginalsOrCells(publicTable ? workload : setsOf({ workload }), attributes, options.selection);
}

/** @throws {StandinError} `options/rounds` where there are not so many candidates */
function countsOf(problem: Problem<CheckedOptions>): { count: number; picks: number } {
  const among = candidateCount(candidatesOf(problem));
  const { rounds, perRound, selection } = problem.options;
  const picks = perRound ?? 1;
  const each = (problem.publicTable ? CHOICES.given : CHOICES.all)[selection === "cells" ? "cells" : "marginals"];
  const chosen = Math.round(each * columnsOf(problem).length * Math.sqrt(problem.budget.epsilon));
  const count = rounds ?? Math.max(1, Math.floor(Math.min(chosen, among) / picks));
  expectCandidates(count, picks, among);
  return { count, picks };
}
