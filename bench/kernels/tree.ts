import { cellsIn, cellsOf } from "../../src/queries/query.js";
import { writeQuery } from "../../src/queries/struct.js";
import { levelSums } from "../../test/reference/tree.js";
import { categories, type Kernel, queryOfAll, repeated, tree, uniformIntegers } from "./kernel.js";

const AXES = [tree, tree, categories(7)];
const QUERY = queryOfAll(AXES);
const FINEST = uniformIntegers(cellsIn(AXES.map(({ size }) => size)), 1000, 1);
const TIMES = 50;

export default {
  element: "cell of the finest level",
  elements: TIMES * FINEST.length,
  open(engine) {
    const struct = writeQuery(engine, QUERY, AXES);
    const cells = cellsOf(QUERY, AXES);
    const counts = engine.alloc(4 * cells);
    engine.i32(counts, cells).set(FINEST, cells - FINEST.length);
    return repeated(TIMES, () => engine.exports.answerLevels(struct, counts));
  },
  oracle: { elements: FINEST.length, run: () => levelSums(QUERY, AXES, FINEST) },
} satisfies Kernel;
