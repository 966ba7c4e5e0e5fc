import { ENCODING_UTF_16LE } from "../../src/engine/layout.js";
import { decodedAs } from "../../test/reference/recode.js";
import { type Kernel, repeated } from "./kernel.js";

// As in names of several languages: a character in ten is not ASCII.
const TEXT = Buffer.from("Zoë, André and 陈先生 were here in May, weren’t they? ".repeat(400), "utf16le");
const TIMES = 50;

export default {
  element: "byte",
  elements: TIMES * TEXT.length,
  open(engine) {
    const recoder = engine.exports.recoderOpen(ENCODING_UTF_16LE);
    const from = engine.place(TEXT);
    const out = engine.alloc(3 * TEXT.length + 6);
    return repeated(TIMES, () => engine.exports.recode(recoder, from, from + TEXT.length, 0, out));
  },
  oracle: { elements: TEXT.length, run: () => decodedAs("utf-16le", TEXT) },
} satisfies Kernel;
