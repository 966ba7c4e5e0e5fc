import { block } from "../../test/reference/philox.js";
import type { Kernel } from "./kernel.js";

const WORDS = 1 << 20;
const BLOCKS = 1 << 11;

export default {
  element: "word",
  elements: WORDS,
  open(engine) {
    const out = engine.alloc(4 * WORDS);
    return () => engine.exports.philoxWords(out, WORDS, 1, 0, 0);
  },
  oracle: { elements: 4 * BLOCKS, run: () => Array.from({ length: BLOCKS }, (_, index) => block(1, 0, 0, index)) },
} satisfies Kernel;
