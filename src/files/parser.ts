// Records and cells of delimited text, byte by byte.

/** Takes what a parser finds, in the order of the file. */
export interface RecordSink {
  /**
   * One cell.
   * @param column its place in its record, from 0
   * @param bytes its text begins here and has `length` bytes, quotes resolved; overwritten by the next cell
   * @param hash FNV-1a of all its bytes
   */
  cell(column: number, bytes: Uint8Array, length: number, hash: number): void;
  /** The end of a record of this many cells; 0 for a blank line. */
  record(cells: number): void;
}

export const LF = 10;
export const CR = 13;
/** What stands around cells that hold a delimiter, a quote or a line end. */
export const QUOTE = '"';
const QUOTE_BYTE = QUOTE.charCodeAt(0);

/** The most bytes of a cell that are kept: where a quote stays open, a cell may be as long as the file. */
const LONGEST = 1 << 20;

/** The 32-bit FNV-1a hash (Fowler, Noll, Vo): start and prime. */
const BASIS = 0x811c9dc5 | 0;
const PRIME = 0x01000193;

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
  readonly #sink: RecordSink;
  #state = RECORD;
  #column = 0;
  /** The cell so far, without its quotes: cells in one piece need no other path than cells cut by a chunk's end. */
  #cell = new Uint8Array(0);
  #length = 0;
  #hash = BASIS;

  /** @param delimiter an ASCII character, neither a quote nor a line end */
  constructor(delimiter: string, sink: RecordSink) {
    this.#delimiter = delimiter.charCodeAt(0);
    this.#sink = sink;
  }

  /** Whether a quote is open. */
  get inQuotes(): boolean {
    return this.#state === QUOTED;
  }

  push(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    const delimiter = this.#delimiter;
    const sink = this.#sink;
    const cell = this.#cell;
    const room = cell.length;
    let state = this.#state;
    let column = this.#column;
    let length = this.#length;
    let hash = this.#hash;
    for (let at = 0; at < bytes.length; at++) {
      const byte = bytes[at];
      if (state === QUOTED) {
        if (byte === QUOTE_BYTE) {
          state = CLOSED;
          continue;
        }
      } else if (byte === delimiter) {
        sink.cell(column++, cell, length, hash);
        length = 0;
        hash = BASIS;
        state = CELL;
        continue;
      } else if (byte === LF || byte === CR) {
        if (state > RETURN) {
          sink.cell(column, cell, length, hash);
          sink.record(column + 1);
          column = 0;
          length = 0;
          hash = BASIS;
        } else if (byte === CR || state === RECORD) sink.record(0);
        state = byte === CR ? RETURN : RECORD;
        continue;
      } else if (byte === QUOTE_BYTE && state <= CELL) {
        state = QUOTED;
        continue;
      } else state = byte === QUOTE_BYTE && state === CLOSED ? QUOTED : PLAIN;
      if (length < room) cell[length++] = byte;
      hash = Math.imul(hash ^ byte, PRIME);
    }
    this.#state = state;
    this.#column = column;
    this.#length = length;
    this.#hash = hash;
  }

  /** Ends the last record, where the text does not end in a line end. */
  end(): void {
    if (this.#state <= RETURN) return;
    this.#sink.cell(this.#column, this.#cell, this.#length, this.#hash);
    this.#sink.record(this.#column + 1);
    this.#state = RECORD;
  }

  /** Makes room for a cell that goes on through all of the next bytes, up to the longest, so that the loop need not ask. */
  #reserve(more: number): void {
    const needed = Math.min(this.#length + more, LONGEST);
    if (needed <= this.#cell.length) return;
    const larger = new Uint8Array(Math.min(Math.max(needed, 2 * this.#cell.length), LONGEST));
    larger.set(this.#cell.subarray(0, this.#length));
    this.#cell = larger;
  }
}
