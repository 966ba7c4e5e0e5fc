// A table's rows in an engine: how the columns of a file are read there, and what comes back.
import type { Codes } from "../core/table.js";
import { textOf, utf8 } from "../core/utf8.js";
import type { Instance } from "../engine/instance.js";
import {
  ABSENT_TEXT,
  ARRAY_BYTES,
  BLOCK_ROWS,
  CELLS_CATEGORY,
  CELLS_GRID,
  CELLS_PERSON,
  CELLS_TEXT,
  DECLARES_LABEL,
  DECLARES_MISSING,
  DECLARES_OTHER,
  NO_PERSON,
  NO_TEXT,
} from "../engine/layout.js";
import { StoredCodes } from "../engine/stored-codes.js";
import type { CellRule } from "../schema/encode.js";
import { arrayStruct } from "./arrays.js";
import { accepted, given } from "./memory.js";
import { type EngineBytes, writeInto } from "./reader.js";

/**
 * How the cells of a column are read: as codes; as persons, numbered in the order of their first appearance; or as
 * texts, of which the first `limit` are counted and the others seen each time.
 */
export type ReadAs =
  | CellRule
  | { readonly kind: "person"; readonly missingValues: readonly string[] }
  | { readonly kind: "text"; readonly limit: number };

/**
 * A text that a column of texts has seen, `undefined` for a cell that its record lacks, and its number if it is
 * counted.
 */
export interface SeenText {
  readonly text: string | undefined;
  readonly number: number | undefined;
}

/** The texts of one column, one per row, in the form in which they pass from one thread to another. */
export interface Texts {
  /** The texts one after the other, in UTF-8. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Where each text begins, and where the last one ends. */
  readonly offsets: Uint32Array<ArrayBuffer>;
  /** A bit for each row, the lowest first: whether it has the cell. */
  readonly validity: Uint8Array<ArrayBuffer>;
}

/** The largest number of texts whose code a column remembers. Numbers are read almost as fast as they are looked up. */
const REMEMBERED = { category: 65_536, grid: 16_384 };
const UNLIMITED = 0xffffffff;
/** Bytes after texts that the engine may read. */
const SLACK = 8;

/** Reads the records of a file into the blocks of an engine, column by column, and gives access to what was read. */
export class TableReader implements EngineBytes {
  readonly #engine: Instance;
  readonly #reader: number;
  readonly #columns: readonly ({ readonly pointer: number; readonly bytes: number } | undefined)[];
  /** Memory for texts on their way into a column. */
  #room = { pointer: 0, bytes: 0 };
  /** The pointers to each column's codes in a block, by its number: blocks stay where they are. */
  readonly #blocks = new Map<number, Uint32Array>();

  /**
   * @param columns by place in the header, of which there is at least one; those that are not read are `undefined`
   * @param afterReturn whether the bytes come after a CR, to which an LF may belong
   */
  constructor(engine: Instance, delimiter: string, columns: readonly (ReadAs | undefined)[], afterReturn = false) {
    this.#engine = engine;
    this.#reader = given(engine.exports.readerOpen(delimiter.charCodeAt(0), columns.length, afterReturn ? 1 : 0));
    this.#columns = columns.map((column, place) => column && this.#opened(column, place));
  }

  /** Reads more bytes of the file, from the first record on. @throws {StandinError} `files/memory` */
  push(bytes: Uint8Array): void {
    writeInto(this.#engine, this, bytes);
  }

  room(bytes: number): number {
    return given(this.#engine.exports.readerText(this.#reader, bytes));
  }

  took(bytes: number): void {
    accepted(this.#engine.exports.readerPush(this.#reader, bytes));
  }

  /** Ends the last record. Bytes that follow begin another one. @throws {StandinError} `files/memory` */
  end(): void {
    accepted(this.#engine.exports.readerEnd(this.#reader));
  }

  /** Whether the bytes so far end inside a record. */
  get isInRecord(): boolean {
    return this.#engine.exports.readerInRecord(this.#reader) !== 0;
  }

  get rows(): number {
    return this.#engine.exports.readerRows(this.#reader) >>> 0;
  }

  /** The numbers of records with too few cells, of records with too many, and of blank lines that are not records. */
  get uneven(): { readonly short: number; readonly long: number; readonly blank: number } {
    const { exports } = this.#engine;
    return {
      short: exports.readerShort(this.#reader) >>> 0,
      long: exports.readerLong(this.#reader) >>> 0,
      blank: exports.readerBlank(this.#reader) >>> 0,
    };
  }

  /** The codes of all rows of a column. */
  stored(place: number): StoredCodes {
    const { bytes } = this.#columns[place]!;
    return new StoredCodes(this.#engine, this.rows, bytes, (block) => this.#codesAt(place, block * BLOCK_ROWS));
  }

  /** How many rows of a column have this code. */
  count(place: number, code: number): number {
    const { rows } = this;
    const { bytes } = this.#columns[place]!;
    let count = 0;
    for (let row = 0; row < rows; row += BLOCK_ROWS)
      count += this.#engine.exports.countCode(this.#codesAt(place, row), bytes, Math.min(BLOCK_ROWS, rows - row), code);
    return count;
  }

  /** Forgets the rows. What follows begins with a record. */
  restart(): void {
    this.#engine.exports.readerRestart(this.#reader);
  }

  /** Takes rows that another reader has read. @throws {StandinError} `files/memory` */
  append(rows: number, columns: readonly (Codes | Texts | undefined)[]): void {
    const first = this.rows;
    accepted(this.#engine.exports.readerExtend(this.#reader, rows));
    for (const [place, column] of columns.entries()) {
      if (!column) continue;
      if ("offsets" in column) this.#appendTexts(place, first, rows, column);
      else this.#appendCodes(place, first, column);
    }
  }

  /**
   * Takes rows whose cells lie in arrays in the engine.
   * @param arrays by place in the header: pointers to the ARRAY of each column that is read
   * @throws {StandinError} `files/memory`
   */
  take(rows: number, arrays: readonly (number | undefined)[]): void {
    const first = this.rows;
    accepted(this.#engine.exports.readerExtend(this.#reader, rows));
    for (const [place, array] of arrays.entries()) if (array) this.#code(place, first, rows, array);
  }

  /**
   * The texts that a column of texts has seen since the last call: those not counted yet, and those not counted at all.
   */
  seen(place: number): SeenText[] {
    const bytes = this.#seen(place);
    const view = new DataView(bytes.buffer);
    const seen: SeenText[] = [];
    for (let at = 0; at < bytes.length; ) {
      const [number, length] = [view.getUint32(at, true), view.getUint32(at + 4, true)];
      const [from, to] = [at + 8, at + 8 + (length === ABSENT_TEXT ? 0 : length)];
      const text = length === ABSENT_TEXT ? undefined : textOf(bytes.subarray(from, to));
      seen.push({ text, number: number === NO_TEXT ? undefined : number });
      at = (to + 3) & ~3;
    }
    return seen;
  }

  /** How often each counted text of a column of texts occurred, by number. */
  counts(place: number): Uint32Array {
    const { exports } = this.#engine;
    const { pointer } = this.#columns[place]!;
    return this.#engine.readU32(exports.columnCounts(pointer) >>> 0, exports.columnNumbered(pointer));
  }

  /** The texts of all rows since the last call, of a column of texts that counts none. */
  texts(place: number): Texts {
    const seen = this.#seen(place);
    const view = new DataView(seen.buffer);
    const bytes = new Uint8Array(seen.length);
    const offsets: number[] = [0];
    const validity: number[] = [];
    let end = 0;
    for (let at = 0, row = 0; at < seen.length; row++) {
      const length = view.getUint32(at + 4, true);
      if (row % 8 === 0) validity.push(0);
      if (length !== ABSENT_TEXT) {
        validity[row >> 3] |= 1 << (row & 7);
        bytes.set(seen.subarray(at + 8, at + 8 + length), end);
        end += length;
      }
      offsets.push(end);
      at = (at + 8 + (length === ABSENT_TEXT ? 0 : length) + 3) & ~3;
    }
    return { bytes: bytes.slice(0, end), offsets: Uint32Array.from(offsets), validity: Uint8Array.from(validity) };
  }

  #opened(column: ReadAs, place: number) {
    const { pointer, bytes } =
      column.kind === "text"
        ? this.#column(place, CELLS_TEXT, 0, 0, 0, 0, 0, column.limit)
        : column.kind === "person"
          ? this.#column(place, CELLS_PERSON, 4, NO_PERSON, NO_PERSON, NO_PERSON, 0, UNLIMITED)
          : this.#coded(place, column);
    if (column.kind !== "text") this.#declare(pointer, DECLARES_MISSING, column.missingValues);
    if (column.kind !== "category") return { pointer, bytes };
    this.#declare(pointer, DECLARES_LABEL, column.labels);
    this.#declare(pointer, DECLARES_OTHER, [...column.spellings.keys()], [...column.spellings.values()]);
    return { pointer, bytes };
  }

  #coded(place: number, { kind, bytes, missing, absent = Number.NaN, otherwise, notation }: CellRule) {
    const struct = notation ? this.#engine.place(notation) : 0;
    const cells = kind === "category" ? CELLS_CATEGORY : CELLS_GRID;
    return this.#column(place, cells, bytes, missing, absent, otherwise, struct, REMEMBERED[kind]);
  }

  #column(
    place: number,
    cells: number,
    bytes: number,
    missing: number,
    absent: number,
    otherwise: number,
    notation: number,
    limit: number,
  ) {
    const { exports } = this.#engine;
    const pointer = exports.readerColumn(
      ...([this.#reader, place, cells, bytes, missing, absent, otherwise, notation, limit] as const),
    );
    return { pointer: given(pointer), bytes };
  }

  /** Declares texts. Those with half of a surrogate pair are left out: no cell can have such a text. */
  #declare(column: number, declares: number, texts: readonly string[], codes: readonly number[] = [...texts.keys()]) {
    const whole = texts
      .map((text, at) => [text, codes[at]] as const)
      .filter(([text]) => !/[\ud800-\udfff]/u.test(text));
    const bytes = whole.map(([text]) => utf8(text));
    const all = new Uint8Array(bytes.reduce((sum, { length }) => sum + length, 0));
    let end = 0;
    const ends = bytes.map((text) => {
      all.set(text, end);
      end += text.length;
      return end;
    });
    const places = this.#engine.placeAll([
      all,
      Uint32Array.from(ends),
      Uint32Array.from(whole.map(([, code]) => code)),
    ]);
    accepted(this.#engine.exports.columnDeclare(column, declares, places[0], places[1], places[2], whole.length));
  }

  /** Where the code of a row is, and those of the rows after it in its block. */
  #codesAt(place: number, row: number): number {
    const block = this.#block(Math.floor(row / BLOCK_ROWS));
    return block[place] + (row % BLOCK_ROWS) * this.#columns[place]!.bytes;
  }

  #block(number: number): Uint32Array {
    const { exports } = this.#engine;
    const block =
      this.#blocks.get(number) ??
      this.#engine.readU32(exports.readerBlock(this.#reader, number) >>> 0, this.#columns.length);
    this.#blocks.set(number, block);
    return block;
  }

  #appendCodes(place: number, first: number, codes: Codes): void {
    for (let at = 0; at < codes.length; ) {
      const count = Math.min(codes.length - at, BLOCK_ROWS - ((first + at) % BLOCK_ROWS));
      this.#engine.write(this.#codesAt(place, first + at), codes.subarray(at, at + count));
      at += count;
    }
  }

  #appendTexts(place: number, first: number, rows: number, { bytes, offsets, validity }: Texts): void {
    const array = this.#roomFor(ARRAY_BYTES + bytes.length + SLACK + offsets.byteLength + 4 + validity.length);
    const texts = array + ARRAY_BYTES;
    const starts = texts + ((bytes.length + SLACK + 3) & ~3);
    const valid = starts + offsets.byteLength;
    this.#engine.write(texts, bytes);
    this.#engine.write(starts, offsets);
    this.#engine.write(valid, validity);
    const places = { values: 0, offsets: starts, texts, validity: valid };
    this.#engine.write(array, arrayStruct({ type: "text", ...places, bytes: bytes.length }));
    this.#code(place, first, rows, array);
  }

  #code(place: number, first: number, rows: number, array: number): void {
    accepted(this.#engine.exports.codeArray(this.#reader, place, first, rows, array));
  }

  #roomFor(bytes: number): number {
    if (bytes > this.#room.bytes)
      this.#room = { pointer: given(this.#engine.exports.alloc(2 * bytes)), bytes: 2 * bytes };
    return this.#room.pointer;
  }

  /** The notes of a column of texts since the last call. */
  #seen(place: number): Uint8Array<ArrayBuffer> {
    const { exports } = this.#engine;
    const { pointer } = this.#columns[place]!;
    const bytes = this.#engine.readU8(exports.columnFresh(pointer) >>> 0, exports.columnFreshBytes(pointer));
    exports.columnForget(pointer);
    return bytes;
  }
}
