import { placeDivision } from "../../test/place-division.js";
import { type Facts, predictedError } from "../../test/reference/division.js";
import { type Kernel, repeated, uniformIntegers } from "./kernel.js";

// All pairs of twelve columns, most of which may be left out.
const COLUMNS = Array.from({ length: 12 }, (_, column) => 5 + 8 * column);
const COUNTS = COLUMNS.map((size, column) => Array.from(uniformIntegers(size, 1000, column), Math.abs));
const claim = (columns: number[], open: boolean) => ({
  columns,
  levels: 1,
  cost: 1,
  weight: 1000 * columns.length,
  open,
});
const PAIRS = COLUMNS.flatMap((_, a) => COLUMNS.slice(a + 1).map((__, b) => claim([a, a + 1 + b], b > 0)));
const FACTS: Facts = {
  counts: COUNTS,
  oneWays: COLUMNS.map((_, column) => claim([column], false)),
  tables: PAIRS,
  ranks: Array.from({ length: 20 }, (_, at) => ({ from: at / 20, to: (at + 1) / 20, wrong: 0.6 / (1 + at) })),
  ...{ candidates: 55, leastGroups: 20, unit: 20, known: 0.05, rows: 20_000, times: 1, oneWaysWeight: 12_000 },
  ...{ fixedWeight: 22_000, candidateWeight: 2000, mostWrong: 0.6, kept: 1.5, leastCount: 2, mostNoise: 0.3 },
};
const TIMES = 100;

export default {
  element: "table",
  elements: TIMES * PAIRS.length,
  open(engine) {
    const division = placeDivision(engine, FACTS);
    return repeated(TIMES, () => engine.exports.predictError(division, 30, 0.2, 0.7));
  },
  oracle: { elements: PAIRS.length, run: () => predictedError(FACTS, 30, 0.2, 0.7) },
} satisfies Kernel;
