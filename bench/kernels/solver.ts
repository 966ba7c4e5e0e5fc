import { placeLinked } from "../../src/constraints/struct.js";
import { solved } from "../../test/reference/solver.js";
import { type Kernel, LINKED, LINKED_PROBLEM, repeated } from "./kernel.js";

const TIMES = 1 << 12;
const RANGES = LINKED_PROBLEM.columns.map(({ values }) => ({ first: 0, last: values.length - 1 }));
const WORDS = RANGES.map(() => 2 ** 31);

export default {
  element: "search",
  elements: TIMES,
  open(engine) {
    const linked = placeLinked(engine, LINKED);
    return repeated(TIMES, () => engine.exports.findWitness(linked, 1000));
  },
  oracle: { elements: 1, run: () => solved(LINKED_PROBLEM, RANGES, WORDS, 1000) },
} satisfies Kernel;
