// The entry for Node: everything of index.ts, and tables from paths.
import bytes from "../dist/engine.wasm";
import type { Table } from "./core/table.js";
import { provideModule } from "./engine/wasm.js";
import { type CsvOptions, readCsv as readBytes } from "./files/csv.js";
import { opened, type Source } from "./files/source.js";
import type { Schema } from "./schema/schema.js";

provideModule(() => new WebAssembly.Module(bytes));

export * from "./index.js";

/**
 * Reads a table.
 * @throws {StandinError} `files/…` about the file or its header; never about a record
 * @example
 * const schema = parseSchema({ fields: [{ name: "sex", type: "string", constraints: { enum: ["F", "M"] } }] });
 * const table = await readCsv("people.csv", schema);
 * table.names; // → ["sex"]
 */
export async function readCsv(source: Source, schema: Schema, options: CsvOptions = {}): Promise<Table> {
  return opened(source, options, (bytes, others) => readBytes(bytes, schema, others));
}
