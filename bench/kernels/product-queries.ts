import { randomFloats, randomIndices } from "../../test/floats.js";
import { occurrences } from "../../test/occurrences.js";
import { productQueries, productQueriesGradient } from "../../test/reference/product-queries.js";
import { type Kernel, LINES, RELAXED_ROWS } from "./kernel.js";

const COUNT = 2000;
const ORDER = 3;
const X = randomFloats(LINES * RELAXED_ROWS, 1);
const SLOPE = randomFloats(COUNT, 2);
const QUERIES = Array.from({ length: COUNT }, (_, query) => randomIndices(ORDER, LINES, 3 + query));
const FEW = 20;

/** A step of a descent: the answers, then the slopes of all three lines of each query. */
export default {
  element: "row of a query of three lines, with its gradient",
  elements: COUNT * RELAXED_ROWS,
  open(engine) {
    const { starts, places } = occurrences(QUERIES.flat(), LINES);
    const lists = [QUERIES.flat(), starts, places].map((list) => Uint32Array.from(list));
    const [x, slope, lines, first, at] = engine.placeAll([X, SLOPE, ...lists]);
    const [answers, into] = engine.reserve([4 * COUNT, X.byteLength]);
    const { exports } = engine;
    return () => {
      exports.productQueries(x, RELAXED_ROWS, lines, ORDER, COUNT, answers);
      exports.productQueriesGradient(x, RELAXED_ROWS, lines, ORDER, first, LINES, at, slope, into);
    };
  },
  oracle: {
    elements: FEW * RELAXED_ROWS,
    run() {
      const few = QUERIES.slice(0, FEW);
      return [productQueries(X, RELAXED_ROWS, few), productQueriesGradient(X, RELAXED_ROWS, few, SLOPE)];
    },
  },
} satisfies Kernel;
