// What a binding does with a core: requests, and tables that go through the engine's memory.
import type { NodeCore, Place } from "./node-core.js";

/** What leaves a run on its way. */
export interface RunEvent {
  readonly event: string;
  readonly text: string;
}

/** A request, with the members of its kind. */
type AnyRequest = { readonly request: string } & Readonly<Record<string, unknown>>;

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
    for (let at = 0; at < bytes.length; ) {
      const room: Place = this.ask({ request: "room", reader, bytes: Math.min(piece, bytes.length - at) });
      this.core.bytesAt(room).set(bytes.subarray(at, at + room.bytes));
      this.ask({ request: "took", reader, bytes: room.bytes });
      at += room.bytes;
    }
    return reader;
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
