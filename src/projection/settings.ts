import { shownNumber, shownValue } from "../core/arguments.js";
import { StandinError } from "../core/errors.js";
import type { Settings } from "../core/option-table.js";
import { thousands } from "../core/thousands.js";

/**
 * How to search. With `tolerance`, the search has settled when a sweep (`rows` generations) lowers the loss by no more
 * than this fraction.
 */
export type SearchSettings =
  /**
   * Coordinate descent: sweeps over all rows in which every cell in turn gets its best code. Large searches go in
   * batches (`isInBatches`).
   */
  | { method: "descent"; tolerance: number; maxSweeps: number }
  /** The same in batches of rows after the first sweeps, whatever the size. A GPU can look at a batch. */
  | { method: "batches"; tolerance: number; maxSweeps: number }
  /**
   * The search of Private-GSD (Liu et al., ICML 2023, Algorithm 1) from uniform rows. Each candidate changes one cell.
   */
  | {
      method: "paper";
      mutations: number;
      crossovers: number;
      elites: number;
      generations: number;
      tolerance: number;
    };

/**
 * Later sweeps lower the loss by fitting what is left of the noise: on real tables, they brought the rows no closer to
 * the truth (bench/accuracy.md, "How long to search").
 */
export const DESCENT: SearchSettings = { method: "descent", tolerance: 0.01, maxSweeps: 50 };
export const IN_BATCHES: SearchSettings = { ...DESCENT, method: "batches" };
export const PAPER: SearchSettings = {
  method: "paper",
  mutations: 50,
  crossovers: 50,
  elites: 2,
  generations: 200_000,
  tolerance: 1e-4,
};

/** Larger numbers would take memory that no plan states, or minutes in one step that cannot be cancelled. */
const MOST: Readonly<Record<string, number>> = {
  ...{ mutations: 1e5, crossovers: 1e5, elites: 1000, rows: 1e5 },
  ...{ samples: 1000, restarts: 100, repeats: 1e4, corrections: 1e4 },
  ...{ steepness: 256, stages: 16 },
};
/** The settings that need not be whole, and those that may be 0. */
const FRACTIONS = ["tolerance", "rate", "scale", "slack", "noise"];
const ZEROS = [...FRACTIONS, "crossovers"];

const SEARCHES = new Map<unknown, SearchSettings & Settings>(
  [DESCENT, IN_BATCHES, PAPER].map((search) => [search.method, search]),
);

/**
 * The settings of a search, filled up with its defaults.
 * @throws {StandinError} `mechanism/settings`
 */
export function checkedSettings(asked: Settings): SearchSettings & Settings {
  const defaults = SEARCHES.get(asked.method ?? DESCENT.method);
  if (!defaults)
    throw new StandinError(
      "mechanism/settings",
      `${shownValue(asked.method)} is not a search.`,
      'Use "descent" (the default), "batches" or "paper".',
    );
  return filledSettings(defaults, asked);
}

/**
 * Settings filled up with the defaults of their method.
 * @throws {StandinError} `mechanism/settings`
 */
export function filledSettings<S extends Settings>(defaults: S, asked: Settings): S {
  for (const [name, value] of Object.entries(asked)) {
    if (name === "method") continue;
    if (!Object.hasOwn(defaults, name))
      throw new StandinError(
        "mechanism/settings",
        `The search "${defaults.method}" has no setting ${shownValue(name)}.`,
        `It has ${Object.keys(defaults).slice(1).join(", ")}.`,
      );
    const least = ZEROS.includes(name) ? 0 : 1;
    const most = MOST[name] ?? 1e9;
    const whole = FRACTIONS.includes(name) || Number.isInteger(value);
    if (!(typeof value === "number" && whole && value >= least && value <= most))
      throw new StandinError(
        "mechanism/settings",
        `The search setting "${name}" is ${shownNumber(value)}.`,
        `Use a number from ${least} to ${thousands(most)}.`,
      );
  }
  return { ...defaults, ...asked, method: defaults.method };
}

/** From so many rows, or residuals, on, a descent goes in batches. */
const MANY_ROWS = 50_000;
const MANY_CELLS = 1_000_000;

/**
 * Whether a search goes in batches. It depends on nothing that differs between machines.
 * @param isTables whether all queries are tables of the codes that rows have: a GPU can look at batches of no others
 * @param cells the number of targets
 */
export function isInBatches({ method }: SearchSettings, isTables: boolean, rows: number, cells: number): boolean {
  if (method === "descent") return isTables && (rows >= MANY_ROWS || cells >= MANY_CELLS);
  return method === "batches";
}
