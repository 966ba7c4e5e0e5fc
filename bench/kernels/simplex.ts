import { nearestCounts } from "../../test/reference/simplex.js";
import { type Kernel, repeated, uniformIntegers } from "./kernel.js";

const VALUES = Float64Array.from(uniformIntegers(100, 1000, 1));
const LIST = [...VALUES];
const TOTAL = 20_000;
const TIMES = 50;

export default {
  element: "code of a hundred",
  elements: TIMES * VALUES.length,
  open(engine) {
    const values = engine.alloc(8 * VALUES.length);
    const [order, scratch] = [4, 16].map((bytes) => engine.alloc(bytes * VALUES.length));
    return repeated(TIMES, () => {
      engine.write(values, VALUES);
      engine.exports.projectOnSimplex(values, VALUES.length, TOTAL, order, scratch);
    });
  },
  oracle: { elements: LIST.length, run: () => nearestCounts(LIST, TOTAL) },
} satisfies Kernel;
