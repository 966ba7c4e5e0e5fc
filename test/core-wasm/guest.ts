// What a binding does with a core: requests, and tables that go through the engine's memory.
import type { ArrayColumn } from "../../src/files/column-writer.js";
import { arraysOf, type Cell, cellsIn } from "../arrays.js";
import type { GivenColumn } from "../files/columns.js";
import type { NodeCore, Place } from "./node-core.js";

/** What leaves a run on its way. */
export interface RunEvent {
  readonly event: string;
  readonly text: string;
}

/** A request, with the members of its kind. */
type AnyRequest = { readonly request: string } & Readonly<Record<string, unknown>>;

const PARTS = ["values", "offsets", "texts", "validity"] as const;

export class Guest {
  constructor(readonly core: NodeCore) {}

  /** The value of an answer. @throws the error that it has instead */
  // biome-ignore lint/suspicious/noExplicitAny: each kind of request has values of its own
  ask(json: AnyRequest, ...parts: Uint8Array[]): any {
    const { value, error } = this.core.request(json, ...parts)!.json;
    if (error) throw new Error(`${error.code}: ${error.message}`);
    return value;
  }

  /** The code of the error that answers a request. */
  refusal(json: AnyRequest): string | undefined {
    return this.core.request(json)!.json.error?.code;
  }

  /** Reads a table in pieces of this many bytes. Returns its number. */
  table(schema: number, text: string, piece: number): number {
    const reader = this.reader({ request: "read", schema }, Buffer.from(text), piece);
    return this.ask({ request: "table", reader }).table;
  }

  /** Begins a reader, and lets it read a file in pieces of this many bytes. Returns its number. */
  reader(begin: AnyRequest, bytes: Uint8Array, piece: number): number {
    const { reader } = this.ask(begin);
    this.pass(reader, bytes, piece);
    return reader;
  }

  /** Lets a reader read bytes, in pieces of this many. */
  pass(reader: number, bytes: Uint8Array, piece: number): void {
    for (let at = 0; at < bytes.length; ) {
      const room: Place = this.ask({ request: "room", reader, bytes: Math.min(piece, bytes.length - at) });
      this.core.bytesAt(room).set(bytes.subarray(at, at + room.bytes));
      this.ask({ request: "took", reader, bytes: room.bytes });
      at += room.bytes;
    }
  }

  /** What a reader of a file ends in. */
  // biome-ignore lint/suspicious/noExplicitAny: each kind of reader has values of its own
  end(begin: AnyRequest, bytes: Uint8Array, piece: number, end: string): any {
    return this.ask({ request: end, reader: this.reader(begin, bytes, piece) });
  }

  /** What comes of requests: the value, or the code of the error. */
  outcome<Value>(job: () => Value): Value | string {
    try {
      return job();
    } catch (error) {
      return (error as Error).message.split(":")[0];
    }
  }

  /** Reads a table of columns in batches of so many rows. Returns its number. */
  tableOf(schema: number, given: readonly GivenColumn[], batch: number): number {
    const columns = given.map(({ name, type }) => ({ name, type }));
    const { reader } = this.ask({ request: "read", schema, columns });
    for (let from = 0; from < given[0].cells.length; from += batch) this.batch(reader, given, from, from + batch);
    return this.ask({ request: "table", reader }).table;
  }

  /** Passes a batch of rows to a reader of columns. */
  batch(reader: number, given: readonly GivenColumn[], from: number, to: number): void {
    const arrays = given.map(({ type, cells }) =>
      type === "none" ? undefined : arraysOf(type, cells.slice(from, to)),
    );
    const { instance, columns } = this.ask({
      request: "batch",
      reader,
      rows: Math.min(to, given[0].cells.length) - from,
      bytes: arrays.map((array) => array?.texts.length ?? 0),
      entries: arrays.map((array) => array?.entries ?? 0),
    });
    for (const [at, array] of arrays.entries())
      for (const part of PARTS) {
        const bytes = array?.[part] ?? new Uint8Array();
        if (bytes.length) this.core.bytesAt({ instance, pointer: columns[at][part], bytes: bytes.length }).set(bytes);
      }
    this.ask({ request: "coded", reader });
  }

  /** The columns of a table, in parts of so many rows. */
  columns(table: number, part: number): GivenColumn[] {
    const { writer, columns } = this.ask({ request: "columns", table });
    const made = columns.map(({ name, type, labels }: ArrayColumn, place: number) => {
      const cells: Cell[] = [];
      for (let from = 0; ; from += part) {
        const found = this.ask({ request: "column", writer, place, from, rows: part });
        if (!found.rows) return { name, type, cells };
        const lengths = {
          values: found.rows * { dictionary: 4, i64: 8, f64: 8, moment: 8, text: 0 }[type],
          offsets: type === "text" ? 4 * (found.rows + 1) : 0,
          texts: found.bytes,
          validity: Math.ceil(found.rows / 8),
        };
        const [values, offsets, texts, validity] = PARTS.map((array) =>
          this.core.bytesAt({ instance: found.instance, pointer: found[array], bytes: lengths[array] }),
        );
        cells.push(...cellsIn(type, found.rows, { values, offsets, texts, validity }, labels));
      }
    });
    this.ask({ request: "drop", object: writer });
    return made;
  }

  /** The next event of a run. */
  event(run: number): RunEvent {
    const { json, parts } = this.core.request({ request: "next", run })!;
    if (json.error) throw new Error(json.error.message);
    return { event: (json.value as RunEvent).event, text: Buffer.from(parts[0]).toString() };
  }

  /** All events of a run. */
  events(run: number): RunEvent[] {
    const events = [this.event(run)];
    while (events.at(-1)!.event !== "measured") events.push(this.event(run));
    return events;
  }

  /** A table as text. */
  written(table: number): string {
    const { writer } = this.ask({ request: "write", table });
    let text = "";
    for (;;) {
      const chunk: Place = this.ask({ request: "chunk", writer });
      if (!chunk.bytes) return text;
      text += Buffer.from(this.core.bytesAt(chunk)).toString();
    }
  }
}
