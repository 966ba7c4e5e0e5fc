import { STREAM_PUBLIC } from "../../src/engine/layout.js";
import { sampleOrder } from "../../test/reference/sample.js";
import type { Kernel } from "./kernel.js";

const ROWS = 1 << 16;
const FEW = 1 << 8;

export default {
  element: "row",
  elements: ROWS,
  open(engine) {
    const [order, scratch] = [4, 16].map((bytes) => engine.alloc(bytes * ROWS));
    return () => engine.exports.sampleOrder(order, ROWS, 1, scratch);
  },
  oracle: { elements: FEW, run: () => sampleOrder(FEW, 1, STREAM_PUBLIC) },
} satisfies Kernel;
