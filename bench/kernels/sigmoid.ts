import { randomFloats } from "../../test/floats.js";
import { sigmoid, sigmoidGradient } from "../../test/reference/sigmoid.js";
import { type Kernel, onKernels, RELAXED_ROWS } from "./kernel.js";

const COUNT = 500;
const SCALE = 64;
const SUMS = randomFloats(COUNT * RELAXED_ROWS, 1);
const THRESHOLDS = randomFloats(COUNT, 2);
const SLOPE = randomFloats(SUMS.length, 3);
const FEW = { thresholds: THRESHOLDS.subarray(0, 10), scale: SCALE };
const FEW_SUMS = SUMS.subarray(0, FEW.thresholds.length * RELAXED_ROWS);

/** A step of a descent: the sigmoids, then the slopes at the sums. */
export default {
  element: "sum, with its gradient",
  ...onKernels(SUMS.length, (kernels) => {
    const [sums, thresholds, slope] = [SUMS, THRESHOLDS, SLOPE].map(kernels.floats);
    const [lines, into] = [SUMS.length, SUMS.length].map(kernels.floats);
    return () => {
      kernels.sigmoid(sums, RELAXED_ROWS, thresholds, SCALE, lines);
      kernels.sigmoidGradient(lines, RELAXED_ROWS, SCALE, slope, into);
    };
  }),
  oracle: {
    elements: FEW_SUMS.length,
    run: () => sigmoidGradient(sigmoid(FEW_SUMS, RELAXED_ROWS, FEW), SCALE, SLOPE),
  },
} satisfies Kernel;
