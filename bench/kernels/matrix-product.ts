import { randomFloats } from "../../test/floats.js";
import { matrixProduct } from "../../test/reference/matrix-product.js";
import { type Kernel, onKernels } from "./kernel.js";

// A layer of a small generator: two operations per element, so 0.05 ns are 40 GFLOP/s.
const [ROWS, INNER, COLUMNS] = [1000, 146, 146];
const A = randomFloats(ROWS * INNER, 1);
const B = randomFloats(INNER * COLUMNS, 2);
const FEW = { rows: 20, inner: INNER, columns: COLUMNS };

export default {
  element: "multiplication and addition",
  ...onKernels(ROWS * INNER * COLUMNS, (kernels) => {
    const [a, b, out] = [kernels.floats(A), kernels.floats(B), kernels.floats(ROWS * COLUMNS)];
    return () => kernels.matrixProduct(a, b, out, { rows: ROWS, inner: INNER, columns: COLUMNS });
  }),
  oracle: { elements: FEW.rows * INNER * COLUMNS, run: () => matrixProduct(A, B, FEW) },
} satisfies Kernel;
