// The options of all mechanisms, apart from these: the command line's help loads nothing else of them.
import type { OptionTable, OptionValues } from "../core/option-table.js";
import { SELECTION_OPTIONS } from "../selection/options.js";

export const PRIVATE_GSD_OPTIONS = {
  ...SELECTION_OPTIONS,
  /** What the rows match: estimates made from all noisy answers, or these as they are (default: by the search). */
  estimate: {
    type: "choice",
    choices: ["shrunk", "raw"],
    flag: "estimate",
    value: "NAME",
    help: "what rows match: shrunk (default), which separates signal from noise, or raw noisy answers",
  },
  /** The settings of the search: `{ method: "paper" }`, … */
  search: {
    type: "settings",
    methods: ["descent", "paper"],
    flag: "search",
    value: "METHOD",
    help: "descent (default) or paper, which matches raw answers by default",
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

/** What a user may ask of some mechanism. */
export type MechanismOptions = OptionValues<AnyOf<(typeof MECHANISM_OPTIONS)[keyof typeof MECHANISM_OPTIONS]>>;

/** The command line's names of these options. */
export type MechanismFlag =
  AnyOf<(typeof MECHANISM_OPTIONS)[keyof typeof MECHANISM_OPTIONS]> extends infer Table
    ? Table extends OptionTable
      ? Table[keyof Table]["flag"]
      : never
    : never;
