import { projectEntropy } from "../../test/reference/entropy-projection.js";
import { allPoints } from "../../test/reference/weights.js";
import { measuredIn, placeTriples, SMALL, TRIPLES } from "./densities.js";
import type { Kernel } from "./kernel.js";

const CORRECTIONS = 50;

/** Corrections of the largest error among 35 measured cells. */
export default {
  element: "correction",
  elements: CORRECTIONS,
  open(engine) {
    const { density } = placeTriples(engine);
    return () => {
      engine.exports.densityOpen(density);
      engine.exports.projectEntropy(density, TRIPLES.length, CORRECTIONS, 0);
    };
  },
  oracle: { elements: 5, run: () => projectEntropy(allPoints(SMALL), measuredIn(SMALL), 5, 0) },
} satisfies Kernel;
