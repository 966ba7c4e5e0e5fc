import { unitValues } from "../../test/reference/unit-values.js";
import { type Kernel, uniformCodes } from "./kernel.js";

const LAST = 50_000;
const STORED = uniformCodes(1 << 20, LAST + 1, 1);

export default {
  element: "point",
  elements: STORED.length,
  open(engine) {
    const stored = engine.place(STORED);
    const [codes, values] = engine.reserve([2 * STORED.length, 8 * STORED.length]);
    return () => engine.exports.unitValues(stored, 2, STORED.length, LAST, 0xffff, codes, values);
  },
  oracle: { elements: STORED.length, run: () => unitValues(STORED, LAST, 0xffff) },
} satisfies Kernel;
