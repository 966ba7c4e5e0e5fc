import { expectRounds, marginalsOrCells } from "../selection/choices.js";
import { treeWithin } from "../selection/limit.js";
import { columnsOf, onlyModule, roundsBy, setsOf } from "../selection/rounds.js";
import { cellsIn, cellsOfLeast, graphicalMechanism } from "./graphical.js";
import type { CheckedOptions, Mechanism } from "./mechanism.js";
import { MWEM_PGM_OPTIONS } from "./options.js";

/**
 * MWEM+PGM (McKenna, Sheldon and Miklau, "Graphical-model based estimation and inference for differential privacy",
 * ICML 2019): as many rounds as columns, each of which measures the set of the workload that a graphical model is most
 * wrong about beyond what noise would explain. One-ways are measured first: they give the number of rows, which the
 * paper knows. (The published code chooses at the sensitivity of an added row where rows are replaced.)
 */
export const mwemPgm: Mechanism = {
  ...graphicalMechanism(
    "mwem-pgm",
    roundsBy<CheckedOptions>({
      start: columnsOf,
      shares: () => ({ start: 0.1, selection: 0.1 }),
      candidates: (problem) => marginalsOrCells(setsOf(problem), problem.attributes, undefined),
      modules(problem) {
        const count = problem.options.rounds ?? columnsOf(problem).length;
        expectRounds(count);
        return onlyModule({ count, picks: 1 });
      },
      score: () => "aim",
      limit: (problem) => treeWithin(cellsIn(problem.options), problem.attributes),
    }),
    cellsOfLeast,
  ),
  table: MWEM_PGM_OPTIONS,
};
