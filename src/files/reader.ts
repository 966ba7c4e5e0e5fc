import type { Instance } from "../engine/instance.js";
import { joined } from "./bytes.js";
import { type HeaderRule, quoteLeftOpen } from "./header.js";
import { Byte, recordOf } from "./parser.js";
import { type ReadAs, TableReader } from "./table-reader.js";

/** Takes the bytes of the records after the header, in pieces of any size. */
export interface RecordBytes {
  /** Takes more bytes. If it returns a promise, the next bytes have to wait for it. */
  push(bytes: Uint8Array): void | Promise<void>;
  end(): void;
}

/**
 * Begins with the records, once the header is known.
 * @param header the record with the columns' names, as it stands in the file; empty if there is none
 */
export type BeginRecords = (delimiter: string, header: Uint8Array) => RecordBytes;

/**
 * Reads the records in this thread.
 * @param open receives the header's names, and returns how the columns are read, by place. It may reject the names with
 *   an error; without a header it has to
 * @param opened receives the reader before it has read a record
 */
export function recordsInto(
  engine: Instance,
  open: (names: readonly string[]) => readonly (ReadAs | undefined)[],
  opened: (reader: TableReader) => void,
): BeginRecords {
  return (delimiter, header) => {
    const columns = open(recordOf(engine, header, delimiter).cells);
    const reader = new TableReader(engine, delimiter, columns);
    opened(reader);
    reader.push(header);
    return reader;
  };
}

/**
 * Reads UTF-8 bytes of a table, in pieces of any size. It finds the header, and with it the delimiter, then passes the
 * rest on. Lines to skip are counted by their line ends only, and blank lines do not count as a header.
 */
export class RecordReader {
  readonly #engine: Instance;
  readonly #rule: HeaderRule;
  readonly #begin: BeginRecords;
  #toSkip: number;
  #afterReturn = false;
  /** The bytes before the end of the header. */
  #head: Uint8Array[] = [];
  #records: RecordBytes | undefined;
  #delimiter = "";

  constructor(engine: Instance, skipLines: number, rule: HeaderRule, begin: BeginRecords) {
    this.#engine = engine;
    this.#toSkip = skipLines;
    this.#rule = rule;
    this.#begin = begin;
  }

  /** The delimiter; empty until the header's first line is complete. */
  get delimiter(): string {
    return this.#delimiter;
  }

  /**
   * @throws {StandinError} `files/header-quote` if a quoted name is not closed and may not continue; also the errors
   *   about the header of the code that takes the records, before anything after the header is looked at
   */
  push(bytes: Uint8Array): void | Promise<void> {
    return this.#records ? this.#records.push(bytes) : this.#open(this.#skipLines(bytes));
  }

  /** @throws as in `push` */
  end(): void {
    if (!this.#records && this.#openName() !== undefined) throw quoteLeftOpen();
    this.#records ??= this.#start();
    this.#records.end();
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

  #open(bytes: Uint8Array): void | Promise<void> {
    let from = 0;
    if (!this.#head.length) while (from < bytes.length && isLineEnd(bytes[from])) from++;
    for (let at = from; at < bytes.length; at++) {
      if (!isLineEnd(bytes[at])) continue;
      this.#head.push(bytes.slice(from, at + 1));
      from = at + 1;
      if (this.#goesOn()) continue;
      this.#records = this.#start();
      return this.#records.push(bytes.subarray(from));
    }
    if (from < bytes.length) this.#head.push(bytes.slice(from));
  }

  /** Whether the header has more lines than have arrived. @throws {StandinError} `files/header-quote` */
  #goesOn(): boolean {
    const name = this.#openName();
    if (name === undefined) return false;
    if (this.#rule.mayGoOn!(name)) return true;
    throw quoteLeftOpen();
  }

  /**
   * The name that is still open in quotes at the end of the header so far; `undefined` if there is none, or if any name
   * may continue.
   */
  #openName(): string | undefined {
    const head = joined(this.#head);
    const end = head.findIndex(isLineEnd);
    this.#delimiter ||= this.#rule.delimiterOf(end < 0 ? head : head.subarray(0, end));
    if (!this.#rule.mayGoOn) return undefined;
    const { cells, open } = recordOf(this.#engine, head, this.#delimiter);
    return open ? cells.at(-1) : undefined;
  }

  #start(): RecordBytes {
    const header = joined(this.#head);
    this.#head = [];
    return this.#begin(this.#delimiter, header);
  }
}

const isLineEnd = (byte: number) => byte === Byte.LF || byte === Byte.CR;
