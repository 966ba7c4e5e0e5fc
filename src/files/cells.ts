/** Byte order marks inside cells are text; undecodable bytes become U+FFFD. */
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** Bytes of a word. */
export const WORD = 4;

/** Cells in the order of their file, and the ends of records among them. */
export class Cells {
  /** Texts lie in here, in UTF-8 and with quotes resolved; the last one is followed by room for a word. */
  bytes = new Uint8Array(WORD);
  #view = new DataView(this.bytes.buffer);
  /** Cell i has the bytes from `starts[i]` up to `ends[i]`. */
  starts = new Int32Array(0);
  ends = new Int32Array(0);
  count = 0;
  /** How many of the cells come before the end of each record; no more than before the record above where a line is blank. */
  recordEnds = new Int32Array(0);
  records = 0;

  text(cell: number): string {
    return decoder.decode(this.bytes.subarray(this.starts[cell], this.ends[cell]));
  }

  /** The texts of all cells. */
  texts(): string[] {
    return Array.from({ length: this.count }, (_, cell) => this.text(cell));
  }

  /** The bytes from `start` on as a little-endian word; where fewer than four are left to `end`, zeros follow them. */
  word(start: number, end: number): number {
    const word = this.#view.getInt32(start, true);
    const left = end - start;
    return left < WORD ? word & ~(-1 << (8 * left)) : word;
  }

  /** Makes room for this many bytes, of which the first `kept` stay, and for as many cells and records as lie in the others. */
  reserve(kept: number, bytes: number): void {
    if (bytes + WORD > this.bytes.length) {
      const larger = new Uint8Array(Math.max(bytes + WORD, 2 * this.bytes.length));
      larger.set(this.bytes.subarray(0, kept));
      this.bytes = larger;
      this.#view = new DataView(larger.buffer);
    }
    // Each cell and each record ends in a byte of its own, but for those that end with the text.
    const most = bytes - kept + 1;
    if (most <= this.starts.length) return;
    this.starts = new Int32Array(most);
    this.ends = new Int32Array(most);
    this.recordEnds = new Int32Array(most);
  }
}
