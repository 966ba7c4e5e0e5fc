import { decoded } from "../../test/reference/utf8.js";
import { type Kernel, repeated } from "./kernel.js";

// As in names of several languages: a character in ten is not ASCII.
const TEXT = new TextEncoder().encode("Zoë, André and 陈先生 were here in May, weren’t they? ".repeat(400));
const TIMES = 50;

export default {
  element: "byte",
  elements: TIMES * TEXT.length,
  open(engine) {
    const from = engine.place(TEXT);
    const out = engine.alloc(3 * TEXT.length);
    return repeated(TIMES, () => engine.exports.decodedText(from, from + TEXT.length, out));
  },
  oracle: { elements: TEXT.length, run: () => decoded(TEXT) },
} satisfies Kernel;
