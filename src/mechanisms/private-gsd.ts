import { StandinError } from "../core/errors.js";
import type { Settings } from "../core/option-table.js";
import { type EstimateName, otherPairs, RowsModel } from "../models/rows.js";
import { searchBytes } from "../projection/genetic.js";
import { checkedSettings, PAPER, type SearchSettings } from "../projection/settings.js";
import type { SelectionOptions } from "../selection/options.js";
import type { Problem } from "../selection/problem.js";
import { selectionFor } from "../selection/select.js";
import type { SelectionSettings } from "../selection/selection.js";
import type { CheckedOptions, Mechanism } from "./mechanism.js";
import { PRIVATE_GSD_OPTIONS } from "./options.js";

/**
 * Private-GSD (Liu, Tang, Vietri and Wu, "Generating Private Synthetic Data with Genetic Algorithms", 2023). Every
 * query of the workload is measured with an equal share of ρ, or rounds measure those that the rows so far are most
 * wrong about (Algorithm 2). Then one-cell moves search for rows with similar answers.
 *
 * The search `descent` (the default) takes the best move for each cell, from a start drawn along the strongest pairs.
 * The search `paper` is the paper's: generations of mutations and crossovers from a uniform start, with the parameters
 * of its Table 7. The rows match estimates (`shrunk`, the default with `descent`) or the noisy answers (`raw`, as in
 * the paper, and the default with `paper`). With estimates, one-way marginals are measured first and decide the shares
 * and resolutions of the rest, unless one stage is requested.
 */
export const privateGsd: Mechanism = {
  name: "private-gsd",
  table: PRIVATE_GSD_OPTIONS,
  publicTable: "optional",
  options({ search = {}, estimate, ...selection }) {
    const settings = checkedSettings(search);
    return { ...selection, estimate: checkEstimate(estimate, settings), search: settings };
  },
  price: (problem) => selectionFor(selecting(problem)).price(selecting(problem)),
  draws({ problem, ...context }) {
    const asked = selecting(problem);
    return selectionFor(asked).draws({ problem: asked, ...context });
  },
  tables: () => 1,
  model: ({ attributes, publicTable, engines, options: { estimate, search } }) =>
    new RowsModel(attributes, estimate as EstimateName, search as unknown as SearchSettings, publicTable, engines),
  memory: (attributes, queries, rows, certain) =>
    searchBytes(attributes, [...queries, ...otherPairs(queries, attributes)], rows, certain),
};

/**
 * `matchesGroups` is false for raw answers: rows that match these cannot be compared with answers for groups of codes.
 */
const selecting = (problem: Problem<CheckedOptions>): Problem<SelectionSettings> => ({
  ...problem,
  options: {
    ...(problem.options as SelectionOptions), // checked against this mechanism's own table
    matchesGroups: problem.options.estimate !== "raw",
  },
});

function checkEstimate(asked: string | undefined, { method }: Settings): EstimateName {
  if (asked === undefined) return method === PAPER.method ? "raw" : "shrunk";
  const found = PRIVATE_GSD_OPTIONS.estimate.choices.find((name) => name === asked);
  if (found) return found;
  throw new StandinError("options/estimate", `estimate is "${asked}".`, 'Use "shrunk" or "raw".');
}
