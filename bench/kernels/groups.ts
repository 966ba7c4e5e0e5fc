import { writeQuery } from "../../src/queries/struct.js";
import { groupSums } from "../../test/reference/groups.js";
import { categories, type Kernel, queryOfAll, repeated, uniformIntegers } from "./kernel.js";

const SIZES = [200, 100];
const CELLS = 20_000;
const GROUPS = [40, 20];
const MAPS = SIZES.map((size, axis) => Array.from({ length: size }, (_, code) => code % GROUPS[axis]));
const COUNTS = uniformIntegers(CELLS, 1000, 1);
const TIMES = 50;

export default {
  element: "cell",
  elements: TIMES * CELLS,
  open(engine) {
    const [query, grouped] = [SIZES, GROUPS].map((sizes) => {
      const axes = sizes.map(categories);
      return writeQuery(engine, queryOfAll(axes), axes);
    });
    const maps = engine.place(Uint32Array.from(MAPS, (map) => engine.place(Uint32Array.from(map))));
    const counts = engine.place(COUNTS);
    const sums = engine.alloc(4 * GROUPS[0] * GROUPS[1]);
    return repeated(TIMES, () => engine.exports.moveToGroups(query, grouped, maps, counts, sums));
  },
  oracle: { elements: CELLS, run: () => groupSums(SIZES, MAPS, COUNTS) },
} satisfies Kernel;
