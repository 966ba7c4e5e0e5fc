import { randomFloats } from "../../test/floats.js";
import { sparsemax } from "../../test/reference/sparsemax.js";
import { BLOCKS, type Kernel, LINES, RELAXED_ROWS } from "./kernel.js";

const X = randomFloats(LINES * RELAXED_ROWS, 1);
const FEW = 50;

export default {
  element: "number of a relaxed row",
  elements: X.length,
  open(engine) {
    const [x, blocks] = engine.placeAll([X, Uint32Array.from(BLOCKS)]);
    const out = engine.alloc(X.byteLength);
    return () => engine.exports.sparsemax(x, blocks, BLOCKS.length - 1, RELAXED_ROWS, out);
  },
  oracle: { elements: LINES * FEW, run: () => sparsemax(X.subarray(0, LINES * FEW), BLOCKS, FEW) },
} satisfies Kernel;
