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
  /** The settings of the fit: `{ steps: 1000, tolerance: 0.0001, megabytes: 80 }`. */
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

/** By the mechanism's name. */
export const MECHANISM_OPTIONS = {
  "private-gsd": PRIVATE_GSD_OPTIONS,
  "rap-softmax": RELAXED_OPTIONS,
  rap: RELAXED_OPTIONS,
  mst: GRAPHICAL_OPTIONS,
  aim: GRAPHICAL_OPTIONS,
  "mwem-pgm": MWEM_PGM_OPTIONS,
  pgm: GRAPHICAL_OPTIONS,
} as const satisfies Record<string, OptionTable>;

export type MechanismName = keyof typeof MECHANISM_OPTIONS;

export const DEFAULT_MECHANISM: MechanismName = "private-gsd";

type Tables = (typeof MECHANISM_OPTIONS)[MechanismName];
type NameIn<Table> = Table extends unknown ? keyof Table : never;
type ValueIn<Table, Name extends PropertyKey> =
  Table extends Record<Name, infer Spec extends OptionSpec> ? ValueOf<Spec> : never;

/**
 * The options of all mechanisms in one table. Mechanisms may share an option: it has the same flag and type in each,
 * and its help says what it means to each.
 */
export const ALL_OPTIONS: OptionTable = mergedOptions(MECHANISM_OPTIONS);

/** @param tables by the mechanism's name */
export function mergedOptions(tables: Readonly<Record<string, OptionTable>>): OptionTable {
  const all: Record<string, OptionSpec> = {};
  for (const [mechanism, table] of Object.entries(tables))
    for (const [name, spec] of Object.entries(table)) {
      const other = all[name];
      const isShared = other && other.help !== spec.help;
      all[name] = isShared ? { ...other, help: `${other.help}; with ${mechanism}: ${spec.help}` } : (other ?? spec);
    }
  return all;
}

/** The options that a user may set, for any mechanism. */
export type MechanismOptions = { -readonly [Name in NameIn<Tables>]?: ValueIn<Tables, Name> };

/** The names of these options on the command line. */
export type MechanismFlag = Tables extends infer Table
  ? Table extends OptionTable
    ? Table[keyof Table]["flag"]
    : never
  : never;
