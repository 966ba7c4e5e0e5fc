import type { Instance } from "../engine/instance.js";
import { LONGEST_CELL } from "../engine/layout.js";
import type { ByteReader } from "./feed.js";
import type { EngineBytes } from "./reader.js";

/** Reads the bytes of a table in an engine. */
export interface EngineReader<Result> extends ByteReader<Result> {
  readonly engine: Instance;
  /** What takes the records, which nobody else needs to see, once the header is complete. */
  readonly records: EngineBytes | undefined;
  push(bytes: Uint8Array): void;
  /** Overwrites what it has read with zeros, and gives the engine back. */
  close(): void;
}

/** Bytes that are taken at a time before the header is complete. */
const HEAD = 65_536;

/**
 * Reads a table whose host writes the bytes of the file into the engine: UTF-8 without a byte order mark. Of these,
 * only the lines to skip and the header are copied out.
 */
export class HostedReader<Result> {
  readonly #reader: EngineReader<Result>;
  readonly #head: number;

  constructor(reader: EngineReader<Result>) {
    this.#reader = reader;
    this.#head = reader.engine.alloc(HEAD);
  }

  /**
   * Where to write the next bytes, which `took` then reads.
   * @param wanted how many the host has
   * @returns the engine's number, the place, and how many bytes the host may write there: at least 1
   * @throws {StandinError} `files/memory`
   */
  room(wanted: number): { readonly instance: number; readonly pointer: number; readonly bytes: number } {
    const { engine, records } = this.#reader;
    const bytes = Math.min(wanted, records ? LONGEST_CELL : HEAD);
    return { instance: engine.number, pointer: records ? records.room(bytes) : this.#head, bytes };
  }

  /** Reads bytes that were written into the room. @throws {StandinError} the reader's own */
  took(bytes: number): void {
    const { engine, records } = this.#reader;
    if (records) records.took(bytes);
    else {
      const end = this.#head + bytes;
      const at = this.#takeLines(this.#head, end);
      if (at < end) moveInto(engine, this.#reader.records!, at, end - at);
    }
  }

  /** What was read. @throws {StandinError} the reader's own */
  end(): Result {
    return this.#reader.end();
  }

  close(): void {
    this.#reader.close();
  }

  /** Copies lines out until the records begin. Returns where that is. */
  #takeLines(from: number, end: number): number {
    const { engine } = this.#reader;
    let at = from;
    while (!this.#reader.records && at < end) {
      const next = engine.exports.lineEnd(at, end) >>> 0;
      this.#reader.push(engine.readU8(at, next - at));
      at = next;
    }
    return at;
  }
}

/** Passes bytes that are in the memory of an engine to a reader there. */
export function moveInto(engine: Instance, reader: EngineBytes, from: number, bytes: number): void {
  engine.exports.copy(from, reader.room(bytes), bytes);
  reader.took(bytes);
}
