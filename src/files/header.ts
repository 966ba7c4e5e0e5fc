import { StandinError } from "../core/errors.js";
import type { Schema } from "../schema/schema.js";
import { CR, LF, QUOTE, RowParser } from "./parser.js";

const DELIMITERS = [",", ";", "\t", "|"] as const;

/** A table's first lines: how its cells are separated, and its columns' names. */
export interface Header {
  readonly delimiter: string;
  readonly names: readonly string[];
}

/**
 * Collects the lines above the records: those to skip, then the header, which ends at the first line break outside quotes. Quotes open
 * behind any character that may be the delimiter.
 */
export class HeaderLines {
  readonly #delimiters: readonly number[];
  #skip: number;
  #bytes = new Uint8Array(1024);
  #length = 0;
  #open = false;
  #justClosed = false;
  #afterReturn = false;

  constructor({ dialect }: Schema) {
    this.#skip = dialect.skipLines ?? 0;
    this.#delimiters = candidatesOf(dialect.delimiter).map((delimiter) => delimiter.charCodeAt(0));
  }

  /** Takes bytes up to the header's end. Returns how many it took; the header is complete where it took the line break. */
  push(chunk: Uint8Array): { taken: number; complete: boolean } {
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at];
      const breaks = byte === CR || (byte === LF && !this.#afterReturn);
      const isSecondHalf = byte === LF && this.#afterReturn;
      this.#afterReturn = byte === CR;
      if (this.#skip) {
        if (breaks) this.#skip--;
      } else if (breaks && !this.#open) return { taken: at + 1, complete: true };
      else if (!isSecondHalf || this.#length) this.#append(byte);
    }
    return { taken: chunk.length, complete: false };
  }

  /** Whether the header ended in CR, so that a LF that follows belongs to it. */
  get endedInReturn(): boolean {
    return this.#afterReturn;
  }

  get bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  #append(byte: number): void {
    const atStart = !this.#length || this.#delimiters.includes(this.#bytes[this.#length - 1]);
    const isQuote = byte === QUOTE.charCodeAt(0);
    const closes = isQuote && this.#open;
    if (isQuote) this.#open = !this.#open && (atStart || this.#justClosed);
    this.#justClosed = closes;
    if (this.#length === this.#bytes.length) {
      const larger = new Uint8Array(2 * this.#length);
      larger.set(this.#bytes);
      this.#bytes = larger;
    }
    this.#bytes[this.#length++] = byte;
  }
}

const candidatesOf = (stated: string | undefined): readonly string[] => (stated === undefined ? DELIMITERS : [stated]);

/**
 * Reads the header line. Where the schema does not state the delimiter, it is the one that splits this line into the most names that
 * the schema knows; no record is looked at.
 * @throws {StandinError} `files/empty`, `files/missing-column`, `files/duplicate-column`: naming the schema's columns only, since a first
 * line that does not fit may be a person
 */
export function readHeader(line: Uint8Array, schema: Schema): Header {
  if (!line.length)
    throw new StandinError(
      "files/empty",
      "The table has no header line.",
      `Its first line must name the schema's columns: ${schema.fields.map(({ name }) => name).join(", ")}.`,
    );
  const known = new Set(schema.fields.map(({ name }) => name));
  const headers = candidatesOf(schema.dialect.delimiter).map((delimiter) => ({
    delimiter,
    names: namesIn(line, delimiter),
  }));
  const knownIn = ({ names }: Header) => names.filter((name) => known.has(name)).length;
  const header = headers.reduce((best, other) => (knownIn(other) > knownIn(best) ? other : best));
  checkNames(header.names, schema);
  return header;
}

function namesIn(line: Uint8Array, delimiter: string): string[] {
  const text = new TextDecoder();
  const names: string[] = [];
  const parser = new RowParser(delimiter, {
    cell: (bytes, length) => names.push(text.decode(bytes.subarray(0, length))),
    row() {},
  });
  parser.push(line);
  parser.finish();
  return names;
}

function checkNames(names: readonly string[], schema: Schema): void {
  const { unit } = schema;
  const needed = schema.fields.filter(({ name, role }) => role === "model" || (unit !== "row" && unit.column === name));
  const absent = needed.filter(({ name }) => !names.includes(name)).map(({ name }) => `"${name}"`);
  if (absent.length)
    throw new StandinError(
      "files/missing-column",
      `The table's header has ${names.length} column${names.length === 1 ? "" : "s"} and lacks ${absent.join(", ")} of the schema.`,
      "Check the header line, the delimiter, and the names in the schema.",
    );
  const twice = schema.fields.find(({ name }) => names.indexOf(name) !== names.lastIndexOf(name));
  if (twice)
    throw new StandinError(
      "files/duplicate-column",
      `The table's header has the column "${twice.name}" twice.`,
      "Rename one of them.",
    );
}
