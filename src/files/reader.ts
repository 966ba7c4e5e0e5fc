import { joined } from "./bytes.js";
import { type HeaderRule, openCell, quoteLeftOpen } from "./header.js";
import { Byte, RecordParser } from "./parser.js";
import type { RowSink } from "./rows.js";

/**
 * Reads UTF-8 bytes of a table, in pieces of any size: finds the header, and with it the delimiter, then leaves the rest to the parser.
 * Lines to skip are counted by their line ends alone, and blank lines are no header.
 */
export class RecordReader {
  readonly #rule: HeaderRule;
  readonly #rows: RowSink;
  #toSkip: number;
  #afterReturn = false;
  /** What came before the end of the header. */
  #head: Uint8Array[] = [];
  #parser: RecordParser | undefined;
  #delimiter = "";

  constructor(skipLines: number, rule: HeaderRule, rows: RowSink) {
    this.#toSkip = skipLines;
    this.#rule = rule;
    this.#rows = rows;
  }

  /** What separates the cells; empty before the header's first line is complete. */
  get delimiter(): string {
    return this.#delimiter;
  }

  /**
   * @throws {StandinError} `files/header-quote` where a name in quotes is not closed and may not go on; what the rows' opener throws
   * about the header, before anything after it is looked at
   */
  push(bytes: Uint8Array): void {
    if (this.#parser) this.#parser.push(bytes);
    else this.#open(this.#skipLines(bytes));
  }

  /** @throws as `push` */
  end(): void {
    if (!this.#parser && this.#openName() !== undefined) throw quoteLeftOpen();
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
    for (let at = from; at < bytes.length; at++) {
      if (!isLineEnd(bytes[at])) continue;
      this.#head.push(bytes.slice(from, at + 1));
      from = at + 1;
      if (this.#goesOn()) continue;
      this.#parser = this.#start();
      break;
    }
    if (this.#parser) this.#parser.push(bytes.subarray(from));
    else if (from < bytes.length) this.#head.push(bytes.slice(from));
  }

  /** Whether the header has more lines than came so far. @throws {StandinError} `files/header-quote` */
  #goesOn(): boolean {
    const name = this.#openName();
    if (name === undefined) return false;
    if (this.#rule.mayGoOn!(name)) return true;
    throw quoteLeftOpen();
  }

  /** The name that is still open in quotes where what came of the header ends; `undefined` where none is, or any may be. */
  #openName(): string | undefined {
    const head = joined(this.#head);
    const end = head.findIndex(isLineEnd);
    this.#delimiter ||= this.#rule.delimiterOf(end < 0 ? head : head.subarray(0, end));
    return this.#rule.mayGoOn && openCell(head, this.#delimiter);
  }

  /** A parser that has taken the header. */
  #start(): RecordParser {
    const parser = new RecordParser(this.#delimiter, this.#rows);
    parser.push(joined(this.#head));
    this.#head = [];
    return parser;
  }
}

const isLineEnd = (byte: number) => byte === Byte.LF || byte === Byte.CR;
