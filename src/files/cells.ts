/** Byte order marks inside cells are text; undecodable bytes become U+FFFD. */
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** Bytes after the end of a text that may be read and written, because texts are read in words of four bytes. */
const SLACK = 4;

/** Cells in the order of their file, and where records end among them. */
export class Cells {
  /** The texts, in UTF-8 and with quotes resolved. */
  bytes = new Uint8Array(SLACK);
  /** The same bytes, for reading them as words. */
  view = new DataView(this.bytes.buffer);
  /** The text of cell i has the bytes from `bounds[2 * i]` up to, but not including, `bounds[2 * i + 1]`. */
  bounds = new Int32Array(0);
  count = 0;
  /** The number of cells before the end of each record. For a blank line it is the same as for the record above. */
  recordEnds = new Int32Array(0);
  records = 0;

  text(cell: number): string {
    return decoder.decode(this.bytes.subarray(this.bounds[2 * cell], this.bounds[2 * cell + 1]));
  }

  /** The texts of all cells. */
  texts(): string[] {
    return Array.from({ length: this.count }, (_, cell) => this.text(cell));
  }

  /**
   * Makes room for this many bytes, of which the first `kept` are preserved, and for all cells and records that the
   * other bytes can make.
   */
  reserve(kept: number, bytes: number): void {
    if (bytes + SLACK > this.bytes.length) {
      const larger = new Uint8Array(Math.max(bytes + SLACK, 2 * this.bytes.length));
      larger.set(this.bytes.subarray(0, kept));
      this.bytes = larger;
      this.view = new DataView(larger.buffer);
    }
    // Each cell or record ends in a byte of its own, except the last ones, which may end with the text.
    const most = bytes - kept + 1;
    if (most <= this.recordEnds.length) return;
    this.bounds = new Int32Array(2 * most);
    this.recordEnds = new Int32Array(most);
  }
}
