import type { Table } from "../core/table.js";
import { expectSchema, type Schema } from "../schema/schema.js";
import { delimiterOf } from "./header.js";
import { CR, LF, RecordParser } from "./parser.js";
import { RowSink } from "./rows.js";

/**
 * Reads UTF-8 bytes of a table, in pieces of any size: finds the header's line, and with it the delimiter, then leaves the rest to the
 * parser.
 * Lines to skip are counted by their line ends alone, and blank lines are no header.
 */
export class CsvReader {
  readonly #schema: Schema;
  readonly #rows: RowSink;
  #toSkip: number;
  #afterReturn = false;
  /** What came before the end of the header's line. */
  #head: Uint8Array[] = [];
  #parser: RecordParser | undefined;
  #delimiter = "";

  constructor(schema: Schema) {
    expectSchema(schema);
    this.#schema = schema;
    this.#rows = new RowSink(schema);
    this.#toSkip = schema.dialect.skipLines ?? 0;
  }

  /** @throws {StandinError} `files/missing-column`, `files/duplicate-column`, before anything after the header is looked at */
  push(bytes: Uint8Array): void {
    if (this.#parser) this.#parser.push(bytes);
    else this.#open(this.#skipLines(bytes));
  }

  /** The table. @throws {StandinError} as `push`, and `files/empty` where there was no header */
  end(): Table {
    this.#parser ??= this.#start();
    this.#parser.end();
    return this.#rows.table(this.#delimiter);
  }

  #skipLines(bytes: Uint8Array): Uint8Array {
    let at = 0;
    for (; this.#toSkip > 0 && at < bytes.length; at++) {
      const byte = bytes[at];
      if (byte === CR || (byte === LF && !this.#afterReturn)) this.#toSkip--;
      this.#afterReturn = byte === CR;
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
    this.#delimiter = delimiterOf(end < 0 ? head : head.subarray(0, end), this.#schema);
    const parser = new RecordParser(this.#delimiter, this.#rows);
    parser.push(head);
    this.#head = [];
    return parser;
  }
}

const isLineEnd = (byte: number) => byte === LF || byte === CR;

function joined(chunks: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(chunks.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.length;
  }
  return all;
}
