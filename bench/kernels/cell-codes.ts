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
const CELLS = [...uniformCodes(1 << 18, LABELS.length, 1)].map((code) => new TextEncoder().encode(LABELS[code]));
const COLUMN: ReadColumn = {
  ...{ kind: "category", bytes: 2, limit: 1000, notation: 0, missingValues: ["?"], missing: 10, absent: undefined },
  ...{ otherwise: 10, labels: LABELS.filter((label) => label !== "?"), others: new Map() },
};
const FEW = CELLS.slice(0, 4096);

export default {
  element: "cell",
  elements: CELLS.length,
  open(engine) {
    const { exports } = engine;
    const reader = new TestReader(engine, ",", [COLUMN]);
    const bytes = Uint8Array.from([...CELLS.flatMap((cell) => [...cell]), 0, 0, 0, 0, 0, 0, 0, 0]);
    let end = 0;
    const offsets = engine.place(Uint32Array.from([0, ...CELLS.map(({ length }) => (end += length))]));
    const texts = engine.place(bytes);
    accepted(exports.readerExtend(reader.pointer, CELLS.length));
    return () => accepted(exports.codeTexts(reader.pointer, 0, 0, texts, offsets, 0, CELLS.length));
  },
  oracle: { elements: FEW.length, run: () => cellCodes(COLUMN, FEW) },
} satisfies Kernel;
