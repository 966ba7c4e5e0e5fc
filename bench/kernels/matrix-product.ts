import { openGpuKernels } from "../../src/gpu/kernels.js";
import { randomFloats } from "../../test/floats.js";
import { matrixProduct } from "../../test/reference/matrix-product.js";
import { type Kernel, onKernels } from "./kernel.js";

// A layer of a small generator: two operations per element, so 0.05 ns are 40 GFLOP/s.
const [ROWS, INNER, COLUMNS] = [1000, 146, 146];
const A = randomFloats(ROWS * INNER, 1);
const B = randomFloats(INNER * COLUMNS, 2);
// What is worth a GPU, with its transfers: there and back.
const LARGE = 2048;
const FEW = { rows: 20, inner: INNER, columns: COLUMNS };

export default {
  element: "multiplication and addition",
  ...onKernels(ROWS * INNER * COLUMNS, (kernels) => {
    const [a, b, out] = [kernels.floats(A), kernels.floats(B), kernels.floats(ROWS * COLUMNS)];
    return () => kernels.matrixProduct(a, b, out, { rows: ROWS, inner: INNER, columns: COLUMNS });
  }),
  most: 0.1, // 20 GFLOP/s
  onGpu: {
    elements: LARGE ** 3,
    least: 20,
    async open(device) {
      const [one, other] = [randomFloats(LARGE ** 2, 3), randomFloats(LARGE ** 2, 4)];
      const kernels = await openGpuKernels(device);
      const [a, b, out] = [one, other, one].map((content) => kernels.floats(content.length));
      return () => {
        kernels.write(a, one);
        kernels.write(b, other);
        kernels.matrixProduct(a, b, out, { rows: LARGE, inner: LARGE, columns: LARGE });
        return kernels.read(out);
      };
    },
  },
  oracle: { elements: FEW.rows * INNER * COLUMNS, run: () => matrixProduct(A, B, FEW) },
} satisfies Kernel;
