import { StandinError } from "../core/errors.js";
import { Estimates } from "../estimate/estimates.js";
import { DESCENT, PAPER, type SearchSettings, searchBytes, searchRows } from "../projection/genetic.js";
import type { Measurement } from "../queries/measurement.js";
import type { Query } from "../queries/query.js";
import type { Mechanism, Settings } from "./mechanism.js";
import { scheduleRounds } from "./selection.js";
import { secondStage, twoStages } from "./stages.js";

/** What the rows are to match: estimates made from all noisy answers, or the noisy answers themselves. */
const ESTIMATES = ["shrunk", "raw"];
const SEARCHES = new Map<unknown, SearchSettings & Settings>([
  [DESCENT.method, { ...DESCENT, estimate: "shrunk" }],
  [PAPER.method, { ...PAPER, estimate: "raw" }],
]);

/**
 * Private-GSD (Liu, Tang, Vietri and Wu, "Generating Private Synthetic Data with Genetic Algorithms", 2023): every query of the
 * workload is measured with an equal share of ρ, or in rounds those that the rows so far are most wrong about (Algorithm 2); then rows
 * are searched that answer alike, by one-cell moves.
 * `descent` (the default) takes the best move of each cell from a start drawn from the noisy one-ways; `paper` is the paper's
 * generations of mutations and crossovers from a uniform start, with the parameters of its Table 7. The rows match estimates
 * (`shrunk`, the default of `descent`; one-ways then come first, and decide shares and resolutions) or the noisy answers (`raw`, the paper's).
 */
export const privateGsd: Mechanism = {
  name: "private-gsd",
  schedule: (workload, attributes, { estimate }, budget, asked) =>
    scheduleRounds(workload, attributes, budget, asked) ??
    (estimate === "raw" ? { first: workload.map((query) => ({ query, weight: 1 })) } : twoStages(workload, attributes)),
  secondStage,
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
      if (name === "estimate") {
        expectEstimate(value);
        continue;
      }
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
  async project({ attributes, measurements, total, rows, seed, settings, chosen, warm, onProgress, signal }) {
    const known = Math.max(1, total);
    // Tables of three columns that rounds chose have what is worth knowing in single cells, which shrinkage would take for noise.
    const isAsMeasured = ({ columns }: Query) => settings.estimate === "raw" || (chosen && columns.length > 2);
    const estimates = new Estimates(measurements, attributes, known);
    const targets = measurements.map((measurement) => ({
      query: { ...measurement.query, groups: undefined },
      answers: isAsMeasured(measurement.query)
        ? rawAnswers(measurement, known, settings)
        : estimates.answers(measurement.query),
    }));
    return searchRows({
      attributes,
      targets,
      total: known,
      rows,
      seed,
      settings: settings as unknown as SearchSettings,
      start: estimates.oneWays(),
      warm,
      onProgress,
      signal,
    });
  },
};

/** @throws {StandinError} `mechanism/settings` */
function expectEstimate(value: unknown): void {
  if (!ESTIMATES.includes(value as string))
    throw new StandinError(
      "mechanism/settings",
      `"${value}" is not an estimate.`,
      'Use "shrunk" (the default) or "raw".',
    );
}

/**
 * The noisy answers as they are. The paper clips each to what is possible; that lifts empty cells (noise stays where it is positive),
 * so that the descent leaves them: lower true errors on every table that the benches have.
 */
function rawAnswers({ answers }: Measurement, total: number, { method }: Settings): Float64Array {
  const counts = Float64Array.from(answers);
  return method === "paper" ? counts.map((count) => Math.min(total, Math.max(0, count))) : counts;
}
