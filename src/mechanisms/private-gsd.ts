import { StandinError } from "../core/errors.js";
import { estimateOneWays } from "../estimate/one-way.js";
import { DESCENT, PAPER, type SearchSettings, searchBytes, searchRows } from "../projection/genetic.js";
import type { Mechanism } from "./mechanism.js";

const SEARCHES = new Map<unknown, SearchSettings>([DESCENT, PAPER].map((settings) => [settings.method, settings]));

/**
 * Private-GSD, one-shot (Liu, Tang, Vietri and Wu, "Generating Private Synthetic Data with Genetic Algorithms", 2023): every
 * query of the workload is measured with an equal share of ρ, then rows are searched that answer alike, by one-cell moves.
 * `descent` (the default) takes the best move of each cell from a start drawn from the noisy one-ways; `paper` is the paper's
 * generations of mutations and crossovers from a uniform start, with the parameters of its Table 7.
 */
export const privateGsd: Mechanism = {
  name: "private-gsd",
  select: (workload) => workload.map((query) => ({ query, weight: 1 })),
  settings(asked) {
    const defaults = SEARCHES.get(asked.method ?? DESCENT.method);
    if (!defaults)
      throw new StandinError(
        "mechanism/settings",
        `"${asked.method}" is not a search.`,
        'Use "descent" (the default) or "paper".',
      );
    for (const [name, value] of Object.entries(asked)) {
      if (name === "method") continue;
      if (!Object.hasOwn(defaults, name))
        throw new StandinError(
          "mechanism/settings",
          `The search "${defaults.method}" has no setting "${name}".`,
          `It has ${Object.keys(defaults).slice(1).join(", ")}.`,
        );
      const least = name === "tolerance" || name === "crossovers" ? 0 : 1;
      const whole = name === "tolerance" || Number.isInteger(value);
      if (!(typeof value === "number" && whole && value >= least && value <= 1e9))
        throw new StandinError(
          "mechanism/settings",
          `The search setting "${name}" is ${value}.`,
          `Use a number from ${least} up.`,
        );
    }
    return { ...defaults, ...asked, method: defaults.method };
  },
  memory: searchBytes,
  async project({ attributes, measurements, total, rows, seed, settings, onProgress, signal }) {
    const known = Math.max(1, total);
    // The paper clips each answer to what is possible. That lifts empty cells (noise stays where it is positive), so that the default
    // leaves them: lower true errors on every table that the benches have.
    const possible = (answers: Float64Array) =>
      settings.method === "paper" ? answers.map((answer) => Math.min(known, Math.max(0, answer))) : answers;
    const targets = measurements.map(({ query, answers }) => ({ query, answers: possible(new Float64Array(answers)) }));
    const start = estimateOneWays(measurements, attributes, known);
    return searchRows({
      attributes,
      targets,
      total: known,
      rows,
      seed,
      settings: settings as unknown as SearchSettings,
      start,
      onProgress,
      signal,
    });
  },
};
