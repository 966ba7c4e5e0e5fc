import { placeDescent } from "../../src/graphical/fit.js";
import { leastLoss } from "../../test/reference/mirror-descent.js";
import { type Kernel, pathTree } from "./kernel.js";

const STEPS = 100;
const FEW = [3, 4, 5];
const FEW_SETS = [
  [0, 1],
  [1, 2],
];

export default {
  element: "cell and step",
  elements: STEPS * pathTree.cells,
  open() {
    const { tree, noisy } = pathTree.open();
    // A negative tolerance: the descent never settles.
    const descent = placeDescent(tree, noisy, { steps: 2 ** 32 - 1, tolerance: -1, noise: 0 }, new Float64Array());
    return () => tree.engine.exports.descendMirror(descent, STEPS);
  },
  oracle: {
    elements: STEPS * 60,
    run: () =>
      leastLoss(
        FEW,
        FEW_SETS.map((axes) => ({ axes, answers: new Array(axes[0] ? 20 : 12).fill(9), weight: 0.1 })),
        1000,
        STEPS,
      ),
  },
} satisfies Kernel;
