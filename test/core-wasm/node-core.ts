// A host of standin-core.wasm in Node, as a host in any language would be written: it gives the core its verbs, and
// sends it requests.
import { webcrypto } from "node:crypto";

export interface Answer {
  /** `{ value }` or `{ error }`. */
  readonly json: { readonly value?: unknown; readonly error?: { code: string; message: string; hint?: string } };
  readonly parts: readonly Uint8Array[];
}

/** Bytes in the memory of an instance of the engine. */
export interface Place {
  readonly instance: number;
  readonly pointer: number;
  readonly bytes: number;
}

interface CoreExports {
  readonly memory: WebAssembly.Memory;
  _initialize(): void;
  core_start(): number;
  core_alloc(bytes: number): number;
  core_free(pointer: number): void;
  core_request(pointer: number, length: number): number;
  core_answer_length(): number;
}

interface EngineInstance {
  readonly memory: WebAssembly.Memory;
  readonly exports: Record<string, (...values: (number | bigint)[]) => number | bigint | undefined>;
}

export class NodeCore {
  readonly #core: CoreExports;
  readonly #engines = new Map<number, EngineInstance>();
  #made = 0;
  /** What the caller says when the core lets it breathe, and tells it what has happened last: not 0 cancels. */
  breathe: (progress: unknown) => number = () => 0;

  /** @param types the types of the engine's exports, one letter for the result and one for each argument */
  constructor(
    core: WebAssembly.Module,
    readonly engine: WebAssembly.Module,
    readonly types: Record<string, string>,
  ) {
    const standin = {
      instance: () => this.#open(),
      drop: (instance: number) => void this.#engines.delete(instance),
      call: (instance: number, name: number, length: number, slots: number, count: number, result: number) =>
        this.#call(instance, Buffer.from(this.#bytes(name, length)).toString(), slots, count, result),
      read: (instance: number, pointer: number, into: number, length: number) =>
        this.#bytes(into, length).set(this.#engineBytes(instance, pointer, length)),
      write: (instance: number, pointer: number, from: number, length: number) =>
        this.#engineBytes(instance, pointer, length).set(this.#bytes(from, length)),
      copy: (instance: number, pointer: number, other: number, from: number, length: number) =>
        this.#engineBytes(instance, pointer, length).set(this.#engineBytes(other, from, length)),
      fill_key: (instance: number, pointer: number, length: number) => {
        webcrypto.getRandomValues(this.#engineBytes(instance, pointer, length));
        return 0;
      },
      breathe: (progress: number, length: number) =>
        this.breathe(length ? JSON.parse(Buffer.from(this.#bytes(progress, length)).toString()) : undefined),
      now: () => performance.now(),
    };
    this.#core = new WebAssembly.Instance(core, { standin }).exports as unknown as CoreExports;
    this.#core._initialize();
    if (this.#core.core_start()) throw new Error("The core does not start.");
  }

  /** Bytes of the core's memory in use or reserved. */
  get memory(): number {
    return this.#core.memory.buffer.byteLength;
  }

  /** All of the core's memory. */
  bytes(): Uint8Array {
    return new Uint8Array(this.#core.memory.buffer);
  }

  /** How many instances of the engine the core has not dropped. */
  get instances(): number {
    return this.#engines.size;
  }

  /** Bytes of all their memories. */
  get engineMemory(): number {
    return [...this.#engines.values()].reduce((sum, { memory }) => sum + memory.buffer.byteLength, 0);
  }

  /** Bytes of an instance of the engine, as a view that is valid until it is called again. */
  bytesAt({ instance, pointer, bytes }: Place): Uint8Array {
    return this.#engineBytes(instance, pointer, bytes);
  }

  /** @returns the answer, or `undefined` where the core failed */
  request(json: unknown, ...parts: Uint8Array[]): Answer | undefined {
    return this.send(packed([Buffer.from(JSON.stringify(json)), ...parts]));
  }

  /** Sends the bytes of a request as they are. */
  send(message: Uint8Array): Answer | undefined {
    const pointer = this.#core.core_alloc(message.length) >>> 0;
    this.#bytes(pointer, message.length).set(message);
    const answer = this.#core.core_request(pointer, message.length) >>> 0;
    if (!answer) return undefined;
    const [text, ...made] = unpacked(this.#bytes(answer, this.#core.core_answer_length()));
    this.#core.core_free(answer);
    return { json: JSON.parse(Buffer.from(text).toString()), parts: made };
  }

  #open(): number {
    const exports = new WebAssembly.Instance(this.engine).exports as unknown as EngineInstance["exports"];
    this.#engines.set(++this.#made, { exports, memory: exports.memory as unknown as WebAssembly.Memory });
    return this.#made;
  }

  #call(instance: number, name: string, slots: number, count: number, result: number): number {
    const [returned, ...taken] = this.types[name];
    const core = new DataView(this.#core.memory.buffer);
    const values = Array.from({ length: count }, (_, index) => {
      const slot = (slots >>> 0) + 8 * index;
      if (taken[index] === "i") return core.getInt32(slot, true);
      return taken[index] === "j" ? core.getBigInt64(slot, true) : core.getFloat64(slot, true);
    });
    let value: number | bigint | undefined;
    try {
      value = this.#engines.get(instance)!.exports[name](...values);
    } catch {
      return 1;
    }
    if (returned === "i") core.setInt32(result >>> 0, value as number, true);
    else if (returned === "j") core.setBigInt64(result >>> 0, value as bigint, true);
    else if (returned === "d") core.setFloat64(result >>> 0, value as number, true);
    return 0;
  }

  #bytes(pointer: number, length: number): Uint8Array {
    return new Uint8Array(this.#core.memory.buffer, pointer >>> 0, length >>> 0);
  }

  #engineBytes(instance: number, pointer: number, length: number): Uint8Array {
    return new Uint8Array(this.#engines.get(instance)!.memory.buffer, pointer >>> 0, length >>> 0);
  }
}

/** A message: the number of its parts and their lengths (u32, little-endian), then the parts. */
function packed(parts: readonly Uint8Array[]): Uint8Array {
  const head = Buffer.alloc(4 + 4 * parts.length);
  for (const [index, number] of [parts.length, ...parts.map(({ length }) => length)].entries())
    head.writeUInt32LE(number, 4 * index);
  return Buffer.concat([head, ...parts]);
}

function unpacked(message: Uint8Array): Uint8Array[] {
  const bytes = Buffer.from(message);
  let at = 4 + 4 * bytes.readUInt32LE(0);
  return Array.from({ length: bytes.readUInt32LE(0) }, (_, part) => {
    const end = at + bytes.readUInt32LE(4 + 4 * part);
    const piece = bytes.subarray(at, end);
    at = end;
    return piece;
  });
}
