import { allPoints, scaled } from "../../test/reference/weights.js";
import { placeTriples, SIZES, SMALL, TRIPLES } from "./densities.js";
import type { Kernel } from "./kernel.js";

const TIMES = 200;

/** Cells of all tables in turn. A run changes them and back. */
export default {
  element: "update",
  elements: 2 * TIMES,
  open(engine) {
    const { density, tables } = placeTriples(engine);
    return () => {
      for (const factor of [2, 0.5])
        for (let turn = 0; turn < TIMES; turn++) {
          const at = turn % tables.length;
          const cells = TRIPLES[at].reduce((product, axis) => product * SIZES[axis], 1);
          engine.exports.scaleCell(density, tables[at], (37 * turn) % cells, factor);
        }
    };
  },
  oracle: {
    elements: 1,
    run: () => scaled(allPoints(SMALL), TRIPLES[0], (cell) => (cell === 3 ? 2 : 1)),
  },
} satisfies Kernel;
