import type { Attribute } from "../../src/domain/attribute.js";
import { cellsOf } from "../../src/queries/query.js";
import type { Ranges, Side } from "../../src/queries/ranges.js";
import { writeQuery } from "../../src/queries/struct.js";
import { rangesAnswers } from "../../test/reference/ranges.js";
import { uniforms } from "../../test/reference/statistics.js";
import { categories, countedOn, type Kernel, tree, uniformCodes } from "./kernel.js";

const ROWS = 1 << 14;
const BOXES = 1 << 9;
const fine: Attribute = { ...tree, fine: 1000 };
const COLUMNS = [categories(2), fine, fine];
const CODES = [2, 1001, 1001].map((codes, column) => uniformCodes(ROWS, codes, column));

/** Random prefixes in two numeric columns, each for both values of a category. */
const uniform = uniforms(1);
const prefix = (): Side => [0, Math.ceil(uniform() * 2 ** 32)];
const QUERY: Ranges = {
  kind: "ranges",
  columns: [0, 1, 2],
  boxes: Array.from({ length: BOXES }, () => [null, prefix(), prefix()]),
};
const MANY: Ranges = {
  ...QUERY,
  boxes: Array.from({ length: 200 * BOXES }, (_, box) => QUERY.boxes[box % BOXES]),
};
const FEW: Ranges = { ...QUERY, boxes: QUERY.boxes.slice(0, 8) };

export default {
  element: "row of a prefix in two columns, for each of two categories",
  elements: ROWS * BOXES,
  open(engine) {
    const query = writeQuery(engine, QUERY, COLUMNS);
    const columns = engine.place(Uint32Array.from(CODES, (codes) => engine.place(codes)));
    const block = engine.place(Uint32Array.of(columns, ROWS));
    const out = engine.alloc(4 * cellsOf(QUERY, COLUMNS));
    return () => engine.exports.answerBlocks(query, block, 1, out);
  },
  onGpu: { elements: ROWS * MANY.boxes.length, open: countedOn(MANY, COLUMNS, CODES) },
  oracle: { elements: ROWS * FEW.boxes.length, run: () => rangesAnswers(FEW, COLUMNS, CODES) },
} satisfies Kernel;
