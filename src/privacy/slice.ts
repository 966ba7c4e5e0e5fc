// A part of a vault's rows in a thread of its own, and the line to it: rows go there, and counts come back to the vault alone.
import { type Answer, type RemoteWorker, startWorkers } from "../core/threads.js";
import { RowBlocks } from "../engine/row-blocks.js";
import { engineModule, Instance } from "../engine/wasm.js";
import { cellsOf, type Query } from "../queries/query.js";
import type { Attribute } from "../schema/schema.js";

/** What a thread is told before it gets rows. */
export interface CountingJob {
  readonly kind: "counting";
  readonly module: WebAssembly.Module;
  readonly attributes: readonly Attribute[];
}

/** What values stand for, rows to take (one array a column), a query to count, or the end. */
type Request =
  | { readonly codes: readonly Uint16Array[] | undefined }
  | { readonly rows: readonly Uint16Array[] }
  | { readonly query: Query }
  | "wipe";

/** What such a thread does. Its engine holds rows and nothing else of the vault. */
export function countsRows({ module, attributes }: CountingJob): (request: Request) => Answer {
  const engine = new Instance(module);
  let blocks: RowBlocks;
  return (request) => {
    if (request === "wipe") engine.exports.wipe();
    else if ("codes" in request) blocks = new RowBlocks(engine, attributes, request.codes);
    else if ("rows" in request) {
      blocks.append(request.rows);
      for (const column of request.rows) column.fill(0);
    } else {
      const counts = countsOf(request.query, blocks);
      return { message: counts, transfer: [counts.buffer] };
    }
    return { message: undefined, transfer: [] };
  };
}

function countsOf(query: Query, blocks: RowBlocks): Int32Array<ArrayBuffer> {
  const { engine, attributes } = blocks;
  const mark = engine.exports.mark();
  const cells = cellsOf(query, attributes);
  const pointer = engine.alloc(4 * cells);
  blocks.count(query, pointer);
  const counts = engine.i32(pointer, cells);
  const copy = counts.slice();
  counts.fill(0);
  engine.exports.rewind(mark);
  return copy;
}

/** Starts threads that count rows beside this one, `threads` in all. */
export function startCounting(threads: number, attributes: readonly Attribute[]): RemoteWorker[] {
  if (threads === 1) return [];
  return startWorkers(threads, { kind: "counting", module: engineModule(), attributes } satisfies CountingJob);
}

/** The vault's end of the line to the threads that count with it. */
export class RemoteSlice {
  readonly #worker: RemoteWorker;

  constructor(worker: RemoteWorker) {
    this.#worker = worker;
  }

  /** Tells what the columns' values stand for, as `RowBlocks` takes it. */
  open(codes: readonly Uint16Array[] | undefined): void {
    this.#tell({ codes });
  }

  /** Takes up to BLOCK_ROWS rows: one array a column. */
  append(columns: readonly Uint16Array[]): void {
    const copies = columns.map((column) => column.slice());
    this.#tell(
      { rows: copies },
      copies.map(({ buffer }) => buffer),
    );
  }

  /** The rows in each cell of the query, by code even where it has groups; of a tree only the finest level is counted. To be overwritten when added up. */
  async count(query: Query): Promise<Int32Array> {
    return (await this.#call({ query: { ...query, groups: undefined } })) as Int32Array;
  }

  /** Overwrites the thread's engine with zeros. */
  async wipe(): Promise<void> {
    await this.#call("wipe");
  }

  /** Waits for no answer: if the thread fails, it gives none to what it is asked later either. */
  #tell(request: Request, transfer?: readonly ArrayBuffer[]): void {
    this.#call(request, transfer).catch(() => {});
  }

  #call(request: Request, transfer?: readonly ArrayBuffer[]): Promise<unknown> {
    return this.#worker.call(request, transfer);
  }
}
