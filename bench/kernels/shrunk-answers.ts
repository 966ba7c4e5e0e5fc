import { placeDensity, placeMeasured } from "../../test/place-density.js";
import { shrunkAnswers } from "../../test/reference/shrunk-answers.js";
import { uniforms } from "../../test/reference/statistics.js";
import { givenPoints, type Measured } from "../../test/reference/weights.js";
import type { Kernel } from "./kernel.js";

const SIZES = [20, 20];
const AXES = [0, 1];
const ROWS = 10_000;
const NOISE = 1e-6;

function drawn(): { points: number[][]; measured: Measured[] } {
  const uniform = uniforms(1);
  const points = Array.from({ length: ROWS }, () => SIZES.map((size) => Math.floor(size * uniform() ** 2)));
  const cells = SIZES[0] * SIZES[1];
  return { points, measured: [{ axes: AXES, targets: new Array<number>(cells).fill(1 / cells), slack: 0 }] };
}

/** A pair of 20 × 20 codes. */
export default {
  element: "cell",
  elements: SIZES[0] * SIZES[1],
  open(engine) {
    const { points, measured } = drawn();
    const placed = placeDensity(engine, SIZES, [AXES], points);
    placeMeasured(engine, placed, [AXES], measured);
    return () => engine.exports.shrinkAnswers(placed.density, 0, ROWS, NOISE);
  },
  oracle: {
    elements: SIZES[0] * SIZES[1],
    run: () => {
      const { points, measured } = drawn();
      return shrunkAnswers(givenPoints(SIZES, points), measured[0], ROWS, NOISE);
    },
  },
} satisfies Kernel;
