import { randomFloats, randomIndices } from "../../test/floats.js";
import { sigmoidQueries, sigmoidQueriesGradient } from "../../test/reference/sigmoid-queries.js";
import { type Kernel, LINES, RELAXED_ROWS } from "./kernel.js";

const COUNT = 500;
const SCALE = 64;
const X = randomFloats(LINES * RELAXED_ROWS, 1);
const SUMS = randomFloats(COUNT * RELAXED_ROWS, 2);
const THRESHOLDS = randomFloats(COUNT, 3);
const SLOPE = randomFloats(COUNT, 4);
const LABELS = randomIndices(COUNT, LINES, 5);
const FEW = { thresholds: THRESHOLDS.subarray(0, 10), scale: SCALE, labels: LABELS };
const FEW_SUMS = SUMS.subarray(0, FEW.thresholds.length * RELAXED_ROWS);

/** A step of a descent: the answers, then the slopes at the sums and the labels. */
export default {
  element: "row of a query with a label, with its gradient",
  elements: SUMS.length,
  open(engine) {
    const arrays = [SUMS, THRESHOLDS, Uint32Array.from(LABELS), X, SLOPE];
    const [sums, thresholds, labels, x, slope] = engine.placeAll(arrays);
    const [answers, intoSums, intoX] = engine.reserve([4 * COUNT, SUMS.byteLength, X.byteLength]);
    const { exports } = engine;
    const queries = [sums, RELAXED_ROWS, COUNT, thresholds, SCALE, labels, x] as const;
    return () => {
      exports.sigmoidQueries(...queries, answers);
      exports.sigmoidQueriesGradient(...queries, slope, intoSums, intoX);
    };
  },
  oracle: {
    elements: FEW_SUMS.length,
    run: () => [
      sigmoidQueries(FEW_SUMS, RELAXED_ROWS, FEW, X),
      sigmoidQueriesGradient(FEW_SUMS, RELAXED_ROWS, FEW, X, SLOPE),
    ],
  },
} satisfies Kernel;
