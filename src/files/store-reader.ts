import type { Table } from "../core/table.js";
import type { Instance } from "../engine/instance.js";
import type { Schema } from "../schema/schema.js";
import type { EngineReader } from "./hosted-reader.js";
import type { RecordReader } from "./reader.js";
import type { TableReader } from "./table-reader.js";
import { TableStore } from "./table-store.js";

/** Reads a table, in one thread. */
export class StoreReader implements EngineReader<Table> {
  readonly #store: TableStore;
  readonly #records: RecordReader<TableReader>;

  constructor(schema: Schema) {
    this.#store = new TableStore(schema);
    this.#records = this.#store.records((header) => this.#store.begin(header));
  }

  get engine(): Instance {
    return this.#store.engine;
  }

  get records(): TableReader | undefined {
    return this.#records.records;
  }

  push(bytes: Uint8Array): void {
    void this.#records.push(bytes);
  }

  /** The table. @throws {StandinError} as in `checkHeader`; `files/memory` */
  end(): Table {
    this.#records.end();
    return this.#store.table();
  }

  close(): void {
    this.#store.wipe();
  }
}
