import { coefficients, haarBasis } from "../../test/reference/haar.js";
import { type Kernel, uniformIntegers } from "./kernel.js";

const CODES = 128;
const VECTORS = Float64Array.from(uniformIntegers(CODES << 11, 1000, 1));
const FEW = [...VECTORS.subarray(0, CODES)];

export default {
  element: "value of a vector of 128",
  elements: VECTORS.length,
  open(engine) {
    const first = engine.place(VECTORS);
    return () => {
      for (let at = 0; at < VECTORS.length; at += CODES) engine.exports.toHaar(first + 8 * at, 8, CODES);
    };
  },
  oracle: { elements: CODES, run: () => coefficients(haarBasis(CODES), FEW) },
} satisfies Kernel;
