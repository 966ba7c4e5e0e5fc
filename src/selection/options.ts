import type { OptionTable, OptionValues } from "../core/option-table.js";

/** What a user may ask of a selection. */
export const SELECTION_OPTIONS = {
  /** By what the queries of a workload are chosen in rounds; `"none"` measures all of them. */
  selection: {
    type: "choice",
    choices: ["none", "max", "l1", "aim"],
    flag: "selection",
    value: "NAME",
    help: "max, l1 or aim: choose in rounds what to measure; none: measure all (default: depends on the workload)",
  },
  /** How many rounds, 1 or more. */
  rounds: {
    type: "whole",
    flag: "rounds",
    value: "T",
    help: "how many rounds (default: depends on the workload and ε)",
  },
  /** How many queries a round chooses, 1 or more. */
  perRound: { type: "whole", flag: "per-round", value: "S", help: "how many column sets each round chooses" },
  /**
   * In how many stages a workload is measured without rounds: 1, all of it at once and with equal shares; 2, one-ways first, whose noisy
   * answers then decide the shares and resolutions of the rest.
   */
  stages: {
    type: "whole",
    choices: [1, 2],
    flag: "stages",
    value: "1|2",
    help: "1: measure the whole workload at once; 2 (default): noisy one-ways first, which decide how the rest is divided",
  },
} as const satisfies OptionTable;

export type SelectionOptions = OptionValues<typeof SELECTION_OPTIONS>;
