import { sumCounts } from "../../test/reference/sums.js";
import { type Kernel, repeated, uniformIntegers } from "./kernel.js";

const COUNTS = uniformIntegers(1 << 15, 1000, 1);
const LIST = [...COUNTS];
const TIMES = 100;

export default {
  element: "cell",
  elements: TIMES * COUNTS.length,
  open(engine) {
    const counts = engine.place(COUNTS);
    return repeated(TIMES, () => engine.exports.sumCounts(counts, COUNTS.length));
  },
  oracle: { elements: LIST.length, run: () => sumCounts(LIST) },
} satisfies Kernel;
