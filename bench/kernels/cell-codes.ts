import { arraysOf, placeArray } from "../../test/arrays.js";
import { type ReadColumn, TestReader } from "../../test/reader.js";
import { cellCodes } from "../../test/reference/cell-codes.js";
import { accepted, type Kernel, uniformCodes } from "./kernel.js";

const LABELS = [
  "Private",
  "Self-emp-not-inc",
  "Local-gov",
  "?",
  "State-gov",
  "A",
  "B",
  "C",
  "Without-pay",
  "Federal-gov",
];
const TEXTS = Array.from(uniformCodes(1 << 18, LABELS.length, 1), (code) => LABELS[code]);
const COLUMN: ReadColumn = {
  ...{ kind: "category", bytes: 2, limit: 1000, notation: 0, missingValues: ["?"], missing: 10, absent: undefined },
  ...{ otherwise: 10, labels: LABELS.filter((label) => label !== "?"), others: new Map() },
};
const FEW = TEXTS.slice(0, 4096).map((text) => new TextEncoder().encode(text));

export default {
  element: "cell",
  elements: TEXTS.length,
  open(engine) {
    const { exports } = engine;
    const reader = new TestReader(engine, ",", [COLUMN]);
    const array = placeArray(engine, arraysOf("text", TEXTS));
    accepted(exports.readerExtend(reader.pointer, TEXTS.length));
    return () => accepted(exports.codeArray(reader.pointer, 0, 0, TEXTS.length, array));
  },
  oracle: { elements: FEW.length, run: () => cellCodes(COLUMN, FEW) },
} satisfies Kernel;
