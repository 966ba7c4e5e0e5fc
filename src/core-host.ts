// The host of the core that other languages run (core/main.c), and how it answers their requests.
import { StandinError } from "./core/errors.js";
import { type HostInstance, provideHost } from "./core/host.js";
import type { Progress, Watcher } from "./core/progress.js";
import { usualEncoding } from "./requests/encodings.js";
import type { Given, Handler, Part } from "./requests/message.js";

/** What main.c gives scripts. Instances are numbers, at least 1. */
interface Verbs {
  /** 0 where the host can make none. */
  instance(): number;
  drop(instance: number): void;
  /** @param types one letter for the result, then one for each value (ENGINE_TYPES) */
  call(instance: number, name: string, types: string, ...values: (number | bigint)[]): number | bigint | undefined;
  read(instance: number, pointer: number, into: Uint8Array): void;
  write(instance: number, pointer: number, bytes: Uint8Array): void;
  copy(instance: number, pointer: number, other: number, from: number, length: number): void;
  fillKey(instance: number, pointer: number, length: number): void;
  /**
   * Whether the caller has cancelled.
   * @param progress JSON for the caller, empty if there is none
   */
  breathe(progress: string): boolean;
  /** A text in UTF-8, and its bytes. */
  textOf(bytes: Uint8Array): string;
  bytesOf(text: string): Uint8Array;
}

declare const verbs: Verbs;
/** The types of the engine's exports, which the build reads from its module. */
declare const ENGINE_TYPES: Record<string, string>;

let isCancelled = false;
/** The last event that the host does not know of. */
let latest: Progress | undefined;

const caller: Required<Watcher> = {
  onProgress(progress) {
    latest = progress;
  },
  signal: {
    throwIfAborted() {
      if (isCancelled) throw new StandinError("host/cancelled", "The caller has cancelled.");
    },
  },
};

/** Gives the host its turn. */
function breathe(): void {
  isCancelled = verbs.breathe(latest ? JSON.stringify(latest) : "");
  latest = undefined;
}

/**
 * Provides the host, and answers requests whose JSON names a handler as `request`. The JSON of an answer is
 * `{ value }`, or `{ error }` with the members of a StandinError.
 */
export function serve(handlers: Readonly<Record<string, Handler>>): void {
  provideHost({
    instance: openInstance,
    breathe: async () => breathe(),
    encoding: usualEncoding,
  });
  const answer = async (bytes: Uint8Array): Promise<Uint8Array> => {
    isCancelled = false;
    latest = undefined;
    try {
      const [json, ...parts] = unpacked(bytes);
      const { request: name, ...given } = JSON.parse(json.text()) as Given & { readonly request: string };
      if (!Object.hasOwn(handlers, name)) throw new StandinError("host/request", `There is no request "${name}".`);
      const answer = await handlers[name](given, parts, caller);
      if (latest) breathe();
      return packed([JSON.stringify({ value: answer.json }), ...answer.parts]);
    } catch (error) {
      return packed([JSON.stringify({ error: described(error) })]);
    }
  };
  Object.assign(globalThis, { answer });
}

/** The exports of an instance, as methods that all instances share. */
class EngineExports {
  constructor(readonly instance: number) {}
}
for (const [name, types] of Object.entries(ENGINE_TYPES))
  Object.defineProperty(EngineExports.prototype, name, {
    value(this: EngineExports, ...values: (number | bigint)[]) {
      return verbs.call(this.instance, name, types, ...values);
    },
  });

function openInstance(): HostInstance {
  const instance = verbs.instance();
  if (!instance) throw new StandinError("engine/memory", "The host cannot make another instance of the engine.");
  return {
    number: instance,
    exports: new EngineExports(instance),
    read: (pointer: number, into: Uint8Array) => verbs.read(instance, pointer, into),
    write: (pointer: number, bytes: Uint8Array) => verbs.write(instance, pointer, bytes),
    copy: (pointer: number, { number }: HostInstance, from: number, length: number) =>
      verbs.copy(instance, pointer, number, from, length),
    fillKey: (pointer: number, length: number) => verbs.fillKey(instance, pointer, length),
    drop: () => verbs.drop(instance),
  };
}

function described(error: unknown): object {
  if (error instanceof StandinError) return { code: error.code, message: error.message, hint: error.hint };
  // The error's own text may quote data.
  return { code: "core/fault", message: "A bug in standin stopped this request. Please report it." };
}

/** The parts of a message: their number and their lengths (all u32, little-endian), then the parts. */
function unpacked(bytes: Uint8Array): Part[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const count = view.getUint32(0, true);
  let at = 4 + 4 * count;
  return Array.from({ length: count }, (_, part) => {
    const end = at + view.getUint32(4 + 4 * part, true);
    const piece = bytes.slice(at, end);
    at = end;
    return { bytes: piece, text: () => verbs.textOf(piece) };
  });
}

function packed(texts: readonly string[]): Uint8Array {
  const pieces = texts.map((text) => verbs.bytesOf(text));
  const head = 4 + 4 * pieces.length;
  const bytes = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, head));
  const view = new DataView(bytes.buffer);
  view.setUint32(0, pieces.length, true);
  let at = head;
  for (const [part, piece] of pieces.entries()) {
    view.setUint32(4 + 4 * part, piece.length, true);
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}
