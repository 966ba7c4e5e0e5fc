import { StandinError } from "../core/errors.js";
import type { OnProgress } from "../core/progress.js";
import type { Table } from "../core/table.js";
import type { Schema } from "../schema/schema.js";
import { utf8From } from "./encoding.js";
import { HeaderLines, readHeader } from "./header.js";
import { LF, QUOTE, RowParser } from "./parser.js";
import { Records } from "./records.js";

/** Where a table's bytes come from. */
export type CsvSource = Blob | ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>;

export interface CsvOptions {
  onProgress?: OnProgress;
  signal?: AbortSignal;
}

/**
 * Reads a table of separated values, in the dialect that the schema states (delimiter, encoding, lines to skip). Every record has a rule and
 * none an error; a header column that the schema does not know is left out.
 * @throws {StandinError} `files/empty`, `files/missing-column`, `files/duplicate-column` before the first record;
 * `files/unreadable` where the bytes end in a fault of their source
 */
export async function readCsv(source: CsvSource, schema: Schema, options: CsvOptions = {}): Promise<Table> {
  const { onProgress, signal } = options;
  const size = source instanceof Blob ? source.size : undefined;
  const reader = new CsvReader(schema);
  const bytes = source instanceof Blob ? source.stream() : source;
  let taken = 0;
  for await (const chunk of utf8From(chunksOf(bytes), schema.dialect.encoding)) {
    signal?.throwIfAborted();
    reader.push(chunk);
    taken += chunk.length;
    onProgress?.({ phase: "read", percent: size && Math.min(100, (100 * taken) / size) });
  }
  return reader.table();
}

/** Reads a table from text. @throws {StandinError} as `readCsv` */
export function parseCsv(text: string, schema: Schema): Table {
  const reader = new CsvReader(schema);
  reader.push(new TextEncoder().encode(text.replace(/^\ufeff/, "")));
  return reader.table();
}

/** A table as bytes of separated values, UTF-8, in pieces of about 64 KiB. */
export function csvStream(table: Table): ReadableStream<Uint8Array> {
  const pieces = csvPieces(table);
  const encoder = new TextEncoder();
  return new ReadableStream({
    pull(controller) {
      const { value, done } = pieces.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
  });
}

/** A table as text of separated values: for small tables. */
export function toCsv(table: Table): string {
  return [...csvPieces(table)].join("");
}

/** Feeds bytes to the header, then to the records. */
class CsvReader {
  readonly #schema: Schema;
  readonly #lines: HeaderLines;
  #records: Records | undefined;
  #parser: RowParser | undefined;
  #skipFeed = false;

  constructor(schema: Schema) {
    this.#schema = schema;
    this.#lines = new HeaderLines(schema);
  }

  push(chunk: Uint8Array): void {
    let rest = chunk;
    if (!this.#parser) {
      const { taken, complete } = this.#lines.push(chunk);
      if (!complete) return;
      this.#skipFeed = this.#lines.endedInReturn;
      rest = chunk.subarray(taken);
      this.#open();
    }
    if (this.#skipFeed && rest.length) {
      if (rest[0] === LF) rest = rest.subarray(1);
      this.#skipFeed = false;
    }
    this.#parser!.push(rest);
  }

  table(): Table {
    if (!this.#parser) this.#open();
    this.#parser!.finish();
    return this.#records!.table();
  }

  #open(): void {
    const header = readHeader(this.#lines.bytes, this.#schema);
    this.#records = new Records(this.#schema, header);
    this.#parser = new RowParser(header.delimiter, this.#records);
  }
}

/** The source's chunks; a fault of its own becomes one fixed error, since its words could hold a cell. */
async function* chunksOf(source: AsyncIterable<Uint8Array> | ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* source as AsyncIterable<Uint8Array>;
  } catch (error) {
    if (error instanceof StandinError || (error as Error | undefined)?.name === "AbortError") throw error;
    throw new StandinError(
      "files/unreadable",
      "The table's bytes could not be read to their end.",
      "Check the file or the stream.",
    );
  }
}

const PIECE = 1 << 16;

function* csvPieces(table: Table): Generator<string> {
  const { columns, delimiter } = table;
  const special = new RegExp(`[${QUOTE}\\r\\n${delimiter === "\t" ? "\\t" : `\\${delimiter}`}]`);
  const quoted = (text: string) =>
    special.test(text) || (text === "" && columns.length === 1)
      ? QUOTE + text.replaceAll(QUOTE, QUOTE + QUOTE) + QUOTE
      : text;
  let piece = `${table.names.map(quoted).join(delimiter)}\n`;
  for (let row = 0; row < table.length; row++) {
    for (let at = 0; at < columns.length; at++) {
      const { codes, codec } = columns[at];
      piece += (at ? delimiter : "") + quoted(codec.text(codes[row]));
    }
    piece += "\n";
    if (piece.length >= PIECE) {
      yield piece;
      piece = "";
    }
  }
  if (piece) yield piece;
}
