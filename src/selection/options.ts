import type { OptionTable, OptionValues } from "../core/option-table.js";

/** The options of a selection. */
export const SELECTION_OPTIONS = {
  /** The score by which rounds choose queries of the workload. `"none"` measures all of them. */
  selection: {
    type: "choice",
    choices: ["none", "max", "l1", "aim"],
    flag: "selection",
    value: "NAME",
    help: "max, l1 or aim: choose in rounds what to measure; none: measure everything (default: depends on the workload)",
  },
  /** The number of rounds, 1 or more. */
  rounds: {
    type: "whole",
    flag: "rounds",
    value: "T",
    help: "the number of rounds (default: depends on the workload and ε)",
  },
  /** The number of queries that each round chooses, 1 or more. */
  perRound: { type: "whole", flag: "per-round", value: "S", help: "the number of queries that each round chooses" },
  /**
   * The number of stages in which a workload is measured without rounds. With 1, everything is measured at once, with
   * equal shares. With 2, one-way marginals come first, and their noisy answers decide the shares and resolutions of
   * the rest.
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
