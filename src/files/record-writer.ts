import type { Codes, CodeTexts } from "../core/table.js";
import { utf8 } from "../core/utf8.js";
import type { Instance } from "../engine/instance.js";
import {
  BLOCK_ROWS,
  ID_TEXT,
  SPELLED_IDS,
  SPELLED_POINTS,
  SPELLED_TEXTS,
  SPELLING_BYTES,
  SPELLING_CODES,
  SPELLING_COUNT,
  SPELLING_FORMAT,
  SPELLING_KIND,
  SPELLING_POINTS,
  SPELLING_TEXTS,
  SPELLING_WIDTH,
  TEXT_SLACK,
  WRITER_BYTES,
  WRITER_COLUMNS,
  WRITER_DELIMITER,
  WRITER_FIRST,
  WRITER_SPELLINGS,
  WRITER_WRITTEN,
} from "../engine/layout.js";
import { Struct } from "../engine/struct.js";

/** The struct TEXTS, with its slack. */
export function textsStruct(texts: readonly string[]): Uint8Array {
  const encoded = texts.map(utf8);
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

/** The struct ID. @param pattern each # in it is a place for a digit */
export function idStruct(pattern: string, base: 10 | 16): Uint8Array {
  const encoded = utf8(pattern);
  const header = Uint32Array.of(base, pattern.split("#").length - 1, encoded.length);
  const struct = new Uint8Array(ID_TEXT + encoded.length);
  struct.set(new Uint8Array(header.buffer));
  struct.set(encoded, ID_TEXT);
  return struct;
}

/** The texts of the points of grids with up to this many are made once. */
const MOST_LISTED = 65_536;

/** A column to write. */
export interface WrittenColumn {
  readonly texts: CodeTexts;
  /** Bytes per code: 2, 4 or 8; 0 if the codes are the rows' numbers. */
  readonly width: number;
}

/** Writes a table's rows as records, block by block, with an engine's help. */
export class RecordWriter {
  readonly #engine: Instance;
  readonly #delimiter: number;
  readonly #alone: 0 | 1;
  readonly #rows: number;
  readonly #codes: readonly number[];
  readonly #writer: number;
  /** The most bytes that a record takes, and the slack after it. */
  readonly recordBytes: number;

  /** @param rows how many rows the table has */
  constructor(engine: Instance, columns: readonly WrittenColumn[], delimiter: string, rows: number) {
    this.#engine = engine;
    this.#delimiter = delimiter.charCodeAt(0);
    this.#alone = columns.length === 1 ? 1 : 0;
    this.#rows = rows;
    this.#codes = columns.map(({ width }) => engine.alloc(Math.max(1, width * Math.min(rows, BLOCK_ROWS))));
    const spellings = new Struct(Math.max(1, columns.length * SPELLING_BYTES));
    columns.forEach(({ texts, width }, at) => {
      const start = at * SPELLING_BYTES;
      spellings.u32(start + SPELLING_CODES, this.#codes[at]);
      spellings.u32(start + SPELLING_WIDTH, width);
      this.#describe(spellings, start, texts);
    });
    const writer = new Struct(WRITER_BYTES);
    writer.u32(WRITER_COLUMNS, columns.length);
    writer.u32(WRITER_DELIMITER, this.#delimiter);
    writer.u32(WRITER_SPELLINGS, engine.place(spellings.bytes));
    this.#writer = engine.place(writer.bytes);
    this.recordBytes = engine.exports.recordBytes(this.#writer);
  }

  /**
   * Takes the codes of a block of rows, at most BLOCK_ROWS, which `write` then writes.
   * @param first the number of the first of them in the table
   */
  take(columns: readonly Codes[], first: number): void {
    for (const [at, codes] of columns.entries()) this.#engine.write(this.#codes[at], codes);
    this.#engine.write(this.#writer + WRITER_FIRST, Uint32Array.of(first));
  }

  /**
   * Writes rows of the block.
   * @param out where to write; there is room up to `end`
   * @returns how many were written, and where they end
   */
  write(row: number, rows: number, out: number, end: number): { written: number; end: number } {
    const last = this.#engine.exports.writeRecords(this.#writer, row, rows, out, end) >>> 0;
    return { written: this.#engine.readU32(this.#writer + WRITER_WRITTEN, 1)[0], end: last };
  }

  #describe(struct: Struct, start: number, texts: CodeTexts): void {
    if (texts.kind === "id") {
      struct.u32(start + SPELLING_KIND, SPELLED_IDS);
      struct.u32(start + SPELLING_FORMAT, this.#engine.place(idStruct(texts.pattern, texts.base)));
      return;
    }
    if (texts.kind === "points" && (texts.points > MOST_LISTED || texts.points > this.#rows)) {
      struct.u32(start + SPELLING_KIND, SPELLED_POINTS);
      struct.u32(start + SPELLING_FORMAT, this.#engine.place(texts.notation()));
      struct.f64(start + SPELLING_POINTS, texts.points);
      struct.u32(start + SPELLING_TEXTS, this.#placeCells([texts.missing]));
      struct.u32(start + SPELLING_COUNT, 1);
      return;
    }
    const list = texts.kind === "points" ? undefined : texts.list();
    struct.u32(start + SPELLING_KIND, SPELLED_TEXTS);
    struct.u32(start + SPELLING_TEXTS, list ? this.#placeCells(list) : this.#placePoints(texts as Points));
    struct.u32(start + SPELLING_COUNT, list ? list.length : (texts as Points).points + 1);
  }

  /** Texts as cells of a file: TEXTS. */
  #placeCells(texts: readonly string[]): number {
    const { exports } = this.#engine;
    const struct = textsStruct(texts);
    const out = this.#engine.alloc(2 * struct.length + 2 * texts.length);
    this.#engine.scratch(() =>
      exports.quoteTexts(this.#engine.place(struct), texts.length, this.#delimiter, this.#alone, out),
    );
    return out;
  }

  /** The texts of all points of a grid, and that of a missing cell. */
  #placePoints({ points, missing, notation }: Points): number {
    const { exports } = this.#engine;
    const format = this.#engine.place(notation());
    const gap = this.#placeCells([missing]);
    const room = points * (4 + 2 * exports.pointBytes(format) + 2) + 2 * utf8(missing).length + 2;
    const out = this.#engine.alloc(room + 8 + TEXT_SLACK);
    exports.pointTexts(format, points, gap, this.#delimiter, this.#alone, out);
    return out;
  }
}

type Points = Extract<CodeTexts, { kind: "points" }>;
