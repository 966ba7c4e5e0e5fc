import { marks } from "../../test/reference/marks.js";
import { type Kernel, repeated } from "./kernel.js";

const TEXT = new TextEncoder().encode('31,"Private",77516,Bachelors,13\n'.repeat(2048));
const TIMES = 20;

export default {
  element: "byte",
  elements: TIMES * TEXT.length,
  open(engine) {
    const text = engine.place(Uint8Array.of(...TEXT, ...new Uint8Array(64)));
    const out = engine.alloc(4 * (TEXT.length + 64));
    return repeated(TIMES, () => engine.exports.findMarks(text, text + TEXT.length, 44, out));
  },
  oracle: { elements: TEXT.length, run: () => marks(TEXT, ",") },
} satisfies Kernel;
