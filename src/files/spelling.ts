import type { Codes, Spelling } from "../core/table.js";
import { utf8Of } from "../core/utf8.js";
import type { Instance } from "../engine/instance.js";
import {
  BLOCK_ROWS,
  ID_TEXT,
  SPELLED_IDS,
  SPELLED_TEXTS,
  SPELLING_BYTES,
  SPELLING_CODES,
  SPELLING_COUNT,
  SPELLING_FORMAT,
  SPELLING_KIND,
  SPELLING_TEXTS,
  SPELLING_WIDTH,
  TEXT_SLACK,
  WRITER_BYTES,
  WRITER_COLUMNS,
  WRITER_DELIMITER,
  WRITER_SPELLINGS,
  WRITER_WRITTEN,
} from "../engine/layout.js";
import { Struct } from "../engine/struct.js";

/** The struct TEXTS, with its slack. */
export function textsStruct(texts: readonly string[]): Uint8Array {
  const encoded = texts.map(utf8Of);
  const bytes = encoded.reduce((sum, { length }) => sum + length, 0);
  const starts = new Uint32Array(texts.length + 1);
  starts[0] = starts.byteLength;
  const struct = new Uint8Array(starts.byteLength + bytes + TEXT_SLACK);
  encoded.forEach((text, at) => {
    struct.set(text, starts[at]);
    starts[at + 1] = starts[at] + text.length;
  });
  struct.set(new Uint8Array(starts.buffer));
  return struct;
}

/** The struct ID. @param text each # in it is a place for a digit */
export function idStruct(text: string, base: 10 | 16): Uint8Array {
  const encoded = utf8Of(text);
  const header = Uint32Array.of(base, text.split("#").length - 1, encoded.length);
  const struct = new Uint8Array(ID_TEXT + encoded.length);
  struct.set(new Uint8Array(header.buffer));
  struct.set(encoded, ID_TEXT);
  return struct;
}

/** A column to write: how, and in how many bytes per code. */
export interface WrittenColumn {
  readonly spelling: Spelling;
  readonly width: number;
}

/** Writes rows of stored codes as records, block by block, in an engine of its own. */
export class RecordWriter {
  readonly #engine: Instance;
  readonly #writer: number;
  readonly #codes: readonly number[];
  /** The most bytes that a record takes, and the slack after it. */
  readonly recordBytes: number;

  /** @param rows how many rows the table has */
  constructor(engine: Instance, columns: readonly WrittenColumn[], delimiter: string, rows: number) {
    const { exports } = engine;
    this.#engine = engine;
    this.#codes = columns.map(({ width }) => engine.alloc(Math.max(1, width * Math.min(rows, BLOCK_ROWS))));
    const mark = delimiter.charCodeAt(0);
    const spellings = new Struct(Math.max(1, columns.length * SPELLING_BYTES));
    columns.forEach(({ spelling, width }, at) => {
      const start = at * SPELLING_BYTES;
      spellings.u32(start + SPELLING_CODES, this.#codes[at]);
      spellings.u32(start + SPELLING_WIDTH, width);
      if (spelling.kind === "id") {
        spellings.u32(start + SPELLING_KIND, SPELLED_IDS);
        spellings.u32(start + SPELLING_FORMAT, engine.place(idStruct(spelling.text, spelling.base)));
      } else {
        const texts = spelling.texts();
        spellings.u32(start + SPELLING_KIND, SPELLED_TEXTS);
        spellings.u32(start + SPELLING_TEXTS, placeTexts(engine, texts, mark, columns.length === 1));
        spellings.u32(start + SPELLING_COUNT, texts.length);
      }
    });
    const writer = new Struct(WRITER_BYTES);
    writer.u32(WRITER_COLUMNS, columns.length);
    writer.u32(WRITER_DELIMITER, mark);
    writer.u32(WRITER_SPELLINGS, engine.place(spellings.bytes));
    this.#writer = engine.place(writer.bytes);
    this.recordBytes = exports.recordBytes(this.#writer);
  }

  /** Takes the codes of a block of rows, at most BLOCK_ROWS, which `write` then writes. */
  take(columns: readonly Codes[]): void {
    columns.forEach((codes, at) => {
      this.#engine.write(this.#codes[at], codes);
    });
  }

  /**
   * Writes rows of the block.
   * @param out up to `end` is room
   * @returns how many were written, and where they end
   */
  write(row: number, rows: number, out: number, end: number): { written: number; end: number } {
    const last = this.#engine.exports.writeRecords(this.#writer, row, rows, out, end) >>> 0;
    return { written: this.#engine.readU32(this.#writer + WRITER_WRITTEN, 1)[0], end: last };
  }
}

/** Texts as cells of a file: TEXTS. */
function placeTexts(engine: Instance, texts: readonly string[], delimiter: number, alone: boolean): number {
  const struct = textsStruct(texts);
  const out = engine.alloc(2 * struct.length + 2 * texts.length);
  const top = engine.exports.mark();
  engine.exports.quoteTexts(engine.place(struct), texts.length, delimiter, alone ? 1 : 0, out);
  engine.exports.rewind(top);
  return out;
}
