import { BLOCK_ROWS } from "../../src/engine/layout.js";
import { RecordWriter } from "../../src/files/record-writer.js";
import { lines } from "../../test/reference/write-records.js";
import { type Kernel, uniformCodes } from "./kernel.js";

const COLUMNS = 20;
const TEXTS = Array.from({ length: 50 }, (_, code) => "abcdefgh".slice(0, 1 + (code % 8)));
const CODES = Array.from({ length: COLUMNS }, (_, column) => uniformCodes(BLOCK_ROWS, TEXTS.length, column));
const FEW = 1 << 10;
const ROWS = Array.from({ length: FEW }, (_, row) => CODES.map((codes) => TEXTS[codes[row]]));

export default {
  element: "cell",
  elements: COLUMNS * BLOCK_ROWS,
  open(engine) {
    const columns = CODES.map(() => ({ texts: { kind: "listed" as const, list: () => TEXTS }, width: 2 }));
    const writer = new RecordWriter(engine, columns, ",", BLOCK_ROWS);
    writer.take(CODES, 0);
    const room = writer.recordBytes * BLOCK_ROWS;
    const out = engine.alloc(room);
    return () => writer.write(0, BLOCK_ROWS, out, out + room);
  },
  oracle: { elements: COLUMNS * FEW, run: () => lines(ROWS, ",") },
} satisfies Kernel;
