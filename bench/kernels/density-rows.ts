import { DENSITY_LAST, STREAM_DENSITY } from "../../src/engine/layout.js";
import { densityPoints } from "../../test/reference/density-rows.js";
import { placeTriples } from "./densities.js";
import type { Kernel } from "./kernel.js";

const ROWS = 50_000;

export default {
  element: "row",
  elements: ROWS,
  open(engine) {
    const { density } = placeTriples(engine);
    const out = engine.alloc(4 * ROWS);
    return () => engine.exports.densityPoints(density, DENSITY_LAST, ROWS, 1, 0, out, 0);
  },
  oracle: {
    elements: 2000,
    run: () => densityPoints(new Array<number>(20_000).fill(1), 2000, 1, STREAM_DENSITY, 0),
  },
} satisfies Kernel;
