import { chanceTargets } from "../../test/reference/chance.js";
import { type Kernel, repeated, uniformIntegers } from "./kernel.js";

const EXPECTED = Float64Array.from(uniformIntegers(1 << 14, 10_000, 1), (count) => Math.abs(count) / 64);
const LIST = [...EXPECTED];
const MOST = 2 ** 30;
const TIMES = 50;

export default {
  element: "cell",
  elements: TIMES * EXPECTED.length,
  open(engine) {
    const expected = engine.place(EXPECTED);
    const targets = engine.alloc(4 * EXPECTED.length);
    return repeated(TIMES, () => engine.exports.chanceTargets(expected, EXPECTED.length, MOST, targets));
  },
  oracle: { elements: LIST.length, run: () => chanceTargets(LIST, MOST) },
} satisfies Kernel;
