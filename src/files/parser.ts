// A streaming parser of separated values on bytes. It never holds more than one cell and has a rule for everything: CR, LF and CRLF
// each end a row, mixed freely; a quote opens a cell only at its start, is written double inside, and text after the closing one is
// kept; a quote still open at the end of the input closes there. A blank line is no row.

/** Receives cells and rows. The bytes are the parser's own: they are good until the next byte. */
export interface Sink {
  cell(bytes: Uint8Array, length: number, hash: number): void;
  /** @param blank the line held nothing at all, not even quotes */
  row(blank: boolean): void;
}

/** What cells with special characters are put between, in every dialect. */
export const QUOTE = '"';

export const LF = 10;
export const CR = 13;
const QUOTE_BYTE = QUOTE.charCodeAt(0);
const FNV_OFFSET = 0x811c9dc5 | 0;
const FNV_PRIME = 0x01000193;

/** Where the next byte falls. */
const START = 0; // at the start of a cell
const PLAIN = 1; // inside a cell, no quotes open
const QUOTED = 2; // inside open quotes
const CLOSED = 3; // just behind a quote that closes, or is the first half of a double one

export class RowParser {
  readonly #delimiter: number;
  readonly #sink: Sink;
  #cell = new Uint8Array(256);
  #length = 0;
  #hash = FNV_OFFSET;
  #state = START;
  #cells = 0;
  #wasQuoted = false;
  #afterReturn = false;

  /** @param delimiter an ASCII character */
  constructor(delimiter: string, sink: Sink) {
    this.#delimiter = delimiter.charCodeAt(0);
    this.#sink = sink;
  }

  /** Takes the next bytes, cut anywhere. */
  push(chunk: Uint8Array): void {
    const delimiter = this.#delimiter;
    let at = 0;
    while (at < chunk.length) {
      if (this.#state === PLAIN || this.#state === QUOTED) {
        at = this.#copyText(chunk, at);
        if (at === chunk.length) return;
      }
      const byte = chunk[at++];
      const follows = this.#afterReturn;
      this.#afterReturn = false;
      if (this.#state === QUOTED) this.#state = CLOSED;
      else if (this.#state === CLOSED && byte === QUOTE_BYTE) this.#append(byte, QUOTED);
      else if (byte === delimiter) this.#endCell();
      else if (byte === LF) {
        if (!follows) this.#endRow();
      } else if (byte === CR) {
        this.#endRow();
        this.#afterReturn = true;
      } else if (byte === QUOTE_BYTE && this.#state === START) {
        this.#wasQuoted = true;
        this.#state = QUOTED;
      } else this.#append(byte, PLAIN);
    }
  }

  /** Ends the input: what stands in an unfinished row is a row. */
  finish(): void {
    if (this.#cells || this.#length || this.#wasQuoted) this.#endRow();
  }

  /** Copies text up to the next byte that means something, and returns where that is. */
  #copyText(chunk: Uint8Array, from: number): number {
    const quoted = this.#state === QUOTED;
    const [first, second, third] = quoted ? [QUOTE_BYTE, QUOTE_BYTE, QUOTE_BYTE] : [this.#delimiter, LF, CR];
    this.#reserve(chunk.length - from);
    const cell = this.#cell;
    let [at, length, hash] = [from, this.#length, this.#hash];
    for (; at < chunk.length; at++) {
      const byte = chunk[at];
      if (byte === first || byte === second || byte === third) break;
      cell[length++] = byte;
      hash = Math.imul(hash ^ byte, FNV_PRIME);
    }
    this.#length = length;
    this.#hash = hash;
    return at;
  }

  #append(byte: number, state: number): void {
    this.#reserve(1);
    this.#cell[this.#length++] = byte;
    this.#hash = Math.imul(this.#hash ^ byte, FNV_PRIME);
    this.#state = state;
  }

  #reserve(more: number): void {
    if (this.#length + more <= this.#cell.length) return;
    const larger = new Uint8Array(2 * (this.#length + more));
    larger.set(this.#cell.subarray(0, this.#length));
    this.#cell = larger;
  }

  #endCell(): void {
    this.#sink.cell(this.#cell, this.#length, this.#hash);
    this.#cells++;
    this.#length = 0;
    this.#hash = FNV_OFFSET;
    this.#state = START;
  }

  #endRow(): void {
    const blank = !this.#cells && !this.#length && !this.#wasQuoted;
    this.#endCell();
    this.#sink.row(blank);
    this.#cells = 0;
    this.#wasQuoted = false;
  }
}
