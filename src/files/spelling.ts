import type { Codes, Spelling } from "../core/table.js";
import {
  BLOCK_ROWS,
  ID_BASE,
  ID_LENGTH,
  ID_PLACES,
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
import type { Instance } from "../engine/wasm.js";

const encoder = new TextEncoder();

/** A struct of the engine, in bytes. */
class Struct {
  readonly bytes: Uint8Array;
  readonly #view: DataView;

  constructor(bytes: number) {
    this.bytes = new Uint8Array(bytes);
    this.#view = new DataView(this.bytes.buffer);
  }

  u32(at: number, value: number): void {
    this.#view.setUint32(at, value, true);
  }

  f64(at: number, value: number): void {
    this.#view.setFloat64(at, value, true);
  }
}

/** The struct TEXTS, with its slack. */
export function textsStruct(texts: readonly string[]): Uint8Array {
  const encoded = texts.map((text) => encoder.encode(text));
  const bytes = encoded.reduce((sum, { length }) => sum + length, 0);
  let end = 4 * (texts.length + 1);
  const struct = new Struct(end + bytes + TEXT_SLACK);
  encoded.forEach((text, at) => {
    struct.u32(4 * at, end);
    struct.bytes.set(text, end);
    end += text.length;
  });
  struct.u32(4 * texts.length, end);
  return struct.bytes;
}

/** The struct ID. @param text each # in it is a place for a digit */
export function idStruct(text: string, base: 10 | 16): Uint8Array {
  const encoded = encoder.encode(text);
  const struct = new Struct(ID_TEXT + encoded.length);
  struct.u32(ID_BASE, base);
  struct.u32(ID_PLACES, text.split("#").length - 1);
  struct.u32(ID_LENGTH, encoded.length);
  struct.bytes.set(encoded, ID_TEXT);
  return struct.bytes;
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
      const bytes = new Uint8Array(codes.buffer, codes.byteOffset, codes.byteLength);
      this.#engine.u8(this.#codes[at], bytes.length).set(bytes);
    });
  }

  /**
   * Writes rows of the block.
   * @param out up to `end` is room
   * @returns how many were written, and where they end
   */
  write(row: number, rows: number, out: number, end: number): { written: number; end: number } {
    const last = this.#engine.exports.writeRecords(this.#writer, row, rows, out, end) >>> 0;
    return { written: this.#engine.u32(this.#writer + WRITER_WRITTEN, 1)[0], end: last };
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
