import { StandinError } from "../core/errors.js";
import { forUsers, optionText } from "../core/option-text.js";
import { countOf } from "../queries/members.js";
import { isColumnSet } from "../queries/query.js";
import { aim } from "./aim.js";
import { atOnce } from "./at-once.js";
import { orderOf, type Problem } from "./problem.js";
import { rounds, roundsFor, setsOf } from "./rounds.js";
import type { Selection, SelectionSettings } from "./selection.js";
import { twoStages } from "./two-stages.js";

/**
 * The selection for a workload. If the options request one, it is that. Otherwise it is rounds where a query has three
 * or more columns, or is a set of queries, and the rule for rounds would not measure everything; two stages where there
 * is anything for a second stage, and no weights; and everything at once in all other cases. The rule uses public facts
 * only.
 * @throws {StandinError} `options/selection`, `options/rounds`, `options/stages`
 */
export function selectionFor(problem: Problem<SelectionSettings>): Selection<SelectionSettings> {
  if (hasRounds(problem)) return problem.options.selection === "aim" ? aim : rounds;
  return hasStages(problem) ? twoStages : atOnce;
}

function hasRounds(problem: Problem<SelectionSettings>): boolean {
  const { workload, options } = problem;
  const { selection, stages } = options;
  const counts = { rounds: options.rounds, perRound: options.perRound };
  const isAsked = selection !== undefined || counts.rounds !== undefined || counts.perRound !== undefined;
  const hasMany = workload.some((query) => orderOf(query, problem) > 2 || countOf(query) > 1);
  if (selection === "none" || (!isAsked && (stages !== undefined || !hasMany))) {
    if (counts.rounds ?? counts.perRound)
      throw new StandinError("options/rounds", "Without a selection there are no rounds.", "Leave one of them out.");
    return false;
  }
  if (stages !== undefined)
    throw new StandinError(
      "options/stages",
      "Rounds measure one choice after another, not the workload in stages.",
      "Leave the stages out, or the selection and its rounds.",
    );
  if (!setsOf(problem).length) {
    if (!isAsked) return false;
    throw new StandinError(
      "options/selection",
      "The workload has no set of two columns or more, so there is nothing to choose.",
      "Leave the selection out.",
    );
  }
  if (selection === "aim") {
    if (!workload.every(isColumnSet))
      throw new StandinError(
        "options/selection",
        "AIM chooses among column sets, and the workload has other queries.",
        `Use ${optionText("selection", "max")} or ${optionText("selection", "l1")}, or none.`,
      );
    if (counts.rounds ?? counts.perRound)
      throw new StandinError(
        "options/rounds",
        "AIM's rounds follow from noisy answers and cannot be set.",
        `Leave ${forUsers("rounds and perRound", "--rounds and --per-round")} out, or use ${optionText("selection", "max")} or ${optionText("selection", "l1")}.`,
      );
    return true;
  }
  return !roundsFor(problem).isAll || isAsked;
}

function hasStages(problem: Problem<SelectionSettings>): boolean {
  const { stages, matchesGroups } = problem.options;
  if (stages === 2 && !matchesGroups)
    throw new StandinError(
      "options/stages",
      "Two stages measure tables by groups of codes, and rows that match raw answers cannot be compared with those.",
      `Use ${optionText("stages", 1)}, or ${optionText("estimate", "shrunk")}.`,
    );
  if (stages === 1 || !matchesGroups) return false;
  if (problem.weights) {
    if (stages === undefined) return false;
    throw new StandinError(
      "options/stages",
      "Two stages divide a budget so that the expected error is smallest, and the workload states weights instead.",
      "Leave the stages out, or the weights.",
    );
  }
  if (!problem.workload.every(isColumnSet)) {
    if (stages === undefined) return false;
    throw new StandinError(
      "options/stages",
      "Two stages divide a budget between column sets, and the workload has other queries.",
      "Leave the stages out.",
    );
  }
  const hasPairs = setsOf(problem).length > 0;
  if (stages === 2 && !hasPairs)
    throw new StandinError(
      "options/stages",
      "The workload has no set of two columns or more, so there is nothing for a second stage.",
      "Leave the stages out.",
    );
  return hasPairs;
}
