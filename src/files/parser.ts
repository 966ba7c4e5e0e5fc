// Records and cells of delimited text.
import { Cells } from "./cells.js";

/** Receives the cells that a parser finds, in the order of the file. */
export interface CellSink {
  /**
   * Takes the cells that ended in one piece of the text. The first ones may continue a record that began earlier, and
   * the last ones may begin a record that is not complete.
   * @param cells overwritten by the next call
   */
  take(cells: Cells): void;
}

// Enumerations rather than constants, here and wherever else a loop goes over all cells: bundling inlines their values,
// while a constant is looked up each time.

/** The bytes that are marks in any text, whatever its delimiter. */
export enum Byte {
  LF = 10,
  CR = 13,
  QUOTE = 34,
}

/** The mark around cells that hold a delimiter, a quote or a line end. */
export const QUOTE = '"';

/** The largest number of bytes kept of one cell. If a quote stays open, a cell may be as long as the file. */
const LONGEST = 1 << 20;

/** Where the next byte falls. Up to CELL, a quote opens the cell. Up to RETURN, the record has no content yet. */
enum State {
  RECORD,
  /** At the start of a record, after a CR: an LF belongs to the CR. */
  RETURN,
  CELL,
  /** In text outside quotes. */
  PLAIN,
  /** After a quote inside quotes: it closed them, unless another quote follows. */
  CLOSED,
  QUOTED,
}

/**
 * Splits bytes of any ASCII-compatible text into records. Every text can be read; none is an error. CR, LF and CRLF
 * each end a record, and may be mixed. A quote opens a cell only at its start. Inside quotes a doubled quote is one
 * quote. Text after the closing quote is kept. A quote that is still open at the end closes there. A cell longer than a
 * mebibyte is cut to that length. The bytes may come in pieces of any size.
 *
 * In each piece it first finds every byte that may be a mark (a delimiter, a line end or a quote) without a branch that
 * a processor could mispredict. Then it goes from one mark to the next (Langdale and Lemire, "Parsing Gigabytes of JSON
 * per Second", The VLDB Journal 28, 2019).
 */
export class RecordParser {
  readonly #delimiter: number;
  readonly #sink: CellSink;
  /** The places of bytes in the piece that may be marks. */
  #marks = new Int32Array(0);
  readonly #cells = new Cells();
  #state = State.RECORD;
  /** The length so far of the text of the incomplete cell, which is stored in front of the next piece. */
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

  /** Ends the last record, if the text does not end in a line end. Anything that follows is another text. */
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
    cells.bytes[end] = Byte.QUOTE; // marks the end of the piece: no state skips a quote
    this.#findMarks(from, end);
    const start = this.#split(end);
    this.#sink.take(cells);
    cells.bytes.copyWithin(0, start, start + this.#length);
  }

  /**
   * Finds the bytes that may be marks between two places, both included. Marks found in up to three bytes beyond them
   * do no harm.
   */
  #findMarks(from: number, end: number): void {
    if (this.#marks.length < end - from + 4) this.#marks = new Int32Array(end - from + 4);
    const marks = this.#marks;
    const { view } = this.#cells;
    const delimiters = 0x01010101 * this.#delimiter;
    let count = 0;
    for (let at = from; at <= end; at += 4) {
      // In the top bit of each of four bytes: whether it is below 0x23, as quotes and line ends are, or a delimiter.
      // Adding carries into the bit if it is neither (Warren, Hacker's Delight, 6-1).
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

  /** Makes cells and records from the text between the marks. Returns the place of the incomplete cell. */
  #split(end: number): number {
    const marks = this.#marks;
    const cells = this.#cells;
    const { bytes, bounds, recordEnds } = cells;
    const delimiter = this.#delimiter;
    let state = this.#state;
    let bound = 0;
    let records = 0;
    // The cell's text so far lies from `start` up to `to`. The run of bytes that continues it begins at `from`, which
    // is later than `to` if quotes were left out.
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
