import { randomFloats } from "../../test/floats.js";
import { batchNorm, batchNormGradient } from "../../test/reference/batch-norm.js";
import { type Kernel, LINES, onKernels, RELAXED_ROWS } from "./kernel.js";

const X = randomFloats(LINES * RELAXED_ROWS, 1);
const SLOPE = randomFloats(LINES * RELAXED_ROWS, 2);
const GAIN = new Float32Array(LINES).fill(1);
const EPSILON = 1e-5;
const FEW = X.subarray(0, 10 * RELAXED_ROWS);

/** A layer of a step: its numbers, then the slopes at what it was given. */
export default {
  element: "number, with its gradient",
  ...onKernels(X.length, (kernels) => {
    const [x, slope, gain] = [X, SLOPE, GAIN].map(kernels.floats);
    const [bias, intoGain, intoBias] = [LINES, LINES, LINES].map(kernels.floats);
    const [out, into, statistics] = [X.length, X.length, 2 * LINES].map(kernels.floats);
    return () => {
      kernels.batchNorm(x, RELAXED_ROWS, gain, bias, EPSILON, out, statistics);
      kernels.batchNormGradient(x, RELAXED_ROWS, gain, statistics, slope, into, intoGain, intoBias);
    };
  }),
  oracle: {
    elements: FEW.length,
    run: () => [
      batchNorm(FEW, RELAXED_ROWS, GAIN, GAIN, EPSILON),
      batchNormGradient(FEW, RELAXED_ROWS, GAIN, EPSILON, SLOPE),
    ],
  },
} satisfies Kernel;
