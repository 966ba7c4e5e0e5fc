import { placeSearch } from "../../test/place-search.js";
import { batches } from "../../test/reference/batches.js";
import { type Kernel, PROBLEM } from "./kernel.js";

const { attributes, codes } = PROBLEM;
const ROWS = codes[0].length;
const SWEEPS = 500;
const BATCH = 4;

export default {
  element: "cell visited",
  elements: SWEEPS * ROWS * attributes.length,
  open(engine) {
    const { search } = placeSearch(engine, PROBLEM);
    // A negative tolerance: the descent never settles.
    const state = engine.exports.batchesOpen(search, -1, 2 ** 32 - 1, BATCH);
    return () => engine.exports.descendInBatches(state, SWEEPS * ROWS);
  },
  oracle: { elements: ROWS * attributes.length, run: () => batches(PROBLEM, -1, 1, BATCH) },
} satisfies Kernel;
