import { writeQuery } from "../../src/queries/struct.js";
import { type NoisyTable, shrunkTable } from "../../test/reference/shrinkage.js";
import { categories, type Kernel, queryOfAll, repeated, uniformIntegers } from "./kernel.js";

// Independent columns, noise, and two codes that go together.
const AXES = [24, 20].map((size) => ({ ...categories(size), codes: 0 }));
const CELLS = 480;
const VARIANCE = 400;
const NOISY: NoisyTable = {
  axes: AXES,
  implied: new Array(CELLS).fill(200),
  sums: Array.from(uniformIntegers(CELLS, 35, 1), (noise, cell) => (200 + noise + (cell ? 0 : 500)) / VARIANCE),
  precisions: new Array(CELLS).fill(1 / VARIANCE),
};
const TIMES = 50;

export default {
  element: "cell of a pair",
  elements: TIMES * CELLS,
  open(engine) {
    const query = writeQuery(engine, queryOfAll(AXES), AXES);
    const ordered = engine.alloc(4 * AXES.length);
    const [table, sums, precisions] = [0, 1, 2].map(() => engine.alloc(8 * CELLS));
    const scratch = engine.alloc(8 * (4 * CELLS + 1));
    return repeated(TIMES, () => {
      engine.f64(table, CELLS).set(NOISY.implied);
      engine.f64(sums, CELLS).set(NOISY.sums);
      engine.f64(precisions, CELLS).set(NOISY.precisions);
      engine.exports.shrinkTable(query, ordered, table, 0, sums, precisions, scratch);
    });
  },
  oracle: { elements: CELLS, run: () => shrunkTable(NOISY) },
} satisfies Kernel;
