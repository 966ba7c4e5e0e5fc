import { Byte } from "./parser.js";

/** Finds where records end, as the parser does but without their cells, so that a text can be cut there. */
export class RecordEnds {
  readonly #delimiter: number;
  #isQuoted = false;
  /** The byte before the next one; of those inside quotes only the quote that may have closed them. */
  #before: number = Byte.LF;

  /** @param delimiter an ASCII character, neither a quote nor a line end */
  constructor(delimiter: string) {
    this.#delimiter = delimiter.charCodeAt(0);
  }

  /** The place after the last record that ends in this piece of the text; 0 where none does. A CR at its very end may be half of a CRLF. */
  lastIn(bytes: Uint8Array): number {
    if (this.#isQuoted || bytes.includes(Byte.QUOTE)) return this.#lastAmongQuotes(bytes);
    this.#before = bytes.at(-1) ?? this.#before;
    const afterReturn = bytes.subarray(0, -1).lastIndexOf(Byte.CR) + 1;
    return Math.max(bytes.lastIndexOf(Byte.LF) + 1, afterReturn);
  }

  #lastAmongQuotes(bytes: Uint8Array): number {
    const delimiter = this.#delimiter;
    let isQuoted = this.#isQuoted;
    let before = this.#before;
    let end = 0;
    for (let at = 0; at < bytes.length; at++) {
      const byte = bytes[at];
      if (byte === Byte.QUOTE) {
        if (isQuoted) {
          isQuoted = false;
          before = byte;
        } else isQuoted = before === byte || before === delimiter || before === Byte.LF || before === Byte.CR;
      } else if (!isQuoted) {
        before = byte;
        if (byte === Byte.LF || (byte === Byte.CR && at + 1 < bytes.length && bytes[at + 1] !== Byte.LF)) end = at + 1;
      }
    }
    this.#isQuoted = isQuoted;
    this.#before = before;
    return end;
  }
}
