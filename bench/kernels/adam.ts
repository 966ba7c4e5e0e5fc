import { randomFloats, sizesOf } from "../../test/floats.js";
import { adam } from "../../test/reference/adam.js";
import { type Kernel, onKernels } from "./kernel.js";

const COUNT = 1 << 20;
const FEW = [...randomFloats(1 << 14, 2)];
const STEP = { step: 100, rate: 1e-3, beta1: 0.9, beta2: 0.999, epsilon: 1e-8 };

export default {
  element: "parameter",
  ...onKernels(COUNT, (kernels) => {
    const slope = kernels.floats(randomFloats(COUNT, 1));
    const [parameters, first, second] = [COUNT, COUNT, COUNT].map(kernels.floats);
    return () => kernels.adam(parameters, slope, first, second, STEP);
  }),
  oracle: {
    elements: FEW.length,
    run: () => adam({ parameters: FEW, first: FEW, second: sizesOf(FEW) }, FEW, STEP),
  },
} satisfies Kernel;
