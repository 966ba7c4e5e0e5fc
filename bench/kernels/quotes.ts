import { textsStruct } from "../../src/files/record-writer.js";
import { cell } from "../../test/reference/quotes.js";
import { type Kernel, repeated, uniformCodes } from "./kernel.js";

const TEXTS = Array.from(uniformCodes(1 << 14, 40, 1), (length, at) => "abc,".repeat(length).slice(at % 4, length));
const TIMES = 8;

export default {
  element: "text",
  elements: TIMES * TEXTS.length,
  open(engine) {
    const struct = textsStruct(TEXTS);
    const [texts, out] = [engine.place(struct), engine.alloc(2 * struct.length + 2 * TEXTS.length)];
    return repeated(TIMES, () => engine.exports.quoteTexts(texts, TEXTS.length, 0x2c, 0, out));
  },
  oracle: { elements: TEXTS.length, run: () => TEXTS.map((text) => cell(text, ",", false)) },
} satisfies Kernel;
