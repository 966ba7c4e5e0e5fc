import { capped } from "../../test/reference/codes.js";
import { type Kernel, repeated, uniformCodes } from "./kernel.js";

const CODES = uniformCodes(1 << 18, 120, 1);
const LAST = 99;
const TIMES = 64;

export default {
  element: "code",
  elements: TIMES * CODES.length,
  open(engine) {
    const column = engine.place(CODES);
    return repeated(TIMES, () => engine.exports.capCodes(column, CODES.length, LAST));
  },
  oracle: { elements: CODES.length, run: () => capped(CODES, LAST) },
} satisfies Kernel;
