// Readers of the engine, for tests and benches of its kernels.
import type { Instance } from "../src/engine/instance.js";
import {
  ABSENT_TEXT,
  BLOCK_ROWS,
  CELLS_CATEGORY,
  CELLS_GRID,
  CELLS_PERSON,
  CELLS_TEXT,
  DECLARES_LABEL,
  DECLARES_MISSING,
  DECLARES_OTHER,
  NO_TEXT,
} from "../src/engine/layout.js";
import type { ColumnRule } from "./reference/cell-codes.js";
import { characters } from "./reference/parser.js";

const KINDS = { category: CELLS_CATEGORY, grid: CELLS_GRID, person: CELLS_PERSON, text: CELLS_TEXT };

/** A column of a reader: how its cells become codes, the bytes of each, and how many texts it remembers. */
export interface ReadColumn extends ColumnRule {
  readonly bytes: 0 | 2 | 4 | 8;
  readonly limit: number;
  /** A NOTATION in the engine; 0 for none. */
  readonly notation: number;
}

/** A text that a column has noted; `undefined` for a cell that its record lacks. */
export interface Noted {
  readonly number: number | undefined;
  readonly text: string | undefined;
}

export class TestReader {
  readonly pointer: number;
  readonly #columns: readonly number[];

  constructor(
    readonly engine: Instance,
    delimiter: string,
    readonly columns: readonly (ReadColumn | undefined)[],
    afterReturn = false,
  ) {
    this.pointer = engine.exports.readerOpen(delimiter.charCodeAt(0), columns.length, afterReturn ? 1 : 0);
    this.#columns = columns.map((column, place) => (column ? this.#opened(column, place) : 0));
  }

  push(bytes: Uint8Array): void {
    const { exports } = this.engine;
    this.engine.write(exports.readerText(this.pointer, bytes.length) >>> 0, bytes);
    accepted(exports.readerPush(this.pointer, bytes.length));
  }

  end(): void {
    accepted(this.engine.exports.readerEnd(this.pointer));
  }

  get rows(): number {
    return this.engine.exports.readerRows(this.pointer);
  }

  /** The codes of a column. */
  codes(place: number): number[] {
    const { bytes } = this.columns[place]!;
    const codes: number[] = [];
    for (let row = 0; row < this.rows; row += BLOCK_ROWS) {
      const block = this.engine.exports.readerBlock(this.pointer, row / BLOCK_ROWS) >>> 0;
      const [from] = this.engine.readU32(block + 4 * place, 1);
      const rows = Math.min(BLOCK_ROWS, this.rows - row);
      if (bytes === 2) codes.push(...this.engine.readU16(from, rows));
      else if (bytes === 4) codes.push(...this.engine.readU32(from, rows));
      else codes.push(...this.engine.readF64(from, rows));
    }
    return codes;
  }

  /** The texts that a column has noted since the last call. */
  noted(place: number): Noted[] {
    const { exports } = this.engine;
    const column = this.#columns[place];
    const bytes = this.engine.readU8(exports.columnFresh(column) >>> 0, exports.columnFreshBytes(column));
    exports.columnForget(column);
    const view = new DataView(bytes.buffer);
    const noted: Noted[] = [];
    for (let at = 0; at < bytes.length; ) {
      const [number, length] = [view.getUint32(at, true), view.getUint32(at + 4, true)];
      at += 8;
      const text = length === ABSENT_TEXT ? undefined : characters(bytes.subarray(at, at + length));
      noted.push({ number: number === NO_TEXT ? undefined : number, text });
      at += (text === undefined ? 0 : length + 3) & ~3;
    }
    return noted;
  }

  /** How often each remembered text occurred. */
  counts(place: number): number[] {
    const { exports } = this.engine;
    const column = this.#columns[place];
    return [...this.engine.readU32(exports.columnCounts(column) >>> 0, exports.columnNumbered(column))];
  }

  #opened(column: ReadColumn, place: number): number {
    const { kind, bytes, missing, absent = Number.NaN, otherwise, notation, limit } = column;
    const opened = this.engine.exports.readerColumn(
      ...[this.pointer, place, KINDS[kind], bytes, missing, absent, otherwise, notation, limit],
    );
    const missingValues = column.missingValues.map((text) => [text, 0] as const);
    const labels = column.labels.map((text, code) => [text, code] as const);
    this.#declare(opened, DECLARES_MISSING, missingValues);
    this.#declare(opened, DECLARES_LABEL, labels);
    this.#declare(opened, DECLARES_OTHER, [...column.others]);
    return opened;
  }

  #declare(column: number, declares: number, texts: readonly (readonly [string, number])[]): void {
    const bytes = texts.map(([text]) => new TextEncoder().encode(text));
    let end = 0;
    const ends = bytes.map(({ length }) => (end += length));
    const all = Uint8Array.from(bytes.flatMap((text) => [...text]));
    const codes = texts.map(([, code]) => code);
    const place = (numbers: readonly number[]) => this.engine.place(Uint32Array.from(numbers));
    accepted(
      this.engine.exports.columnDeclare(
        ...[column, declares, this.engine.place(all), place(ends), place(codes), texts.length],
      ),
    );
  }
}

function accepted(status: number): void {
  if (status !== 0) throw new Error(`The engine refuses this: ${status}.`);
}
