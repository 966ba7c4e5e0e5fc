import type { Codes, CodeTexts } from "../core/table.js";
import { utf8 } from "../core/utf8.js";
import { Calls } from "../engine/calls.js";
import type { Instance } from "../engine/instance.js";
import {
  BLOCK_ROWS,
  ID_TEXT,
  NOTATION_WIDEST,
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

/** How the codes of a column are written: the fields of a SPELLING, and what they point to. */
interface Spelling {
  readonly kind: number;
  /** How many texts there are. */
  readonly count: number;
  /** Texts that are to be quoted: all of them, or the one of a missing cell. */
  readonly listed: readonly string[];
  /** The NOTATION or the ID. */
  readonly format: Uint8Array;
  /** How many points the grid has; the engine makes their texts if `isWritten`. */
  readonly points: number;
  readonly isWritten: boolean;
}

/** Writes a table's rows as records, block by block, with an engine's help. */
export class RecordWriter {
  readonly #engine: Instance;
  readonly #codes: readonly number[];
  readonly #writer: number;
  /** The most bytes that a record takes, and the slack after it. */
  readonly recordBytes: number;

  /** @param rows how many rows the table has */
  constructor(engine: Instance, columns: readonly WrittenColumn[], delimiter: string, rows: number) {
    this.#engine = engine;
    this.#codes = engine.reserve(columns.map(({ width }) => width * Math.min(rows, BLOCK_ROWS)));
    const spellings = columns.map(({ texts }) => spellingOf(texts, rows));
    const formats = engine.placeAll(spellings.map(({ format }) => format));
    const mark = delimiter.charCodeAt(0);
    const texts = placeTexts(engine, spellings, formats, mark, columns.length === 1);
    const struct = new Struct(Math.max(1, columns.length * SPELLING_BYTES));
    for (const [at, { kind, count, points }] of spellings.entries()) {
      const start = at * SPELLING_BYTES;
      struct.u32(start + SPELLING_KIND, kind);
      struct.u32(start + SPELLING_CODES, this.#codes[at]);
      struct.u32(start + SPELLING_WIDTH, columns[at].width);
      struct.u32(start + SPELLING_TEXTS, texts[at]);
      struct.u32(start + SPELLING_COUNT, count);
      struct.u32(start + SPELLING_FORMAT, formats[at]);
      struct.f64(start + SPELLING_POINTS, points);
    }
    const writer = new Struct(WRITER_BYTES);
    writer.u32(WRITER_COLUMNS, columns.length);
    writer.u32(WRITER_DELIMITER, mark);
    writer.u32(WRITER_SPELLINGS, engine.place(struct.bytes));
    this.#writer = engine.place(writer.bytes);
    this.recordBytes = engine.exports.recordBytes(this.#writer);
  }

  /**
   * Takes the codes of a block of rows, at most BLOCK_ROWS, which `write` then writes.
   * @param first the number of the first of them in the table
   */
  take(columns: readonly Codes[], first: number): void {
    this.#engine.writeAll(this.#codes, columns);
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
}

const NONE = { listed: [], format: new Uint8Array(), points: 0, isWritten: false };

/** @param rows how many rows will be written */
function spellingOf(texts: CodeTexts, rows: number): Spelling {
  if (texts.kind === "id") return { ...NONE, kind: SPELLED_IDS, count: 0, format: idStruct(texts.pattern, texts.base) };
  if (texts.kind === "listed") {
    const listed = texts.list();
    return { ...NONE, kind: SPELLED_TEXTS, count: listed.length, listed };
  }
  const { points, missing } = texts;
  const isWritten = points <= MOST_LISTED && points <= rows;
  const [kind, count] = isWritten ? [SPELLED_TEXTS, points + 1] : [SPELLED_POINTS, 1];
  return { kind, count, listed: [missing], format: texts.notation(), points, isWritten };
}

/** Places the texts of each column, as cells of a file: TEXTS. */
function placeTexts(
  engine: Instance,
  spellings: readonly Spelling[],
  formats: readonly number[],
  delimiter: number,
  isAlone: boolean,
): number[] {
  const alone = Number(isAlone);
  const structs = spellings.map(({ listed }) => textsStruct(listed));
  const quoted = engine.reserve(structs.map(({ length }, at) => 2 * length + 2 * spellings[at].listed.length));
  const written = engine.reserve(
    spellings.map((spelling, at) => (spelling.isWritten ? roomOf(spelling, structs[at]) : 0)),
  );
  engine.scratch(() => {
    const calls = new Calls(engine);
    for (const [at, struct] of engine.placeAll(structs).entries()) {
      const { listed, points, isWritten } = spellings[at];
      calls.add("quoteTexts", struct, listed.length, delimiter, alone, quoted[at]);
      if (isWritten) calls.add("pointTexts", formats[at], points, quoted[at], delimiter, alone, written[at]);
    }
    calls.run();
  });
  return spellings.map(({ isWritten }, at) => (isWritten ? written[at] : quoted[at]));
}

/** The most bytes of the texts of all points of a grid and of a missing cell, whose text has this struct. */
function roomOf({ points, format }: Spelling, missing: Uint8Array): number {
  const widest = new DataView(format.buffer, format.byteOffset).getUint32(NOTATION_WIDEST, true);
  return points * (4 + 2 * widest + 2) + 2 * missing.length + 8 + TEXT_SLACK;
}
