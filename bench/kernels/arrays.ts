import { arraysOf, placeArray } from "../../test/arrays.js";
import { type ReadColumn, TestReader } from "../../test/reader.js";
import { arrayCodes } from "../../test/reference/arrays.js";
import { plainText } from "../../test/reference/doubles.js";
import { uniforms } from "../../test/reference/statistics.js";
import { accepted, COLUMNS, type Kernel, placeCells } from "./kernel.js";

const uniform = uniforms(5);
const ROWS = 100_000;
const NUMBERS = Array.from({ length: ROWS }, () => 2 * uniform() - 1);
const [{ grid }] = COLUMNS;
const RULE = {
  ...{ kind: "grid" as const, missingValues: [], missing: 65_535, absent: undefined, otherwise: 65_535 },
  ...{ labels: [], others: new Map(), bytes: 2 as const, limit: 16_384 },
  point: (text: string) => Math.floor((Number(text) * 10 ** grid.scale - Number(grid.minimum)) / Number(grid.step)),
};
const FEW = NUMBERS.slice(0, 3000);

export default {
  element: "cell",
  elements: ROWS,
  open(engine) {
    const column: ReadColumn = { ...RULE, notation: placeCells(engine, COLUMNS[0]).notation };
    const reader = new TestReader(engine, ",", [column]);
    const array = placeArray(engine, arraysOf("f64", NUMBERS));
    accepted(engine.exports.readerExtend(reader.pointer, ROWS));
    return () => accepted(engine.exports.codeArray(reader.pointer, 0, 0, ROWS, array));
  },
  oracle: {
    elements: FEW.length,
    run: () =>
      arrayCodes(
        RULE,
        FEW.map((number) => plainText(number)),
      ),
  },
} satisfies Kernel;
