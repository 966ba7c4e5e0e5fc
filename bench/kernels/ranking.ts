import { ranked } from "../../test/reference/ranking.js";
import { uniforms } from "../../test/reference/statistics.js";
import type { Kernel } from "./kernel.js";

const VALUES = Float64Array.from({ length: 1 << 15 }, uniforms(1));
const LIST = [...VALUES];

export default {
  element: "value",
  elements: VALUES.length,
  open(engine) {
    const values = engine.place(VALUES);
    const [order, scratch] = [4, 16].map((bytes) => engine.alloc(bytes * VALUES.length));
    return () => engine.exports.rankValues(values, VALUES.length, order, scratch);
  },
  oracle: { elements: LIST.length, run: () => ranked(LIST) },
} satisfies Kernel;
