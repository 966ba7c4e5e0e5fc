import type { Table } from "../core/table.js";
import type { Instance } from "../engine/instance.js";
import { LONGEST_CELL } from "../engine/layout.js";
import { expectSchema, type Schema } from "../schema/schema.js";
import type { RecordReader } from "./reader.js";
import type { TableReader } from "./table-reader.js";
import { TableStore } from "./table-store.js";

/** Bytes that are taken at a time before the header is complete. */
const HEAD = 65_536;

/**
 * Reads a table whose host writes the bytes of the file into the engine: UTF-8 without a byte order mark. Of these, the
 * core sees the lines to skip and the header, and no record.
 */
export class StoredReader {
  readonly #store: TableStore;
  readonly #records: RecordReader;
  /** Takes the records, once the header is complete. */
  #reader: TableReader | undefined;
  #head = 0;

  constructor(schema: Schema) {
    expectSchema(schema);
    this.#store = new TableStore(schema);
    this.#records = this.#store.records((header) => {
      this.#reader = this.#store.begin(header);
      return this.#reader;
    });
  }

  get engine(): Instance {
    return this.#store.engine;
  }

  /**
   * Where to write the next bytes, which `took` then reads.
   * @param wanted how many the host has
   * @returns the place, and how many it may write there: at least 1
   * @throws {StandinError} `files/memory`
   */
  room(wanted: number): { readonly pointer: number; readonly bytes: number } {
    if (this.#reader) {
      const bytes = Math.min(wanted, LONGEST_CELL);
      return { pointer: this.#reader.room(bytes), bytes };
    }
    this.#head ||= this.engine.alloc(HEAD);
    return { pointer: this.#head, bytes: Math.min(wanted, HEAD) };
  }

  /** Reads bytes that were written into the room. @throws {StandinError} as `readCsv` */
  took(bytes: number): void {
    if (this.#reader) {
      this.#reader.took(bytes);
      return;
    }
    const { engine } = this;
    const end = this.#head + bytes;
    let at = this.#head;
    while (!this.#reader && at < end) {
      const next = engine.exports.lineEnd(at, end) >>> 0;
      void this.#records.push(engine.readU8(at, next - at));
      at = next;
    }
    const reader = this.#reader as TableReader | undefined;
    if (reader && at < end) {
      engine.exports.copy(at, reader.room(end - at), end - at);
      reader.took(end - at);
    }
  }

  /** Overwrites the rows with zeros, and gives the engine back. The table cannot be used any more. */
  close(): void {
    this.#store.wipe();
  }

  /** The table. @throws {StandinError} as `readCsv` */
  end(): Table {
    this.#records.end();
    return this.#store.table();
  }
}
