import { aimWithin } from "../selection/aim.js";
import { expectQueries, expectRounds } from "../selection/choices.js";
import { treeWithin } from "../selection/limit.js";
import { setsOf } from "../selection/rounds.js";
import { cellsIn, cellsOfLeast, graphicalMechanism } from "./graphical.js";
import type { CheckedOptions, Mechanism } from "./mechanism.js";
import { AIM_OPTIONS } from "./options.js";

const selection = aimWithin<CheckedOptions>({
  limit: ({ options, attributes }) => treeWithin(cellsIn(options), attributes),
  rounds: ({ options }) => options.rounds,
});

/**
 * AIM (McKenna, Mullins, Sheldon and Miklau, "AIM: An Adaptive and Iterative Mechanism for Differentially Private
 * Synthetic Data", VLDB 2022): rounds choose the sets that a graphical model is most wrong about, weighted by what the
 * workload asks for, as far as the model's tables have room for them; the room grows with what was spent.
 */
export const aim: Mechanism = {
  ...graphicalMechanism(
    "aim",
    {
      ...selection,
      price(problem) {
        expectQueries(setsOf(problem));
        if (problem.options.rounds !== undefined) expectRounds(problem.options.rounds);
        return selection.price(problem);
      },
    },
    cellsOfLeast,
  ),
  table: AIM_OPTIONS,
};
