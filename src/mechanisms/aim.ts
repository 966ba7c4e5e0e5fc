import { aimWithin } from "../selection/aim.js";
import { expectQueries } from "../selection/choices.js";
import { treeWithin } from "../selection/limit.js";
import { setsOf } from "../selection/rounds.js";
import { cellsIn, cellsOfLeast, graphicalMechanism } from "./graphical.js";
import type { CheckedOptions } from "./mechanism.js";

const selection = aimWithin<CheckedOptions>(({ options, attributes }) => treeWithin(cellsIn(options), attributes));

/**
 * AIM (McKenna, Mullins, Sheldon and Miklau, "AIM: An Adaptive and Iterative Mechanism for Differentially Private
 * Synthetic Data", VLDB 2022): rounds choose the sets that a graphical model is most wrong about, weighted by what the
 * workload asks for, as far as the model's tables have room for them; the room grows with what was spent.
 */
export const aim = graphicalMechanism(
  "aim",
  {
    ...selection,
    price(problem) {
      expectQueries(setsOf(problem));
      return selection.price(problem);
    },
  },
  cellsOfLeast,
);
