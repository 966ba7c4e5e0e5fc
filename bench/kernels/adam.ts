import { randomFloats, sizesOf } from "../../test/floats.js";
import { adam } from "../../test/reference/adam.js";
import type { Kernel } from "./kernel.js";

const COUNT = 1 << 20;
const FEW = [...randomFloats(1 << 14, 2)];
const STEP = { step: 100, rate: 1e-3, beta1: 0.9, beta2: 0.999, epsilon: 1e-8 };

export default {
  element: "parameter",
  elements: COUNT,
  open(engine) {
    const slope = engine.place(randomFloats(COUNT, 1));
    const [parameters, first, second] = engine.reserve([4 * COUNT, 4 * COUNT, 4 * COUNT]);
    const { step, rate, beta1, beta2, epsilon } = STEP;
    return () => engine.exports.adam(parameters, slope, first, second, COUNT, step, rate, beta1, beta2, epsilon);
  },
  oracle: {
    elements: FEW.length,
    run: () => adam({ parameters: FEW, first: FEW, second: sizesOf(FEW) }, FEW, STEP),
  },
} satisfies Kernel;
