import { randomFloats, randomIndices } from "../../test/floats.js";
import { occurrences } from "../../test/occurrences.js";
import { sigmoidQueries, sigmoidQueriesGradient } from "../../test/reference/sigmoid-queries.js";
import { type Kernel, LINES, onKernels, RELAXED_ROWS } from "./kernel.js";

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
  ...onKernels(SUMS.length, (kernels) => {
    const found = occurrences(LABELS, LINES);
    const [lines, starts, having] = [LABELS, found.starts, found.places].map((list) =>
      kernels.indices(Uint32Array.from(list)),
    );
    const [sums, thresholds, x, slope] = [SUMS, THRESHOLDS, X, SLOPE].map(kernels.floats);
    const [answers, intoSums, intoX] = [COUNT, SUMS.length, X.length].map(kernels.floats);
    const queries = { count: COUNT, thresholds, scale: SCALE, labels: { lines, starts, queries: having } };
    return () => {
      kernels.sigmoidQueries(sums, RELAXED_ROWS, queries, x, answers);
      kernels.sigmoidQueriesGradient(sums, RELAXED_ROWS, queries, x, slope, intoSums, intoX);
    };
  }),
  oracle: {
    elements: FEW_SUMS.length,
    run: () => [
      sigmoidQueries(FEW_SUMS, RELAXED_ROWS, FEW, X),
      sigmoidQueriesGradient(FEW_SUMS, RELAXED_ROWS, FEW, X, SLOPE),
    ],
  },
} satisfies Kernel;
