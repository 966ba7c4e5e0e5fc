import type { Attribute } from "../../src/domain/attribute.js";
import { cellsOf } from "../../src/queries/query.js";
import type { RandomHalfSpaces } from "../../src/queries/random-half-spaces.js";
import { writeQuery } from "../../src/queries/struct.js";
import { halfSpacesAnswers } from "../../test/reference/half-spaces.js";
import { categories, countedOn, type Kernel, tree, uniformCodes } from "./kernel.js";

const ROWS = 1 << 14;
const SIZES = [2, 2, 2, 2, 3, 4, 5, 5, 6, 9, 10, 16, 24];
const fine: Attribute = { ...tree, name: "fine", ordered: true, fine: 1000 };
const COLUMNS = [...SIZES.map((size, at) => ({ ...categories(size), name: `categories ${at}` })), fine];
const CODES = [...SIZES, 1001].map((codes, column) => uniformCodes(ROWS, codes, column));

const setOf = (count: number): RandomHalfSpaces => ({
  ...({ kind: "random-half-spaces", columns: [...COLUMNS.keys()], count, seed: 1 } as const),
  ...({ labels: [], each: false, side: "below", strict: false } as const),
});
const QUERY = setOf(1 << 10);
const MANY = setOf(200_000);
const FEW = setOf(4);

export default {
  element: "row of a half-space over 13 categories and a number",
  elements: ROWS * QUERY.count,
  open(engine) {
    const query = writeQuery(engine, QUERY, COLUMNS);
    const columns = engine.place(Uint32Array.from(CODES, (codes) => engine.place(codes)));
    const block = engine.place(Uint32Array.of(columns, ROWS));
    const out = engine.alloc(4 * cellsOf(QUERY, COLUMNS));
    return () => engine.exports.answerBlocks(query, block, 1, out);
  },
  onGpu: { elements: ROWS * MANY.count, least: 20, open: countedOn(MANY, COLUMNS, CODES) },
  oracle: { elements: ROWS * FEW.count, run: () => halfSpacesAnswers(FEW, COLUMNS, CODES) },
} satisfies Kernel;
