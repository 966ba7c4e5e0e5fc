import { randomFloats } from "../../test/floats.js";
import { batchNorm, batchNormGradient } from "../../test/reference/batch-norm.js";
import { type Kernel, LINES, RELAXED_ROWS } from "./kernel.js";

const X = randomFloats(LINES * RELAXED_ROWS, 1);
const SLOPE = randomFloats(LINES * RELAXED_ROWS, 2);
const GAIN = new Float32Array(LINES).fill(1);
const EPSILON = 1e-5;
const FEW = X.subarray(0, 10 * RELAXED_ROWS);

/** A layer of a step: its numbers, then the slopes at what it was given. */
export default {
  element: "number, with its gradient",
  elements: X.length,
  open(engine) {
    const [x, slope, gain] = engine.placeAll([X, SLOPE, GAIN]);
    const [bias, intoGain, intoBias] = engine.reserve([4 * LINES, 4 * LINES, 4 * LINES]);
    const [out, into, statistics] = engine.reserve([X.byteLength, X.byteLength, 8 * LINES]);
    const { exports } = engine;
    return () => {
      exports.batchNorm(x, RELAXED_ROWS, LINES, gain, bias, EPSILON, out, statistics);
      exports.batchNormGradient(x, RELAXED_ROWS, LINES, gain, statistics, slope, into, intoGain, intoBias);
    };
  },
  oracle: {
    elements: FEW.length,
    run: () => [
      batchNorm(FEW, RELAXED_ROWS, GAIN, GAIN, EPSILON),
      batchNormGradient(FEW, RELAXED_ROWS, GAIN, EPSILON, SLOPE),
    ],
  },
} satisfies Kernel;
