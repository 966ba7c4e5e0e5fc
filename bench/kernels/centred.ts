import { writeQuery } from "../../src/queries/struct.js";
import { centredTable } from "../../test/reference/centred.js";
import { accepted, categories, type Kernel, queryOfAll, repeated, uniformIntegers } from "./kernel.js";

const SIZES = [14, 15];
const CELLS = 210;
const COUNTS = uniformIntegers(CELLS, 1000, 1);
const TIMES = 2000;

export default {
  element: "cell",
  elements: TIMES * CELLS,
  open(engine) {
    const axes = SIZES.map(categories);
    const query = writeQuery(engine, queryOfAll(axes), axes);
    const [centred, given, counts] = engine.placeAll([Uint32Array.from(SIZES), COUNTS, COUNTS]);
    return repeated(TIMES, () => {
      engine.exports.copy(given, counts, 4 * CELLS);
      accepted(engine.exports.centreCounts(query, centred, counts));
    });
  },
  oracle: { elements: CELLS, run: () => centredTable(SIZES, [true, true], COUNTS) },
} satisfies Kernel;
