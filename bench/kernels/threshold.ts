import { gaussians } from "../../test/gaussians.js";
import { uniforms } from "../../test/reference/statistics.js";
import { softened } from "../../test/reference/threshold.js";
import { type Kernel, repeated } from "./kernel.js";

const CELLS = Float64Array.from(gaussians(uniforms(1), 1 << 14), (noise, cell) => noise + (cell % 50 ? 0 : 8));
const LIST = [...CELLS];
const TIMES = 20;

export default {
  element: "cell",
  elements: TIMES * CELLS.length,
  open(engine) {
    const cells = engine.alloc(8 * CELLS.length);
    return repeated(TIMES, () => {
      engine.f64(cells, CELLS.length).set(CELLS);
      engine.exports.soften(cells, CELLS.length, 1);
    });
  },
  oracle: { elements: LIST.length, run: () => softened(LIST, 1) },
} satisfies Kernel;
