import { candidateGroups } from "../privacy/candidates.js";
import { treeWithin } from "../selection/limit.js";
import { columnsOf, roundsBy, setsOf } from "../selection/rounds.js";
import { cellsIn, graphicalMechanism } from "./graphical.js";
import type { CheckedOptions } from "./mechanism.js";

/**
 * MWEM+PGM (McKenna, Sheldon and Miklau, "Graphical-model based estimation and inference for differential privacy",
 * ICML 2019): as many rounds as columns, each of which measures the set of the workload that the model is most wrong
 * about beyond what noise would explain. One-ways are measured first, which the paper leaves out: they give the number of rows, which the paper knows.
 * The published code takes the sensitivity of added rows for replaced ones, too.
 */
export const mwemPgm = graphicalMechanism(
  "mwem-pgm",
  roundsBy<CheckedOptions>({
    start: columnsOf,
    shares: () => ({ start: 0.1, selection: 0.1 }),
    candidates: (problem) => candidateGroups(setsOf(problem)),
    counts: (problem) => ({
      count: Math.min(problem.options.rounds ?? columnsOf(problem).length, setsOf(problem).length),
      picks: 1,
    }),
    score: () => "aim",
    limit: (problem) => treeWithin(cellsIn(problem.options))(problem),
  }),
);
