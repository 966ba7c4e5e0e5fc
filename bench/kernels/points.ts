import { STREAM_DECODE } from "../../src/engine/layout.js";
import { points } from "../../test/reference/points.js";
import { type Kernel, uniformCodes } from "./kernel.js";

const ROWS = 1 << 17;
const FEW = 1 << 11;
const LEAVES = Float64Array.from({ length: 32 }, (_, leaf) => leaf * 1000);
const CODES = uniformCodes(ROWS, LEAVES.length + 1, 1);

export default {
  element: "row",
  elements: ROWS,
  open(engine) {
    const [out, codes, starts] = [engine.alloc(2 * ROWS), engine.place(CODES), engine.place(LEAVES)];
    return () => engine.exports.drawPoints(out, 2, codes, ROWS, starts, LEAVES.length, 32_000, 0xffff, 1, 0);
  },
  oracle: {
    elements: FEW,
    run: () => points([...CODES.subarray(0, FEW)], [...LEAVES], 32_000, 0xffff, 1, STREAM_DECODE, 0),
  },
} satisfies Kernel;
