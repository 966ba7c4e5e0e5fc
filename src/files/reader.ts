import type { Instance } from "../engine/instance.js";
import { LONGEST_CELL } from "../engine/layout.js";
import { joined } from "./bytes.js";
import { type HeaderRule, quoteLeftOpen } from "./header.js";
import { Byte, TextParser } from "./parser.js";

/** Takes the bytes of the records after the header, in pieces of any size. */
export interface RecordBytes {
  /** Takes more bytes. If it returns a promise, the next bytes have to wait for it. */
  push(bytes: Uint8Array): void | Promise<void>;
  end(): void;
}

/** Takes the bytes of the records from the memory of an engine. */
export interface EngineBytes extends RecordBytes {
  push(bytes: Uint8Array): void;
  /**
   * Where to write the next bytes, which `took` then reads.
   * @param bytes how many, at most LONGEST_CELL
   * @throws {StandinError} `files/memory`
   */
  room(bytes: number): number;
  /** Reads bytes that were written into the room. @throws {StandinError} `files/memory` */
  took(bytes: number): void;
}

/** Writes bytes into an engine, for a reader there. @throws {StandinError} `files/memory` */
export function writeInto(engine: Instance, reader: EngineBytes, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; at += LONGEST_CELL) {
    const piece = bytes.subarray(at, at + LONGEST_CELL);
    engine.write(reader.room(piece.length), piece);
    reader.took(piece.length);
  }
}

/** A table's header. */
export interface Header {
  readonly delimiter: string;
  /** Its cells; empty if there is none. */
  readonly names: readonly string[];
  /** Whether it ends in a CR: an LF at the start of the records belongs to it. */
  readonly endsInReturn: boolean;
}

/** Begins with the records, once the header is known. */
export type BeginRecords<Records extends RecordBytes> = (header: Header) => Records;

/**
 * Reads UTF-8 bytes of a table, in pieces of any size. It finds the header, and with it the delimiter, then passes the
 * rest on. Lines to skip are counted by their line ends only, and blank lines do not count as a header.
 */
export class RecordReader<Records extends RecordBytes> {
  readonly #engine: Instance;
  readonly #rule: HeaderRule;
  readonly #begin: BeginRecords<Records>;
  #toSkip: number;
  #afterReturn = false;
  /** The bytes of the header's incomplete line. */
  #line: Uint8Array[] = [];
  /** Takes the header's lines, once its first one is complete. */
  #parser: TextParser | undefined;
  readonly #names: string[] = [];
  #records: Records | undefined;
  #delimiter = "";

  /** @param engine in which the header is split */
  constructor(engine: Instance, skipLines: number, rule: HeaderRule, begin: BeginRecords<Records>) {
    this.#engine = engine;
    this.#toSkip = skipLines;
    this.#rule = rule;
    this.#begin = begin;
  }

  /** What takes the records, once the header is complete. */
  get records(): Records | undefined {
    return this.#records;
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
    if (!this.#records) {
      const parser = this.#take(joined(this.#line));
      if (parser.inQuotes && this.#rule.mayGoOn) throw quoteLeftOpen();
      this.#addNames(parser.end().cells);
      this.#records = this.#start(false);
    }
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
    if (!this.#parser && !this.#line.length) while (from < bytes.length && isLineEnd(bytes[from])) from++;
    if (!this.#line.length) from = this.#pastQuoted(bytes, from);
    for (let at = from; at < bytes.length; at++) {
      if (!isLineEnd(bytes[at])) continue;
      const line = joined([...this.#line, bytes.subarray(from, at + 1)]);
      this.#line = [];
      from = at + 1;
      if (this.#goesOn(this.#take(line))) {
        from = this.#pastQuoted(bytes, from);
        at = from - 1;
        continue;
      }
      this.#records = this.#start(bytes[at] === Byte.CR);
      return this.#records.push(bytes.subarray(from));
    }
    if (from < bytes.length) this.#line.push(bytes.slice(from));
  }

  /**
   * Takes bytes inside quotes up to the next quote, before which the header cannot end: a quote that is never closed
   * would make each line of the table a line of the header. Returns their end.
   */
  #pastQuoted(bytes: Uint8Array, from: number): number {
    if (!this.#parser?.inQuotes || this.#rule.mayGoOn) return from;
    const quote = bytes.indexOf(Byte.QUOTE, from);
    const to = quote < 0 ? bytes.length : quote;
    this.#take(bytes.subarray(from, to));
    return to;
  }

  /** Takes a line of the header with its end, or a part of one. */
  #take(line: Uint8Array): TextParser {
    const end = line.findIndex(isLineEnd);
    this.#delimiter ||= this.#rule.delimiterOf(end < 0 ? line : line.subarray(0, end));
    this.#parser ??= new TextParser(this.#engine, this.#delimiter);
    this.#addNames(this.#parser.push(line).cells);
    return this.#parser;
  }

  /** A header may have more names than a call may have arguments. */
  #addNames(names: readonly string[]): void {
    for (const name of names) this.#names.push(name);
  }

  /** Whether the header has more lines than have arrived. @throws {StandinError} `files/header-quote` */
  #goesOn(parser: TextParser): boolean {
    if (!parser.inQuotes) return false;
    if (this.#rule.mayGoOn && !this.#rule.mayGoOn(parser.begun)) throw quoteLeftOpen();
    return true;
  }

  #start(endsInReturn: boolean): Records {
    return this.#begin({ delimiter: this.#delimiter, names: this.#names, endsInReturn });
  }
}

const isLineEnd = (byte: number) => byte === Byte.LF || byte === Byte.CR;
