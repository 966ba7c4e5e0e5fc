import { chain } from "../../test/reference/chains.js";
import { type Kernel, repeated, uniformIntegers } from "./kernel.js";

const SIZE = 40;
const TABLE = Float64Array.from(uniformIntegers(SIZE * SIZE, 1000, 1), Math.abs);
const LINES = Array.from({ length: SIZE }, (_, row) => [...TABLE.subarray(row * SIZE, (row + 1) * SIZE)]);
const COUNTS = Float64Array.from(uniformIntegers(SIZE, 1000, 2), (count) => 1 + Math.abs(count));
const LIST = [...COUNTS];
const TOTAL = 50_000;
const TIMES = 50;

export default {
  element: "multiplication",
  elements: TIMES * SIZE ** 3,
  open(engine) {
    const [table, counts] = [TABLE, COUNTS].map((values) => engine.place(values));
    const [out, scratch] = [engine.alloc(8 * SIZE * SIZE), engine.alloc(16 * SIZE * SIZE)];
    const ends = [counts, SIZE, counts, SIZE, counts, SIZE] as const;
    return repeated(TIMES, () => engine.exports.chainInteraction(table, 0, table, 1, ...ends, TOTAL, out, scratch));
  },
  oracle: { elements: SIZE ** 3, run: () => chain(LINES, LINES, LIST, [LIST, LIST], TOTAL) },
} satisfies Kernel;
