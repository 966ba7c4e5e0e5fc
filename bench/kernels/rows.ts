import { type ReadColumn, TestReader } from "../../test/reader.js";
import { bytesOf, records } from "../../test/reference/parser.js";
import { rowsOf } from "../../test/reference/rows.js";
import type { Kernel } from "./kernel.js";

const TEXT = '31,"Private",77516,Bachelors,13,"Never-married","Adm-clerical",Male,2174,0,40\n'.repeat(12_000);
const BYTES = bytesOf(TEXT);
const CHUNK = 65_536;
const WIDTH = 11;
const COLUMN: ReadColumn = {
  ...{ kind: "person", bytes: 4, limit: 1000, notation: 0, missingValues: [], missing: 0, absent: 0 },
  ...{ otherwise: 0, labels: [], others: new Map() },
};
const SHORT = TEXT.slice(0, 80_000);

export default {
  element: "byte",
  elements: BYTES.length,
  open(engine) {
    const reader = new TestReader(engine, ",", new Array(WIDTH).fill(COLUMN));
    return () => {
      engine.exports.readerRestart(reader.pointer);
      for (let at = 0; at < BYTES.length; at += CHUNK) reader.push(BYTES.subarray(at, at + CHUNK));
    };
  },
  oracle: { elements: SHORT.length, run: () => rowsOf(records(SHORT, ","), WIDTH) },
} satisfies Kernel;
