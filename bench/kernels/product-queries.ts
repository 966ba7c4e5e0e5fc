import { randomFloats, randomIndices } from "../../test/floats.js";
import { occurrences } from "../../test/occurrences.js";
import { productQueries, productQueriesGradient } from "../../test/reference/product-queries.js";
import { type Kernel, LINES, onKernels, RELAXED_ROWS } from "./kernel.js";

const COUNT = 2000;
const ORDER = 3;
const X = randomFloats(LINES * RELAXED_ROWS, 1);
const SLOPE = randomFloats(COUNT, 2);
const QUERIES = Array.from({ length: COUNT }, (_, query) => randomIndices(ORDER, LINES, 3 + query));
const FEW = 20;

/** A step of a descent: the answers, then the slopes of all three lines of each query. */
export default {
  element: "row of a query of three lines, with its gradient",
  ...onKernels(COUNT * RELAXED_ROWS, (kernels) => {
    const found = occurrences(QUERIES.flat(), LINES);
    const [lines, starts, places] = [QUERIES.flat(), found.starts, found.places].map((list) =>
      kernels.indices(Uint32Array.from(list)),
    );
    const queries = { lines, order: ORDER, count: COUNT, starts, places };
    const [x, slope, answers, into] = [X, SLOPE, COUNT, X.length].map(kernels.floats);
    return () => {
      kernels.productQueries(x, RELAXED_ROWS, queries, answers);
      kernels.productQueriesGradient(x, RELAXED_ROWS, queries, slope, into);
    };
  }),
  oracle: {
    elements: FEW * RELAXED_ROWS,
    run() {
      const few = QUERIES.slice(0, FEW);
      return [productQueries(X, RELAXED_ROWS, few), productQueriesGradient(X, RELAXED_ROWS, few, SLOPE)];
    },
  },
} satisfies Kernel;
