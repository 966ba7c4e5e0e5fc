import { runs } from "../../test/reference/grouping.js";
import { type Kernel, repeated, uniformIntegers } from "./kernel.js";

const COUNTS = Float64Array.from(uniformIntegers(1000, 500, 1), Math.abs);
const LIST = [...COUNTS];
const MOST = 20;
const TIMES = 500;

export default {
  element: "code of a column",
  elements: TIMES * COUNTS.length,
  open(engine) {
    const counts = engine.place(COUNTS);
    const groups = engine.alloc(4 * COUNTS.length);
    const scratch = engine.alloc(24 * COUNTS.length);
    return repeated(TIMES, () => engine.exports.groupCodes(counts, COUNTS.length, 0, 1, MOST, groups, scratch));
  },
  oracle: { elements: LIST.length, run: () => runs(LIST, MOST) },
} satisfies Kernel;
