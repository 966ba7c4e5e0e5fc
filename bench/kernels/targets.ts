import { targetUnits } from "../../test/reference/targets.js";
import { type Kernel, repeated, uniformIntegers } from "./kernel.js";

const ANSWERS = Float64Array.from(uniformIntegers(1 << 14, 10_000, 1), (count) => count / 64);
const LIST = [...ANSWERS];
const [TOTAL, ROWS, SHIFT] = [5000, 5000, 8];
const TIMES = 50;

export default {
  element: "cell",
  elements: TIMES * ANSWERS.length,
  open(engine) {
    const answers = engine.place(ANSWERS);
    const targets = engine.alloc(4 * ANSWERS.length);
    return repeated(TIMES, () => engine.exports.targetUnits(answers, ANSWERS.length, TOTAL, -1, ROWS, SHIFT, targets));
  },
  oracle: { elements: LIST.length, run: () => targetUnits(LIST, TOTAL, -1, ROWS, SHIFT) },
} satisfies Kernel;
