import { cellsOf } from "../../src/queries/query.js";
import { writeQuery } from "../../src/queries/struct.js";
import { answers } from "../../test/reference/marginal.js";
import { categories, countedOn, type Kernel, queryOfAll, uniformCodes } from "./kernel.js";

const ROWS = 1 << 21;
const PAIR = [categories(20), categories(33)];
const CODES = PAIR.map(({ size }, column) => uniformCodes(ROWS, size, column));
const FEW = CODES.map((column) => column.subarray(0, 1 << 16));

export default {
  element: "row of a pair",
  elements: ROWS,
  open(engine) {
    const query = writeQuery(engine, queryOfAll(PAIR), PAIR);
    const columns = engine.place(Uint32Array.from(CODES, (codes) => engine.place(codes)));
    const block = engine.place(Uint32Array.of(columns, ROWS));
    const out = engine.alloc(4 * cellsOf(queryOfAll(PAIR), PAIR));
    return () => engine.exports.answerBlocks(query, block, 1, out);
  },
  onGpu: { open: countedOn(queryOfAll(PAIR), PAIR, CODES) },
  oracle: { elements: FEW[0].length, run: () => answers(queryOfAll(PAIR), PAIR, FEW) },
} satisfies Kernel;
