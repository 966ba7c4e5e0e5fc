import { writeQuery } from "../../src/queries/struct.js";
import { correctedTable, type PublicProblem } from "../../test/reference/public-rows.js";
import { categories, type Kernel, queryOfAll, repeated, uniformIntegers } from "./kernel.js";

// A pair of which public rows tell nearly everything.
const AXES = [24, 20].map((size) => ({ ...categories(size), codes: 0 }));
const CELLS = 480;
const VARIANCE = 400;
const PROBLEM: PublicProblem = {
  axes: AXES,
  table: new Array(CELLS).fill(200),
  noisy: Array.from(uniformIntegers(CELLS, 35, 1), (noise) => 200 + noise),
  variance: VARIANCE,
  sampling: 2,
};
const SUMS = PROBLEM.noisy.map((count) => count / VARIANCE);
const TIMES = 50;

export default {
  element: "cell of a pair",
  elements: TIMES * CELLS,
  open(engine) {
    const query = writeQuery(engine, queryOfAll(AXES), AXES);
    const ordered = engine.alloc(4 * AXES.length);
    const [table, sums, precisions] = [0, 1, 2].map(() => engine.alloc(8 * CELLS));
    const scratch = engine.alloc(8 * (3 * CELLS + 1));
    return repeated(TIMES, () => {
      engine.f64(table, CELLS).set(PROBLEM.table);
      engine.f64(sums, CELLS).set(SUMS);
      engine.f64(precisions, CELLS).fill(1 / VARIANCE);
      engine.exports.correctPublicTable(query, ordered, table, sums, precisions, PROBLEM.sampling, scratch);
    });
  },
  oracle: { elements: CELLS, run: () => correctedTable(PROBLEM) },
} satisfies Kernel;
