import { StandinError } from "../core/errors.js";
import { Estimates } from "../estimate/estimates.js";
import { dependenceForest } from "../estimate/forest.js";
import type { Schedule } from "../privacy/plan.js";
import { DESCENT, PAPER, type SearchSettings, searchBytes, searchRows } from "../projection/genetic.js";
import type { Measurement } from "../queries/measurement.js";
import type { Query } from "../queries/query.js";
import type { Attribute } from "../schema/schema.js";
import type { EstimateName, Mechanism, SelectionOptions, Settings } from "./mechanism.js";
import { scheduleRounds } from "./selection.js";
import { candidatesOf, secondStage, twoStages } from "./stages.js";

const ESTIMATES: readonly EstimateName[] = ["shrunk", "raw"];
const SEARCHES = new Map<unknown, SearchSettings & Settings>([DESCENT, PAPER].map((search) => [search.method, search]));

/**
 * Private-GSD (Liu, Tang, Vietri and Wu, "Generating Private Synthetic Data with Genetic Algorithms", 2023): every query of the
 * workload is measured with an equal share of ρ, or in rounds those that the rows so far are most wrong about (Algorithm 2); then rows
 * are searched that answer alike, by one-cell moves.
 * `descent` (the default) takes the best move of each cell from a start drawn along the strongest pairs; `paper` is the paper's
 * generations of mutations and crossovers from a uniform start, with the parameters of its Table 7. The rows match estimates (`shrunk`,
 * the default of `descent`) or the noisy answers (`raw`, as the paper does, and the default of its search). For estimates, one-ways come
 * first and decide shares and resolutions, unless one stage is asked for.
 */
export const privateGsd: Mechanism = {
  name: "private-gsd",
  schedule: (workload, attributes, estimate, budget, asked) =>
    scheduleRounds(workload, attributes, budget, asked) ?? scheduleStages(workload, attributes, estimate, asked),
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
  estimate(asked, { method }) {
    if (asked === undefined) return method === PAPER.method ? "raw" : "shrunk";
    const found = ESTIMATES.find((name) => name === asked);
    if (found) return found;
    throw new StandinError("options/estimate", `"${asked}" is not an estimate.`, 'Use "shrunk" or "raw".');
  },
  memory: searchBytes,
  async project({ attributes, measurements, total, rows, seed, estimate, settings, chosen, warm, onProgress, signal }) {
    const known = Math.max(1, total);
    // Tables of three columns that rounds chose have what is worth knowing in single cells, which shrinkage would take for noise.
    const isAsMeasured = ({ columns }: Query) => estimate === "raw" || (chosen && columns.length > 2);
    if (estimate === "raw" && measurements.some(({ query }) => query.groups))
      throw new StandinError(
        "options/estimate",
        "Tables were measured by groups of codes, and rows that match raw answers cannot be held against those.",
        'Make rows with the estimate "shrunk".',
      );
    const estimates = new Estimates(measurements, attributes, known);
    const targets = measurements.map((measurement) => ({
      query: { ...measurement.query, groups: undefined },
      answers: isAsMeasured(measurement.query)
        ? rawAnswers(measurement, known, settings)
        : estimates.answers(measurement.query),
    }));
    const queries = targets.map(({ query }) => query);
    const isUniform = settings.method === PAPER.method;
    return searchRows({
      attributes,
      targets,
      total: known,
      rows,
      seed,
      settings: settings as unknown as SearchSettings,
      start: dependenceForest(estimates, isUniform || warm ? [] : queries),
      warm,
      onProgress,
      signal,
    });
  },
};

/**
 * The workload in two stages, unless one is asked for or no second could do anything; the whole of it, where no selection is asked for.
 * @throws {StandinError} `options/stages`
 */
function scheduleStages(
  workload: readonly Query[],
  attributes: readonly Attribute[],
  estimate: EstimateName,
  { stages, selection }: SelectionOptions,
): Schedule {
  if (stages !== undefined && stages !== 1 && stages !== 2)
    throw new StandinError("options/stages", `stages is ${stages}.`, "Ask for 1 or 2.");
  if (stages === 2 && estimate === "raw")
    throw new StandinError(
      "options/stages",
      "Two stages measure tables by groups of codes, and rows that match raw answers cannot be held against those.",
      'Ask for one stage, or for the estimate "shrunk".',
    );
  if (stages === 1 || estimate === "raw") return { first: workload.map((query) => ({ query, weight: 1 })) };
  const schedule = twoStages(workload, selection === "none" ? [] : candidatesOf(workload), attributes);
  if (stages === 2 && !schedule.second)
    throw new StandinError(
      "options/stages",
      "The workload has no set of two columns or more, so there is nothing for a second stage.",
      "Leave the stages out.",
    );
  return schedule;
}

/**
 * The noisy answers as they are. The paper clips each to what is possible; that lifts empty cells (noise stays where it is positive),
 * so that the descent leaves them: lower true errors on every table that the benches have.
 */
function rawAnswers({ answers }: Measurement, total: number, { method }: Settings): Float64Array {
  const counts = Float64Array.from(answers);
  return method === "paper" ? counts.map((count) => Math.min(total, Math.max(0, count))) : counts;
}
