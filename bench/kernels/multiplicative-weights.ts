import { STREAM_DENSITY } from "../../src/engine/layout.js";
import { multiplyWeights } from "../../test/reference/multiplicative-weights.js";
import { allPoints } from "../../test/reference/weights.js";
import { measuredIn, placeTriples, SMALL, TRIPLES } from "./densities.js";
import type { Kernel } from "./kernel.js";

/** An update by the last of 35 measured cells, and those by the others. */
export default {
  element: "round",
  elements: 1,
  open(engine) {
    const { density } = placeTriples(engine);
    return () => {
      engine.exports.densityOpen(density);
      engine.exports.multiplyWeights(density, TRIPLES.length - 1, true, 1, 1);
    };
  },
  oracle: {
    elements: 1,
    run: () => multiplyWeights(allPoints(SMALL), measuredIn(SMALL), true, 1, 1, STREAM_DENSITY),
  },
} satisfies Kernel;
