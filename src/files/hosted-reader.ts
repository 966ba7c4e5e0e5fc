import type { Instance } from "../engine/instance.js";
import { LONGEST_CELL } from "../engine/layout.js";
import type { ByteReader } from "./feed.js";
import { HostedDecoder } from "./hosted-decoder.js";
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

/**
 * Reads a table whose host writes the bytes of the file into the engine. Of these, only the lines to skip and the
 * header are copied out, and for a reader whose encoding is to be detected, what decides it.
 */
export class HostedReader<Result> {
  readonly #reader: EngineReader<Result>;
  readonly #decoder: HostedDecoder;
  /** The bytes that the host may write. */
  #room = 0;

  /**
   * @param encoding the one that counts if there is no mark, under its usual name; or, to detect it, what receives it
   *   if it is not UTF-8
   */
  constructor(reader: EngineReader<Result>, encoding: string | ((name: string) => void)) {
    this.#reader = reader;
    this.#decoder = new HostedDecoder(reader.engine, encoding, (from, bytes) => this.#take(from, bytes));
  }

  /**
   * Where to write the next bytes, which `took` then reads.
   * @param wanted how many the host has
   * @returns the engine's number, the place, and how many bytes the host may write there: at least 1
   * @throws {StandinError} `files/memory`
   */
  room(wanted: number): { readonly instance: number; readonly pointer: number; readonly bytes: number } {
    const records = this.#direct();
    const most = Math.max(1, wanted);
    const bytes = Math.min(most, LONGEST_CELL);
    const place = records ? { pointer: records.room(bytes), bytes } : this.#decoder.room(most);
    this.#room = place.bytes;
    return { instance: this.#reader.engine.number, ...place };
  }

  /**
   * Reads bytes that were written into the room.
   * @throws {StandinError} the reader's own; `host/encoding`
   * @throws RangeError where there are more of them than the room has
   */
  took(bytes: number): void {
    if (bytes > this.#room) throw new RangeError();
    this.#room = 0;
    (this.#direct() ?? this.#decoder).took(bytes);
  }

  /** What was read. @throws {StandinError} as in `took` */
  end(): Result {
    this.#decoder.end();
    return this.#reader.end();
  }

  close(): void {
    this.#reader.close();
  }

  /** What takes the file's bytes as they are: the records, if they are in UTF-8. */
  #direct(): EngineBytes | undefined {
    return this.#decoder.encoding === "utf-8" ? this.#reader.records : undefined;
  }

  /** Takes a part of the text. Its lines are copied out until the records begin. */
  #take(from: number, bytes: number): void {
    const { engine } = this.#reader;
    const end = from + bytes;
    let at = from;
    while (!this.#reader.records && at < end) {
      const next = engine.exports.lineEnd(at, end) >>> 0;
      this.#reader.push(engine.readU8(at, next - at));
      at = next;
    }
    if (at < end) moveInto(engine, this.#reader.records!, at, end - at);
  }
}

/** Passes bytes that are in the memory of an engine to a reader there. */
export function moveInto(engine: Instance, reader: EngineBytes, from: number, bytes: number): void {
  engine.exports.copy(from, reader.room(bytes), bytes);
  reader.took(bytes);
}
