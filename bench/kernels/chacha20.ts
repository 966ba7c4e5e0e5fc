import { chachaBlock } from "../../test/reference/chacha20.js";
import { KEY, type Kernel } from "./kernel.js";

const BLOCKS = 1 << 14;
const FEW = 1 << 11;

export default {
  element: "block of 64 bytes",
  elements: BLOCKS,
  open(engine) {
    const [key, out] = [engine.place(KEY), engine.alloc(64 * BLOCKS)];
    return () => engine.exports.chachaBlocks(key, 1, 0, 0, BLOCKS, out);
  },
  oracle: {
    elements: FEW,
    run: () => Array.from({ length: FEW }, (_, counter) => chachaBlock(KEY, counter, [1, 0, 0])),
  },
} satisfies Kernel;
