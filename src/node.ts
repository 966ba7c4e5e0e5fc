// The entry for Node: everything of index.ts, and tables from paths.
import bytes from "../dist/engine.wasm";
import type { Table } from "./core/table.js";
import { provideModule } from "./engine/wasm.js";
import { type CsvOptions, type CsvSource, readCsv as readBytes } from "./files/csv.js";
import { pathBytes, pathOf } from "./files/path.js";
import type { Schema } from "./schema/schema.js";

provideModule(() => new WebAssembly.Module(bytes));

export * from "./index.js";

/**
 * Reads a table.
 * @param source a path or file URL (unpacked where it ends in `.gz`), or the bytes: a Blob, a stream, or any async iterable
 * @throws {StandinError} `files/…` about the file or its header; never about a record
 */
export async function readCsv(
  source: string | URL | CsvSource,
  schema: Schema,
  options: CsvOptions = {},
): Promise<Table> {
  if (typeof source !== "string" && !(source instanceof URL)) return readBytes(source, schema, options);
  const { onProgress, ...others } = options;
  const file = pathBytes(pathOf(source), (percent) => onProgress?.({ phase: "read", percent }));
  return readBytes(file, schema, others);
}
