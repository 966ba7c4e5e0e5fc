// The entry for Node: everything of index.ts, and tables from paths.
import { Worker } from "node:worker_threads";
import bytes from "../dist/engine.wasm";
import script from "../dist/worker.txt";
import type { Table } from "./core/table.js";
import { provideThreads } from "./core/threads.js";
import { provideModule } from "./engine/wasm.js";
import { nonPrivateCheck as checkBytes, type TableCheck } from "./files/check.js";
import { type CsvSource, type ReadOptions, readCsv as readBytes } from "./files/csv.js";
import type { CsvOptions } from "./files/feed.js";
import { pathBytes, pathOf } from "./files/path.js";
import { type Proposal, type ProposeOptions, nonPrivateProposal as proposeBytes } from "./schema/propose.js";
import type { Schema } from "./schema/schema.js";

provideModule(() => new WebAssembly.Module(bytes));

// A thread's script is carried along, as a path would not survive bundling; and how this process was started is nothing to it.
provideThreads((hear, fail) => {
  const worker = new Worker(script, { eval: true, execArgv: [], name: "standin" });
  worker.on("message", hear).on("error", fail).on("exit", fail);
  return {
    post: (message, transfer) => worker.postMessage(message, transfer),
    await: (isAwaited) => (isAwaited ? worker.ref() : worker.unref()),
    end: () => void worker.terminate(),
  };
});

export * from "./index.js";

/** A path or file URL (unpacked where it ends in `.gz`), or the bytes: a Blob, a stream, or any async iterable. */
type Source = string | URL | CsvSource;

/**
 * Reads a table.
 * @throws {StandinError} `files/…` about the file or its header; never about a record
 * @example
 * const schema = parseSchema({ fields: [{ name: "sex", type: "string", constraints: { enum: ["F", "M"] } }] });
 * const table = await readCsv("people.csv", schema);
 * table.names; // → ["sex"]
 */
export async function readCsv(source: Source, schema: Schema, options: ReadOptions = {}): Promise<Table> {
  return opened(source, options, (bytes, others) => readBytes(bytes, schema, others));
}

/**
 * Counts what reading a table with a schema would change. NOT PRIVATE: exact counts from the real rows, for their owner alone.
 * @throws {StandinError} as `readCsv`
 * @example
 * const schema = parseSchema({ fields: [{ name: "sex", type: "string", constraints: { enum: ["F", "M"] } }] });
 * const { columns } = await nonPrivateCheck("people.csv", schema);
 * columns[0].unlisted; // → 0
 */
export async function nonPrivateCheck(source: Source, schema: Schema, options: CsvOptions = {}): Promise<TableCheck> {
  return opened(source, options, (bytes, others) => checkBytes(bytes, schema, others));
}

/**
 * Proposes a schema for a table, each fact marked as read from its rows. NOT PRIVATE: for the table's owner alone, until
 * `confirmFacts` declares what is known independently.
 * @throws {StandinError} `files/…` about the file or its header; `schema/dialect`
 * @example
 * const { descriptor, readFacts } = await nonPrivateProposal("people.csv");
 * readFacts.includes("sex: enum"); // → true
 * const schema = parseSchema(confirmFacts(descriptor, ["sex"]));
 * schema.readFacts.includes("sex: enum"); // → false
 */
export async function nonPrivateProposal(source: Source, options: ProposeOptions = {}): Promise<Proposal> {
  return opened(source, options, proposeBytes);
}

/** Does something with a source's bytes; those of a path tell how far they are themselves. */
function opened<Options extends CsvOptions, Result>(
  source: Source,
  options: Options,
  use: (bytes: CsvSource, options: Options) => Promise<Result>,
): Promise<Result> {
  if (typeof source !== "string" && !(source instanceof URL)) return use(source, options);
  const bytes = pathBytes(pathOf(source), (percent) => options.onProgress?.({ phase: "read", percent }));
  return use(bytes, { ...options, onProgress: undefined });
}
