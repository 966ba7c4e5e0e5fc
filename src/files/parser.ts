// Records and cells of delimited text.
import { Cells } from "./cells.js";

/** Takes what a parser finds, in the order of the file. */
export interface CellSink {
  /**
   * The cells that ended in the bytes of one push: the first ones may go on with a record that was begun before, and the last ones may
   * begin one that is not complete.
   * @param cells overwritten by the next ones
   */
  take(cells: Cells): void;
}

export const LF = 10;
export const CR = 13;
/** What stands around cells that hold a delimiter, a quote or a line end. */
export const QUOTE = '"';
const QUOTE_BYTE = QUOTE.charCodeAt(0);

/** The most bytes of a cell that are kept: where a quote stays open, a cell may be as long as the file. */
const LONGEST = 1 << 20;

// Where the next byte falls. Up to CELL, a quote opens the cell; up to RETURN, the record has nothing yet.
const RECORD = 0;
/** At the start of a record, after a CR: an LF belongs to it. */
const RETURN = 1;
const CELL = 2;
/** In text outside quotes. */
const PLAIN = 3;
/** After a quote inside quotes: it closed them, unless another one follows. */
const CLOSED = 4;
const QUOTED = 5;

/**
 * Splits bytes of any ASCII-compatible text into records; every text has a reading and none is an error. CR, LF and CRLF each end a
 * record, mixed freely. A quote opens a cell only at its start; inside quotes a doubled quote is one; text after the closing quote is
 * kept; a quote that is still open at the end closes there; of a cell longer than a mebibyte the rest is dropped. The bytes may come
 * in pieces of any size.
 */
export class RecordParser {
  readonly #delimiter: number;
  readonly #sink: CellSink;
  /** 1 for each byte that may end a run of text outside quotes. */
  readonly #isMark = new Uint8Array(256);
  readonly #cells = new Cells();
  #state = RECORD;
  /** The bytes so far, without its quotes, of the cell that is not complete: they lie in front. */
  #length = 0;

  /** @param delimiter an ASCII character, neither a quote nor a line end */
  constructor(delimiter: string, sink: CellSink) {
    this.#delimiter = delimiter.charCodeAt(0);
    this.#sink = sink;
    for (const mark of [this.#delimiter, LF, CR, QUOTE_BYTE]) this.#isMark[mark] = 1;
  }

  push(piece: Uint8Array): void {
    const cells = this.#cells;
    const end = this.#length + piece.length;
    cells.reserve(this.#length, end);
    const { bytes, starts, ends, recordEnds } = cells;
    const isMark = this.#isMark;
    const delimiter = this.#delimiter;
    bytes.set(piece, this.#length);
    bytes[end] = QUOTE_BYTE; // ends a run wherever it falls
    let state = this.#state;
    let count = 0;
    let records = 0;
    /** The text of the cell so far: that of most cells is where it was, as one run. */
    let start = 0;
    let to = this.#length;
    let at = to;
    for (;;) {
      const run = at;
      if (state === QUOTED) while (bytes[at] !== QUOTE_BYTE) at++;
      else while (isMark[bytes[at]] === 0) at++;
      if (at > run) {
        if (to < run) bytes.copyWithin(to, run, at);
        to += at - run;
        if (state !== QUOTED) state = PLAIN;
      }
      if (at === end) break;
      const mark = bytes[at++];
      if (mark === QUOTE_BYTE) {
        if (state === QUOTED) state = CLOSED;
        else if (state <= CELL) {
          state = QUOTED;
          start = to = at;
        } else {
          state = state === CLOSED ? QUOTED : PLAIN;
          bytes[to++] = mark;
        }
        continue;
      }
      if (mark === delimiter || state > RETURN) {
        starts[count] = start;
        ends[count++] = Math.min(to, start + LONGEST);
      }
      start = to = at;
      if (mark === delimiter) state = CELL;
      else {
        if (mark === CR || state !== RETURN) recordEnds[records++] = count;
        state = mark === CR ? RETURN : RECORD;
      }
    }
    cells.count = count;
    cells.records = records;
    this.#state = state;
    this.#sink.take(cells);
    this.#length = Math.min(to - start, LONGEST);
    bytes.copyWithin(0, start, start + this.#length);
  }

  /** Ends the last record, where the text does not end in a line end. */
  end(): void {
    if (this.#state <= RETURN) return;
    const cells = this.#cells;
    cells.reserve(this.#length, this.#length);
    cells.starts[0] = 0;
    cells.ends[0] = this.#length;
    cells.recordEnds[0] = 1;
    cells.count = 1;
    cells.records = 1;
    this.#sink.take(cells);
    this.#state = RECORD;
  }
}
