// The options of all mechanisms, kept apart from the mechanisms so that the command line's help loads nothing else of
// them.
import type { OptionTable, OptionValues } from "../core/option-table.js";
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
    methods: ["descent", "paper"],
    flag: "search",
    value: "METHOD",
    help: "descent (default), or paper, which matches raw answers by default",
  },
} as const satisfies OptionTable;

/** By the mechanism's name. */
export const MECHANISM_OPTIONS = { "private-gsd": PRIVATE_GSD_OPTIONS } as const satisfies Record<string, OptionTable>;

export const DEFAULT_MECHANISM = "private-gsd";

type AnyOf<Union> = (Union extends unknown ? (given: Union) => void : never) extends (given: infer All) => void
  ? All
  : never;

/** The options of all mechanisms in one table. */
export const ALL_OPTIONS: OptionTable = Object.assign({}, ...Object.values(MECHANISM_OPTIONS));

/** The options that a user may set, for any mechanism. */
export type MechanismOptions = OptionValues<AnyOf<(typeof MECHANISM_OPTIONS)[keyof typeof MECHANISM_OPTIONS]>>;

/** The names of these options on the command line. */
export type MechanismFlag =
  AnyOf<(typeof MECHANISM_OPTIONS)[keyof typeof MECHANISM_OPTIONS]> extends infer Table
    ? Table extends OptionTable
      ? Table[keyof Table]["flag"]
      : never
    : never;
