import { SCORE_L1 } from "../../src/engine/layout.js";
import { scoreOf } from "../../test/reference/scores.js";
import { accepted, type Kernel, uniformIntegers } from "./kernel.js";

const [COUNTS, TARGETS] = [1, 2].map((seed) => uniformIntegers(1 << 20, 1000, seed));
const [FEW_COUNTS, FEW_TARGETS] = [COUNTS, TARGETS].map((table) => table.subarray(0, 1 << 16));

export default {
  element: "cell",
  elements: COUNTS.length,
  open(engine) {
    const [counts, targets, out] = [engine.place(COUNTS), engine.place(TARGETS), engine.alloc(8)];
    return () => accepted(engine.exports.score(counts, targets, COUNTS.length, SCORE_L1, 1, 0n, 0, out));
  },
  oracle: { elements: FEW_COUNTS.length, run: () => scoreOf(FEW_COUNTS, FEW_TARGETS, SCORE_L1, 1n, 0n) },
} satisfies Kernel;
