import { ARRAY_F64, BLOCK_ROWS } from "../../src/engine/layout.js";
import { decimal } from "../../test/reference/values.js";
import { placeSpelling } from "../../test/spellings.js";
import { type Kernel, repeated, uniformCodes } from "./kernel.js";

const POINTS = 50_000;
const CODES = [...uniformCodes(BLOCK_ROWS, POINTS, 1)];
const TIMES = 20;
const MINIMUM = -1234n;
const FEW = CODES.slice(0, 4096);

export default {
  element: "value",
  elements: TIMES * BLOCK_ROWS,
  open(engine) {
    const spelling = placeSpelling(engine, CODES, 2, POINTS);
    const [values, validity] = [engine.alloc(8 * BLOCK_ROWS), engine.alloc(BLOCK_ROWS / 8)];
    return repeated(TIMES, () =>
      engine.exports.writeValues(...([spelling, BLOCK_ROWS, ARRAY_F64, MINIMUM, 1n, 100, values, validity] as const)),
    );
  },
  oracle: { elements: FEW.length, run: () => FEW.map((code) => decimal(MINIMUM + BigInt(code), 2)) },
} satisfies Kernel;
