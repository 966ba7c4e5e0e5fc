import { lineLength } from "../../test/reference/line-end.js";
import type { Kernel } from "./kernel.js";

const LINE = Array.from({ length: 1000 }, (_, at) => 65 + (at % 26));

export default {
  element: "byte",
  elements: 1000 * LINE.length,
  open(engine) {
    const from = engine.place(Uint8Array.from(LINE));
    return () => {
      for (let time = 0; time < 1000; time++) engine.exports.lineEnd(from, from + LINE.length);
    };
  },
  oracle: { elements: LINE.length, run: () => lineLength(LINE) },
} satisfies Kernel;
