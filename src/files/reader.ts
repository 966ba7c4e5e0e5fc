import { Byte, RecordParser } from "./parser.js";
import type { RowSink } from "./rows.js";

/**
 * Reads UTF-8 bytes of a table, in pieces of any size: finds the header's line, and with it the delimiter, then leaves the rest to the
 * parser.
 * Lines to skip are counted by their line ends alone, and blank lines are no header.
 */
export class RecordReader {
  readonly #delimiterOf: (line: Uint8Array) => string;
  readonly #rows: RowSink;
  #toSkip: number;
  #afterReturn = false;
  /** What came before the end of the header's line. */
  #head: Uint8Array[] = [];
  #parser: RecordParser | undefined;
  #delimiter = "";

  /** @param delimiterOf told by the header up to its first line break */
  constructor(skipLines: number, delimiterOf: (line: Uint8Array) => string, rows: RowSink) {
    this.#toSkip = skipLines;
    this.#delimiterOf = delimiterOf;
    this.#rows = rows;
  }

  /** What separates the cells; empty before the header's line is complete. */
  get delimiter(): string {
    return this.#delimiter;
  }

  /** @throws what the rows' opener throws about the header, before anything after it is looked at */
  push(bytes: Uint8Array): void {
    if (this.#parser) this.#parser.push(bytes);
    else this.#open(this.#skipLines(bytes));
  }

  /** @throws as `push` */
  end(): void {
    this.#parser ??= this.#start();
    this.#parser.end();
    this.#rows.end();
  }

  #skipLines(bytes: Uint8Array): Uint8Array {
    let at = 0;
    for (; this.#toSkip > 0 && at < bytes.length; at++) {
      const byte = bytes[at];
      if (byte === Byte.CR || (byte === Byte.LF && !this.#afterReturn)) this.#toSkip--;
      this.#afterReturn = byte === Byte.CR;
    }
    return bytes.subarray(at);
  }

  #open(bytes: Uint8Array): void {
    let from = 0;
    if (!this.#head.length) while (from < bytes.length && isLineEnd(bytes[from])) from++;
    if (from === bytes.length) return;
    this.#head.push(bytes.slice(from));
    if (bytes.subarray(from).some(isLineEnd)) this.#parser = this.#start();
  }

  /** A parser that knows the delimiter and has taken what came so far. */
  #start(): RecordParser {
    const head = joined(this.#head);
    const end = head.findIndex(isLineEnd);
    this.#delimiter = this.#delimiterOf(end < 0 ? head : head.subarray(0, end));
    const parser = new RecordParser(this.#delimiter, this.#rows);
    parser.push(head);
    this.#head = [];
    return parser;
  }
}

const isLineEnd = (byte: number) => byte === Byte.LF || byte === Byte.CR;

/** Chunks as one. */
export function joined(chunks: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(chunks.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.length;
  }
  return all;
}
