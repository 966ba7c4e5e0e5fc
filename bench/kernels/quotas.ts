import { STREAM_QUOTA } from "../../src/engine/layout.js";
import { quotaCodes } from "../../test/reference/quotas.js";
import { type Kernel, repeated, uniformCodes, uniformIntegers } from "./kernel.js";

const [GROUPS, SIZE, ROWS] = [20, 16, 1 << 14];
const WEIGHTS = Float64Array.from(uniformIntegers(GROUPS * SIZE, 1000, 1), Math.abs);
const LINES = Array.from({ length: GROUPS }, (_, group) => [...WEIGHTS.subarray(group * SIZE, (group + 1) * SIZE)]);
const GIVEN = uniformCodes(ROWS, GROUPS, 2);
const HELD = LINES.map((_, group) => GIVEN.filter((code) => code === group).length);
const TIMES = 20;

export default {
  element: "row",
  elements: TIMES * ROWS,
  open(engine) {
    const [weights, given] = [engine.place(WEIGHTS), engine.place(Uint32Array.from(GIVEN))];
    const [codes, starts] = [engine.alloc(2 * ROWS), engine.alloc(4 * GROUPS)];
    return repeated(TIMES, () => engine.exports.quotaCodes(weights, GROUPS, SIZE, given, ROWS, 1, 2, codes, starts));
  },
  oracle: { elements: ROWS, run: () => quotaCodes(LINES, HELD, 1, STREAM_QUOTA, 2) },
} satisfies Kernel;
