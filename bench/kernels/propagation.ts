import { DESCENT_CLIQUES, DESCENT_FACTORS, DESCENT_TREES } from "../../src/engine/layout.js";
import { placeDescent } from "../../src/graphical/fit.js";
import { joint } from "../../test/reference/propagation.js";
import { type Kernel, pathTree, repeated } from "./kernel.js";

const TIMES = 50;
const FEW = [3, 4, 5, 6];
const PAIRS = [0, 1, 2].map((axis) => ({
  axes: [axis, axis + 1],
  values: new Array<number>(FEW[axis] * FEW[axis + 1]).fill(2),
}));

/** The cells of a tree's tables, up and down once. */
export default {
  element: "cell",
  elements: TIMES * pathTree.cells,
  open() {
    const { tree, noisy } = pathTree.open();
    const { engine } = tree;
    const descent = placeDescent(tree, noisy, { steps: 0, tolerance: 0, noise: 0 }, new Float64Array());
    const word = (at: number) => engine.readU32(descent + at, 1)[0];
    engine.write(word(DESCENT_FACTORS), new Float64Array(pathTree.cells).fill(1));
    const [cliques, count] = [word(DESCENT_TREES), word(DESCENT_CLIQUES)];
    return repeated(TIMES, () => engine.exports.propagate(cliques, count));
  },
  oracle: {
    elements: PAIRS.reduce((sum, { values }) => sum + values.length, 0),
    run: () => joint({ sizes: FEW, factors: PAIRS, divisors: [], total: 1000 }),
  },
} satisfies Kernel;
