import { randomFloats } from "../../test/floats.js";
import { softmax } from "../../test/reference/softmax.js";
import { BLOCKS, type Kernel, LINES, onKernels, RELAXED_ROWS } from "./kernel.js";

const X = randomFloats(LINES * RELAXED_ROWS, 1);
const FEW = 50;

export default {
  element: "number of a relaxed row",
  ...onKernels(X.length, (kernels) => {
    const [x, blocks] = [kernels.floats(X), kernels.indices(Uint32Array.from(BLOCKS))];
    const out = kernels.floats(X.length);
    return () => kernels.softmax(x, blocks, RELAXED_ROWS, out);
  }),
  oracle: { elements: LINES * FEW, run: () => softmax(X.subarray(0, LINES * FEW), BLOCKS, FEW) },
} satisfies Kernel;
