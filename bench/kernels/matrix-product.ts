import { PRODUCT_SCRATCH } from "../../src/engine/layout.js";
import { randomFloats } from "../../test/floats.js";
import { matrixProduct } from "../../test/reference/matrix-product.js";
import type { Kernel } from "./kernel.js";

// A layer of a small generator: two operations per element, so 0.05 ns are 40 GFLOP/s.
const [ROWS, INNER, COLUMNS] = [1000, 146, 146];
const A = randomFloats(ROWS * INNER, 1);
const B = randomFloats(INNER * COLUMNS, 2);
const FEW = { rows: 20, inner: INNER, columns: COLUMNS };

export default {
  element: "multiplication and addition",
  elements: ROWS * INNER * COLUMNS,
  open(engine) {
    const [a, b] = engine.placeAll([A, B]);
    const [out, scratch] = engine.reserve([4 * ROWS * COLUMNS, PRODUCT_SCRATCH]);
    return () => engine.exports.matrixProduct(a, b, out, ROWS, INNER, COLUMNS, false, false, scratch);
  },
  oracle: { elements: FEW.rows * INNER * COLUMNS, run: () => matrixProduct(A, B, FEW) },
} satisfies Kernel;
