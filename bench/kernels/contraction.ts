import { Contractions } from "../../src/graphical/contraction.js";
import { contracted } from "../../test/reference/contraction.js";
import { type Kernel, repeated, uniformIntegers } from "./kernel.js";

const SIZES = [6, 16, 42];
const [LARGE, SMALL] = [
  [0, 1, 2],
  [1, 2],
].map((axes) => {
  const cells = axes.reduce((count, axis) => count * SIZES[axis], 1);
  return { axes, values: Float64Array.from(uniformIntegers(cells, 1000, axes.length), Math.abs) };
});
const CELLS = LARGE.values.length;
const SUMS = [[0], [0, 2]];
const TIMES = 100;

/** A message comes in, and two marginals come out. */
export default {
  element: "cell",
  elements: TIMES * CELLS,
  open(engine) {
    const plan = new Contractions(engine, SIZES);
    const factors = [LARGE, SMALL].map(({ axes, values }) => ({ pointer: engine.place(values), columns: axes }));
    const sums = SUMS.map((axes) => plan.table(axes));
    plan.add({ columns: LARGE.axes, factors, sums, table: plan.table(LARGE.axes).pointer });
    const [contraction] = plan.place();
    return repeated(TIMES, () => engine.exports.contract(contraction));
  },
  oracle: {
    elements: CELLS,
    run: () =>
      contracted(
        SIZES,
        [LARGE, SMALL].map(({ axes, values }) => ({ axes, values: [...values] })),
        SUMS,
      ),
  },
} satisfies Kernel;
