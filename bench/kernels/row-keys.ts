import { rowKeys } from "../../test/reference/row-keys.js";
import { type Kernel, repeated, uniformCodes } from "./kernel.js";

const ROWS = 1 << 16;
const CODES = uniformCodes(ROWS, 100, 1);
const TIMES = 20;

export default {
  element: "row",
  elements: TIMES * ROWS,
  open(engine) {
    const [codes, keys] = [engine.place(CODES), engine.alloc(4 * ROWS)];
    return repeated(TIMES, () => engine.exports.addRowKeys(codes, ROWS, 100, keys));
  },
  oracle: { elements: ROWS, run: () => rowKeys(new Array<number>(ROWS).fill(0), CODES, 100) },
} satisfies Kernel;
