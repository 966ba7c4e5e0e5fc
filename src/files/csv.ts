// Tables from and to delimited text.
import { expectArgument } from "../core/arguments.js";
import type { Table } from "../core/table.js";
import { checkThreads } from "../core/threads.js";
import { utf8 } from "../core/utf8.js";
import { expectSchema, type Schema } from "../schema/schema.js";
import { asUtf8, type CsvSource, encodingOf, unmarked } from "./bytes.js";
import { type ByteReader, type CsvOptions, feed, feedAtOnce } from "./feed.js";
import { Pieces } from "./pieces.js";
import type { RecordReader } from "./reader.js";
import { StoreReader } from "./store-reader.js";
import { TableStore } from "./table-store.js";

export type { CsvSource } from "./bytes.js";
export type { CsvOptions } from "./feed.js";
export { csvStream, toCsv } from "./writer.js";

/** Options of reading a table. */
export interface ReadOptions extends CsvOptions {
  /**
   * How many threads read, 1 … 64 (default 1). The table is the same for any number. If no others start, one thread
   * does all the work and says so.
   */
  threads?: number;
}

/**
 * Reads a table in the dialect that the schema states. Its columns are those of the header, in the header's order, that
 * the schema models or that are ids. Every record can be read; none is an error.
 * @param source bytes of delimited text, possibly gzipped
 * @throws {StandinError} `files/empty`, `files/header-quote`, `files/missing-column` or `files/duplicate-column` for
 *   the header, before any record is looked at; `files/unreadable` if the source itself fails; `files/memory`;
 *   `options/threads`
 * @example
 * const schema = parseSchema({ fields: [{ name: "sex", type: "string", constraints: { enum: ["F", "M"] } }] });
 * const table = await readCsv(new Blob(["sex,note\nF,a\nM,b\n,c\n"]), schema);
 * table.column("sex"); // → ["F", "M", null]
 */
export async function readCsv(source: CsvSource, schema: Schema, options: ReadOptions = {}): Promise<Table> {
  const threads = checkThreads(options.threads);
  expectSchema(schema);
  const encoding = encodingOf(schema);
  const from = (reader: ByteReader<Table | Promise<Table>>) =>
    feed(source, (chunks) => asUtf8(chunks, encoding), reader, options);
  if (threads === 1) return from(new StoreReader(schema));
  const reader = new ThreadedReader(schema, threads);
  try {
    return await from(reader);
  } finally {
    reader.close();
  }
}

/**
 * Reads a table from a text, in one go. Otherwise like `readCsv`.
 * @throws {StandinError} as `readCsv`
 * @example
 * const schema = parseSchema({ fields: [{ name: "sex", type: "string", constraints: { enum: ["F", "M"] } }] });
 * const table = parseCsv("sex\nF\nM\nunlisted\n", schema);
 * table.column("sex"); // → ["F", "M", null]
 */
export function parseCsv(text: string, schema: Schema): Table {
  expectSchema(schema);
  expectArgument(typeof text === "string", "the text of a table", "To read bytes or a file, use readCsv.");
  return feedAtOnce(unmarked(utf8(text)), new StoreReader(schema));
}

/** Reads a table in several threads. */
class ThreadedReader implements ByteReader<Promise<Table>> {
  readonly #store: TableStore;
  readonly #records: RecordReader<Pieces>;

  constructor(schema: Schema, threads: number) {
    this.#store = new TableStore(schema);
    this.#records = this.#store.records((header) => new Pieces(this.#store.begin(header), schema, header, threads));
  }

  push(bytes: Uint8Array): void | Promise<void> {
    return this.#records.push(bytes);
  }

  async end(): Promise<Table> {
    this.#records.end();
    await this.#records.records!.finished();
    return this.#store.table();
  }

  /** Releases its threads. */
  close(): void {
    this.#records.records?.close();
  }
}
