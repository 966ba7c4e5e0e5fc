import { interaction } from "../../test/reference/interaction.js";
import { type Kernel, repeated, uniformIntegers } from "./kernel.js";

const SIZE = 100;
const TABLE = Float64Array.from(uniformIntegers(SIZE * SIZE, 1000, 1), Math.abs);
const LINES = Array.from({ length: SIZE }, (_, row) => [...TABLE.subarray(row * SIZE, (row + 1) * SIZE)]);
const COUNTS = Float64Array.from(uniformIntegers(SIZE, 1000, 2), Math.abs);
const LIST = [...COUNTS];
const TOTAL = 50_000;
const TIMES = 100;

export default {
  element: "cell of a pair",
  elements: TIMES * TABLE.length,
  open(engine) {
    const [table, counts] = [TABLE, COUNTS].map((values) => engine.place(values));
    return repeated(TIMES, () => engine.exports.interactionOf(table, counts, SIZE, counts, SIZE, TOTAL));
  },
  oracle: { elements: TABLE.length, run: () => interaction(LINES, LIST, LIST, TOTAL) },
} satisfies Kernel;
