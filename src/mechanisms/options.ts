// The options of all mechanisms, kept apart from the mechanisms so that the command line's help loads nothing else of
// them.
import type { OptionSpec, OptionTable, ValueOf } from "../core/option-table.js";
import { SELECTION_OPTIONS } from "../selection/options.js";

export const PRIVATE_GSD_OPTIONS = {
  ...SELECTION_OPTIONS,
  /**
   * The targets that the rows match: estimates from all noisy answers, or the noisy answers unchanged (the default
   * depends on the search).
   */
  estimate: {
    type: "choice",
    choices: ["shrunk", "raw"],
    flag: "estimate",
    value: "NAME",
    help: "what the rows match: estimates with signal separated from noise (shrunk, default) or the noisy answers (raw)",
  },
  /** The settings of the search: `{ method: "paper" }`, … */
  search: {
    type: "settings",
    methods: ["descent", "batches", "paper"],
    flag: "search",
    value: "METHOD",
    help: "descent (default; in batches where it is large), batches, or paper, which matches raw answers by default",
  },
} as const satisfies OptionTable;

/** The options of mechanisms whose model are relaxed rows. */
export const RELAXED_OPTIONS = {
  /** What rounds choose: single cells of marginals, or whole marginals by their largest error or the sum of errors. */
  selection: {
    type: "choice",
    choices: ["cells", "max", "l1"],
    flag: "selection",
    value: "NAME",
    help: "cells (default): choose single cells in rounds; max or l1: whole marginals",
  },
  /** The number of rounds, 1 or more. */
  rounds: {
    type: "whole",
    flag: "rounds",
    value: "T",
    help: "the number of rounds (default: 10, or from ε for whole marginals)",
  },
  /** The number of choices in each round, 1 or more. */
  perRound: {
    type: "whole",
    flag: "per-round",
    value: "S",
    help: "the number of choices in each round (default: depends on ε)",
  },
  /** The settings of the fit: `{ rows: 1000, steps: 5000, rate: 0.1 }`. */
  search: {
    type: "settings",
    methods: ["adam"],
    flag: "search",
    value: "METHOD",
    help: "adam",
  },
} as const satisfies OptionTable;

/** The options of mechanisms whose model is a graphical one. */
export const GRAPHICAL_OPTIONS = {
  /** The most that the tables of the model may take together, in megabytes. */
  megabytes: {
    type: "whole",
    flag: "megabytes",
    value: "MB",
    help: "the most that the model's tables may take (default: 80)",
  },
  /**
   * The settings of the fit: `{ steps: 1000, tolerance: 0.003, noise: 0, megabytes: 80 }`; the noise of pgm and hdmm is
   * 0.95.
   */
  search: {
    type: "settings",
    methods: ["mirror-descent"],
    flag: "search",
    value: "METHOD",
    help: "mirror-descent",
  },
} as const satisfies OptionTable;

export const MWEM_PGM_OPTIONS = {
  ...GRAPHICAL_OPTIONS,
  /** The number of rounds, 1 or more. */
  rounds: {
    type: "whole",
    flag: "rounds",
    value: "T",
    help: "the number of rounds (default: the number of columns)",
  },
} as const satisfies OptionTable;

export const HDMM_OPTIONS = {
  ...GRAPHICAL_OPTIONS,
  /** What makes the rows: a graphical model, or private-gsd's search, which any number of columns suits. */
  estimate: {
    type: "choice",
    choices: ["graphical", "shrunk"],
    flag: "estimate",
    value: "NAME",
    help: "rows of a graphical model (graphical, default) or of private-gsd's search (shrunk), for any number of columns",
  },
} as const satisfies OptionTable;

export const RAP_PLUS_PLUS_OPTIONS = {
  /** The number of rounds of column sets, if there are any, and as many of other queries, 1 or more. */
  rounds: {
    ...RELAXED_OPTIONS.rounds,
    help: "the number of rounds of column sets, and of other queries (default: 10, and 25 √ε)",
  },
  /** The number of choices in each round, 1 or more. */
  perRound: {
    ...RELAXED_OPTIONS.perRound,
    help: "the number of choices in each round (default: 10 column sets, or 20 other queries)",
  },
  /** The settings of the fit: `{ rows: 1000, steepness: 64, stages: 8, steps: 100, rate: 0.03 }`. */
  search: { ...RELAXED_OPTIONS.search, methods: ["annealing"], help: "annealing" },
} as const satisfies OptionTable;

/** The number of rounds, 1 or more, of mechanisms whose rows are best responses. */
const ROUNDS_OF_RESPONSES = {
  rounds: { type: "whole", flag: "rounds", value: "T", help: "the number of rounds (default: depends on ε)" },
} as const satisfies OptionTable;

/** How best responses are sought. */
const ASCENT = { type: "settings", methods: ["ascent"], flag: "search", value: "METHOD", help: "ascent" } as const;

export const FEM_OPTIONS = {
  ...ROUNDS_OF_RESPONSES,
  /** The number of choices in each round, 1 or more. */
  perRound: {
    type: "whole",
    flag: "per-round",
    value: "S",
    help: "the number of choices in each round (default: depends on ε)",
  },
  /** How rounds choose: by the exponential mechanism, or by permute-and-flip, at four times the price. */
  law: {
    type: "choice",
    choices: ["exponential", "permute-and-flip"],
    flag: "law",
    value: "NAME",
    help: "how rounds choose: exponential (default) or permute-and-flip, which needs four times the budget",
  },
  /** The settings of the search for rows: `{ samples: 100, scale: 0.3, restarts: 6 }`. */
  search: ASCENT,
} as const satisfies OptionTable;

export const DUAL_QUERY_OPTIONS = {
  ...ROUNDS_OF_RESPONSES,
  /** The number of queries that each round draws, 1 or more. */
  perRound: { type: "whole", flag: "per-round", value: "S", help: "the number of queries that each round draws" },
  /** The settings of the search for rows: `{ restarts: 16 }`. */
  search: ASCENT,
} as const satisfies OptionTable;

/** The options of mechanisms whose model is an explicit density. */
export const DENSITY_OPTIONS = {
  selection: {
    ...RELAXED_OPTIONS.selection,
    help: "max (default) or l1: choose whole marginals in rounds, by their largest error or the sum; cells: single cells",
  },
  rounds: { ...RELAXED_OPTIONS.rounds, help: "the number of rounds (default: depends on the budget)" },
  perRound: { ...RELAXED_OPTIONS.perRound, help: "the number of choices in each round (default 1)" },
  /** The density that the rows follow: the last, the mean over all rounds, or the one with the least noisy error. */
  iterate: {
    type: "choice",
    choices: ["last", "average", "best"],
    flag: "iterate",
    value: "NAME",
    help: "the density that the rows follow: the last (default), the average over all rounds, or the one with the least noisy error (best)",
  },
  /**
   * The settings of the updates: `{ repeats: 100, slack: 1 }` or, of PEP, `{ corrections: 25, slack: 1 }`; of versions
   * with public rows, without `slack`.
   */
  search: { type: "settings", methods: ["weights"], flag: "search", value: "METHOD", help: "weights" },
} as const satisfies OptionTable;

/** By the mechanism's name. */
export const MECHANISM_OPTIONS = {
  "private-gsd": PRIVATE_GSD_OPTIONS,
  "rap-softmax": RELAXED_OPTIONS,
  rap: RELAXED_OPTIONS,
  mst: GRAPHICAL_OPTIONS,
  aim: GRAPHICAL_OPTIONS,
  "mwem-pgm": MWEM_PGM_OPTIONS,
  pgm: GRAPHICAL_OPTIONS,
  hdmm: HDMM_OPTIONS,
  "rap++": RAP_PLUS_PLUS_OPTIONS,
  fem: FEM_OPTIONS,
  "dual-query": DUAL_QUERY_OPTIONS,
  mwem: DENSITY_OPTIONS,
  "mwem-past": DENSITY_OPTIONS,
  pep: DENSITY_OPTIONS,
  "pmw-pub": DENSITY_OPTIONS,
  "pep-pub": DENSITY_OPTIONS,
} as const satisfies Record<string, OptionTable>;

export type MechanismName = keyof typeof MECHANISM_OPTIONS;

export const DEFAULT_MECHANISM: MechanismName = "private-gsd";

/** Stands for the mechanism that a rule picks (auto.ts). It has no options, since those that it picks share none. */
export const AUTO = "auto";

type Tables = (typeof MECHANISM_OPTIONS)[MechanismName];
type NameIn<Table> = Table extends unknown ? keyof Table : never;
type ValueIn<Table, Name extends PropertyKey> =
  Table extends Record<Name, infer Spec extends OptionSpec> ? ValueOf<Spec> : never;

/** The options of all mechanisms in one table. Those that mechanisms share have the same flag and type in each. */
export const ALL_OPTIONS: OptionTable = Object.assign({}, ...Object.values(MECHANISM_OPTIONS).reverse());

/** The options of the mechanism of this name, if there is one. */
export function optionsOf(mechanism: string): OptionTable | undefined {
  if (mechanism === AUTO) return {};
  return Object.hasOwn(MECHANISM_OPTIONS, mechanism) ? MECHANISM_OPTIONS[mechanism as MechanismName] : undefined;
}

/** The mechanisms that have an option. */
export const mechanismsWith = (option: string): string[] =>
  Object.entries<OptionTable>(MECHANISM_OPTIONS).flatMap(([name, table]) => (Object.hasOwn(table, option) ? name : []));

/** The options that a user may set, for any mechanism. */
export type MechanismOptions = { -readonly [Name in NameIn<Tables>]?: ValueIn<Tables, Name> };

/** The names of these options on the command line. */
export type MechanismFlag = Tables extends infer Table
  ? Table extends OptionTable
    ? Table[keyof Table]["flag"]
    : never
  : never;
