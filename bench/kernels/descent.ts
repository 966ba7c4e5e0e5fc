import { placeSearch } from "../../test/place-search.js";
import { descent } from "../../test/reference/descent.js";
import { type Kernel, PROBLEM } from "./kernel.js";

const { attributes, codes } = PROBLEM;
const ROWS = codes[0].length;
// After the first sweeps no cell changes any more: what is timed is the look for better codes. Changes are timed in
// residuals.ts.
const SWEEPS = 500;

export default {
  element: "cell visited",
  elements: SWEEPS * ROWS * attributes.length,
  open(engine) {
    const { search } = placeSearch(engine, PROBLEM);
    // A negative tolerance: the descent never settles.
    const state = engine.exports.descentOpen(search, -1, 2 ** 32 - 1);
    return () => engine.exports.descend(state, SWEEPS * ROWS);
  },
  oracle: { elements: ROWS * attributes.length, run: () => descent(PROBLEM, -1, 1) },
} satisfies Kernel;
