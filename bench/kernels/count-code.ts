import { times } from "../../test/reference/count-code.js";
import { type Kernel, repeated, uniformCodes } from "./kernel.js";

const CODES = uniformCodes(1 << 18, 120, 1);

export default {
  element: "code",
  elements: 8 * CODES.length,
  open(engine) {
    const stored = engine.place(CODES);
    return repeated(8, () => engine.exports.countCode(stored, 2, CODES.length, 7));
  },
  oracle: { elements: CODES.length, run: () => times(CODES, 7) },
} satisfies Kernel;
