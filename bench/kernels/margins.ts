import { cellsIn } from "../../src/queries/query.js";
import { writeQuery } from "../../src/queries/struct.js";
import { fittedMargins } from "../../test/reference/margins.js";
import { categories, type Kernel, queryOfAll, repeated, uniformIntegers } from "./kernel.js";

const SIZES = [20, 16, 12];
const AXES = SIZES.map(categories);
const CELLS = cellsIn(SIZES);
const MARGINS = SIZES.map((size, axis) => Float64Array.from(uniformIntegers(CELLS / size, 100, axis), Math.abs));
const LISTS = MARGINS.map((margin) => [...margin]);
const ROUNDS = 5;
const TIMES = 20;

export default {
  element: "cell in five rounds",
  elements: TIMES * CELLS,
  open(engine) {
    const query = writeQuery(engine, queryOfAll(AXES), AXES);
    const margins = engine.place(Uint32Array.from(MARGINS, (margin) => engine.place(margin)));
    const [table, scratch] = [0, 1].map(() => engine.alloc(8 * CELLS));
    return repeated(TIMES, () => engine.exports.fitMargins(query, table, margins, ROUNDS, scratch));
  },
  oracle: { elements: CELLS, run: () => fittedMargins(SIZES, LISTS, ROUNDS) },
} satisfies Kernel;
