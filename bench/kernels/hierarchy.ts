import { cellsOf } from "../../src/queries/query.js";
import { writeQuery } from "../../src/queries/struct.js";
import { margin } from "../../test/reference/hierarchy.js";
import { categories, type Kernel, queryOfAll, repeated, tree, uniformIntegers } from "./kernel.js";

const AXES = [tree, categories(5)];
const QUERY = queryOfAll(AXES);
const ANSWERS = uniformIntegers(cellsOf(QUERY, AXES), 1000, 1);
const SIGMA2 = 100;
const TIMES = 200;

export default {
  element: "answer",
  elements: TIMES * ANSWERS.length,
  open(engine) {
    const struct = writeQuery(engine, QUERY, AXES);
    const answers = engine.place(ANSWERS);
    const [sums, precisions, scratch] = [0, 1, 2].map(() => engine.alloc(8 * ANSWERS.length));
    return repeated(TIMES, () => engine.exports.addMargin(struct, struct, answers, SIGMA2, sums, precisions, scratch));
  },
  oracle: { elements: ANSWERS.length, run: () => margin(QUERY, QUERY.columns, AXES, ANSWERS, SIGMA2) },
} satisfies Kernel;
