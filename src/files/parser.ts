// Records and cells of delimited text.
import { Cells } from "./cells.js";

/** Takes what a parser finds, in the order of the file. */
export interface CellSink {
  /**
   * Takes the cells that ended in one piece of the text. The first ones may go on with a record that was begun before,
   * and the last ones may begin one that is not complete.
   * @param cells overwritten by the next ones
   */
  take(cells: Cells): void;
}

// Enumerations rather than constants, here and where else a loop goes over all cells: bundling puts their values into
// the code, while a constant is looked up each time.

/** What is a mark in any text, whatever its delimiter. */
export enum Byte {
  LF = 10,
  CR = 13,
  QUOTE = 34,
}

/** What stands around cells that hold a delimiter, a quote or a line end. */
export const QUOTE = '"';

/** The most bytes of a cell that are kept: where a quote stays open, a cell may be as long as the file. */
const LONGEST = 1 << 20;

/** Where the next byte falls. Up to CELL, a quote opens the cell; up to RETURN, the record has nothing yet. */
enum State {
  RECORD,
  /** At the start of a record, after a CR: an LF belongs to it. */
  RETURN,
  CELL,
  /** In text outside quotes. */
  PLAIN,
  /** After a quote inside quotes: it closed them, unless another one follows. */
  CLOSED,
  QUOTED,
}

/**
 * Splits bytes of any ASCII-compatible text into records; every text has a reading and none is an error. CR, LF and
 * CRLF each end a record, mixed freely. A quote opens a cell only at its start; inside quotes a doubled quote is one;
 * text after the closing quote is kept; a quote that is still open at the end closes there; of a cell longer than a
 * mebibyte the rest is dropped. The bytes may come in pieces of any size.
 *
 * Of each piece it first finds what may be a mark, that is a delimiter, a line end or a quote, without a branch that a
 * processor could guess wrong; then it goes from one to the next (Langdale and Lemire, "Parsing Gigabytes of JSON per
 * Second", The VLDB Journal 28, 2019).
 */
export class RecordParser {
  readonly #delimiter: number;
  readonly #sink: CellSink;
  /** Where the piece has bytes that may be marks. */
  #marks = new Int32Array(0);
  readonly #cells = new Cells();
  #state = State.RECORD;
  /** How long the text is so far of the cell that is not complete: it lies in front of the next piece. */
  #length = 0;

  /** @param delimiter an ASCII character, neither a quote nor a line end */
  constructor(delimiter: string, sink: CellSink) {
    this.#delimiter = delimiter.charCodeAt(0);
    this.#sink = sink;
  }

  /** Whether a quote is open. */
  get inQuotes(): boolean {
    return this.#state === State.QUOTED;
  }

  /** Whether a record has begun and not ended. */
  get isInRecord(): boolean {
    return this.#state > State.RETURN;
  }

  push(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; at += LONGEST) this.#take(bytes.subarray(at, at + LONGEST));
  }

  /** Ends the last record, where the text does not end in a line end. What comes next is another text. */
  end(): void {
    const { isInRecord } = this;
    this.#state = State.RECORD;
    if (!isInRecord) return;
    const cells = this.#cells;
    cells.bounds.set([0, this.#length]);
    cells.recordEnds[0] = 1;
    cells.count = 1;
    cells.records = 1;
    this.#length = 0;
    this.#sink.take(cells);
  }

  /** Takes a piece that is no longer than the longest cell. */
  #take(piece: Uint8Array): void {
    const cells = this.#cells;
    const from = this.#length;
    const end = from + piece.length;
    cells.reserve(from, end);
    cells.bytes.set(piece, from);
    cells.bytes[end] = Byte.QUOTE; // the mark that ends the piece: no state passes over a quote
    this.#findMarks(from, end);
    const start = this.#split(end);
    this.#sink.take(cells);
    cells.bytes.copyWithin(0, start, start + this.#length);
  }

  /**
   * Finds the bytes that may be marks from one place to another, both included; those in up to three bytes more do no
   * harm.
   */
  #findMarks(from: number, end: number): void {
    if (this.#marks.length < end - from + 4) this.#marks = new Int32Array(end - from + 4);
    const marks = this.#marks;
    const { view } = this.#cells;
    const delimiters = 0x01010101 * this.#delimiter;
    let count = 0;
    for (let at = from; at <= end; at += 4) {
      // In the top bit of each of four bytes: whether it is below 0x23, as quotes and line ends are, or a delimiter.
      // Adding carries into the bit where it is neither (Warren, Hacker's Delight, 6-1).
      const word = view.getInt32(at, true);
      const other = word ^ delimiters;
      const may = ~((((word & 0x7f7f7f7f) + 0x5d5d5d5d) | word) & (((other & 0x7f7f7f7f) + 0x7f7f7f7f) | other));
      marks[count] = at;
      count += (may >>> 7) & 1;
      marks[count] = at + 1;
      count += (may >>> 15) & 1;
      marks[count] = at + 2;
      count += (may >>> 23) & 1;
      marks[count] = at + 3;
      count += may >>> 31;
    }
  }

  /** Makes cells and records of what lies between the marks. Gives the place of the cell that is not complete. */
  #split(end: number): number {
    const marks = this.#marks;
    const cells = this.#cells;
    const { bytes, bounds, recordEnds } = cells;
    const delimiter = this.#delimiter;
    let state = this.#state;
    let bound = 0;
    let records = 0;
    // The cell's text so far lies from `start` up to `to`; the run of bytes that goes on from there begins at `from`,
    // later where quotes were left out.
    let start = 0;
    let to = this.#length;
    let from = to;
    for (let next = 0; ; next++) {
      const at = marks[next];
      const mark = bytes[at];
      // A shortcut: most cells are one run without quotes, inside the piece.
      if (mark === delimiter && state <= State.CELL) {
        bounds[bound++] = from;
        bounds[bound++] = at;
        start = to = from = at + 1;
        state = State.CELL;
        continue;
      }
      if (mark !== Byte.QUOTE) {
        const isText = mark !== delimiter && mark !== Byte.LF && mark !== Byte.CR;
        if (isText || state === State.QUOTED) continue;
      }
      if (at > from) {
        if (to === from) to = at;
        else while (from < at) bytes[to++] = bytes[from++];
        if (state !== State.QUOTED) state = State.PLAIN;
      }
      if (at === end) break;
      from = at + 1;
      if (mark === Byte.QUOTE) {
        if (state <= State.CELL) {
          state = State.QUOTED;
          start = to = from;
        } else if (state === State.QUOTED) state = State.CLOSED;
        else {
          state = state === State.CLOSED ? State.QUOTED : State.PLAIN;
          bytes[to++] = mark;
        }
        continue;
      }
      if (mark === delimiter || state > State.RETURN) {
        bounds[bound++] = start;
        bounds[bound++] = Math.min(to, start + LONGEST);
      }
      start = to = from;
      if (mark === delimiter) state = State.CELL;
      else {
        if (mark === Byte.CR || state !== State.RETURN) recordEnds[records++] = bound / 2;
        state = mark === Byte.CR ? State.RETURN : State.RECORD;
      }
    }
    cells.count = bound / 2;
    cells.records = records;
    this.#state = state;
    this.#length = Math.min(to - start, LONGEST);
    return start;
  }
}
