// A slice of a vault's rows in a separate thread, and the channel to it. Rows go into the thread, and counts come back
// to the vault alone.
import { type Answer, type RemoteWorker, startWorkers } from "../core/threads.js";
import type { Attribute } from "../domain/attribute.js";
import { Calls } from "../engine/calls.js";
import { Instance } from "../engine/instance.js";
import { BLOCK_ROWS } from "../engine/layout.js";
import { byCode, cellsOf, type Query } from "../queries/query.js";
import { RowBlocks } from "../queries/row-blocks.js";
import { writeGrouped } from "../queries/struct.js";

/** The message that a thread receives before it gets rows. */
export interface CountingJob {
  readonly kind: "counting";
  readonly attributes: readonly Attribute[];
}

/** A buffer for a block of rows. */
type Rows = Uint16Array<ArrayBuffer>;

/**
 * How many blocks are sent to a thread before the first buffer has come back: enough that the thread does not wait for
 * the next one.
 */
const BLOCKS = 8;

/** The codes of `count` rows to store (one column after the other), queries to count, or the end. */
type Request = { readonly rows: Rows; readonly count: number } | { readonly queries: readonly Query[] } | "wipe";

/** The work of such a thread. Its engine holds rows, and nothing else of the vault. */
export function countsRows({ attributes }: CountingJob): (request: Request) => Answer {
  const engine = new Instance();
  const blocks = new RowBlocks(engine, attributes);
  return (request) => {
    if (request === "wipe") engine.exports.wipe();
    else if ("rows" in request) {
      const { rows, count } = request;
      blocks.append(attributes.map((_, at) => rows.subarray(at * count, (at + 1) * count)));
      rows.fill(0);
      return { message: rows, transfer: [rows.buffer] };
    } else {
      const counts = countsOf(request.queries, blocks);
      return { message: counts, transfer: counts.map(({ buffer }) => buffer) };
    }
    return { message: undefined, transfer: [] };
  };
}

function countsOf(queries: readonly Query[], blocks: RowBlocks): Int32Array<ArrayBuffer>[] {
  const { engine, attributes } = blocks;
  return engine.scratch(() => {
    const calls = new Calls(engine);
    const placed = blocks.place();
    const cells = queries.map((query) => cellsOf(query, attributes));
    const pointers = engine.reserve(cells.map((count) => 4 * count));
    for (const [at, { byCode }] of writeGrouped(engine, queries, attributes).entries())
      blocks.count(calls, byCode, placed, pointers[at]);
    calls.run();
    const counts = pointers.map((pointer, at) => engine.readI32(pointer, cells[at]));
    for (const [at, pointer] of pointers.entries()) engine.exports.clear(pointer, 4 * cells[at]);
    return counts;
  });
}

/** Starts threads that count rows alongside this one, `threads` in total. */
export function startCounting(threads: number, attributes: readonly Attribute[]): RemoteWorker[] {
  if (threads === 1) return [];
  return startWorkers(threads, { kind: "counting", attributes } satisfies CountingJob);
}

/** The vault's end of the channel to a counting thread. */
export class RemoteSlice {
  readonly #worker: RemoteWorker;
  /** The buffers of the blocks sent to the thread, in order. They are reused once the thread has stored their rows. */
  readonly #rooms: Promise<Rows>[] = [];

  constructor(worker: RemoteWorker) {
    this.#worker = worker;
  }

  /**
   * Stores up to BLOCK_ROWS rows, given as one array per column. Waits while the thread is far behind.
   * @throws {StandinError} `engine/thread` where it fails
   */
  async append(columns: readonly Uint16Array[]): Promise<void> {
    const rows =
      this.#rooms.length < BLOCKS
        ? new Uint16Array(BLOCK_ROWS * columns.length)
        : await (this.#rooms.shift() as Promise<Rows>);
    const count = columns[0].length;
    columns.forEach((column, at) => {
      rows.set(column, at * count);
    });
    const room = this.#call({ rows, count }, [rows.buffer]) as Promise<Rows>;
    // A thread that failed earlier has not taken the buffer. It will not answer later requests either.
    room.catch(() => void rows.fill(0));
    this.#rooms.push(room);
  }

  /**
   * The rows in each cell of each query, by code even where the query has groups. For a tree, only the finest level is
   * counted. The caller must overwrite the counts once they are added up.
   */
  async count(queries: readonly Query[]): Promise<Int32Array[]> {
    return (await this.#call({ queries: queries.map(byCode) })) as Int32Array[];
  }

  /** Overwrites the thread's engine with zeros. */
  async wipe(): Promise<void> {
    await this.#call("wipe");
  }

  #call(request: Request, transfer?: readonly ArrayBuffer[]): Promise<unknown> {
    return this.#worker.call(request, transfer);
  }
}
