// The entry for Node: everything in index.ts, and tables from paths.
import { Worker } from "node:worker_threads";
import bytes from "../dist/engine.wasm";
import { threadScript } from "../dist/shared/parts.js";
import { provideHost } from "./core/host.js";
import type { Table } from "./core/table.js";
import { provideThreads } from "./core/threads.js";
import { wasmHost } from "./engine/wasm-host.js";
import { type ReadOptions, readCsv as readBytes } from "./files/csv.js";
import { opened, type Source } from "./files/source.js";
import type { Schema } from "./schema/schema.js";

const host = wasmHost(
  () => new WebAssembly.Module(bytes),
  async () => (await import("./gpu/node.js")).openGpu(),
);
provideHost(host);

/** What a thread's script knows its end of the connection by. */
const PORT = 'require("node:worker_threads").parentPort';

// From a text, because a path would not survive bundling. The flags that this process was started with do not apply.
provideThreads((hear, fail) => {
  const worker = new Worker(threadScript(PORT), { eval: true, execArgv: [], name: "standin" });
  worker.postMessage({ engine: host.module() });
  worker.on("message", hear).on("error", fail).on("exit", fail);
  return {
    post: (message, transfer) => worker.postMessage(message, transfer),
    await: (isAwaited) => (isAwaited ? worker.ref() : worker.unref()),
    end: () => void worker.terminate(),
  };
});

export * from "./index.js";

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
