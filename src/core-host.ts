// The host of the core that other languages run (core/main.c), and how it answers their requests.
import { StandinError } from "./core/errors.js";
import { provideHost } from "./core/host.js";
import type { Signal } from "./core/progress.js";

/** What main.c gives scripts. Instances are numbers, at least 1. */
interface Verbs {
  /** 0 where the host can make none. */
  instance(): number;
  drop(instance: number): void;
  /** @param types one letter for the result, then one for each value (ENGINE_TYPES) */
  call(instance: number, name: string, types: string, ...values: (number | bigint)[]): number | bigint | undefined;
  read(instance: number, pointer: number, into: Uint8Array): void;
  write(instance: number, pointer: number, bytes: Uint8Array): void;
  fillKey(instance: number, pointer: number, length: number): void;
  /** Whether the caller has cancelled. */
  breathe(): boolean;
  /** A text in UTF-8, and its bytes. */
  textOf(bytes: Uint8Array): string;
  bytesOf(text: string): Uint8Array;
}

declare const verbs: Verbs;
/** The types of the engine's exports, which the build reads from its module. */
declare const ENGINE_TYPES: Record<string, string>;

/** A request or an answer: JSON, and numbers in parts of their own. */
export interface Message {
  readonly json: unknown;
  readonly parts: readonly Uint8Array[];
}

/** Answers one kind of request. The signal says whether the caller has cancelled. */
export type Handler = (request: Message, signal: Signal) => Message | Promise<Message>;

let isCancelled = false;

const signal: Signal = {
  throwIfAborted() {
    if (isCancelled) throw new StandinError("host/cancelled", "The caller has cancelled.");
  },
};

/**
 * Provides the host, and answers requests whose JSON names a handler as `request`. The JSON of an answer is `{ value }`,
 * or `{ error }` with the members of a StandinError.
 */
export function serve(handlers: Record<string, Handler>): void {
  provideHost({
    instance: openInstance,
    async breathe() {
      isCancelled = verbs.breathe();
    },
    encoding: (label) => (/^utf-?8$/i.test(label.trim()) ? "utf-8" : undefined),
  });
  const answer = async (bytes: Uint8Array): Promise<Uint8Array> => {
    isCancelled = false;
    try {
      const request = unpacked(bytes);
      const { request: name } = request.json as { request: string };
      if (!Object.hasOwn(handlers, name)) throw new StandinError("host/request", `There is no request "${name}".`);
      const { json, parts } = await handlers[name](request, signal);
      return packed({ json: { value: json }, parts });
    } catch (error) {
      return packed({ json: { error: described(error) }, parts: [] });
    }
  };
  Object.assign(globalThis, { answer });
}

function openInstance() {
  const instance = verbs.instance();
  if (!instance) throw new StandinError("engine/memory", "The host can make no further instance of the engine.");
  const call =
    (name: string, types: string) =>
    (...values: (number | bigint)[]) =>
      verbs.call(instance, name, types, ...values);
  return {
    exports: Object.fromEntries(Object.entries(ENGINE_TYPES).map(([name, types]) => [name, call(name, types)])),
    read: (pointer: number, into: Uint8Array) => verbs.read(instance, pointer, into),
    write: (pointer: number, bytes: Uint8Array) => verbs.write(instance, pointer, bytes),
    fillKey: (pointer: number, length: number) => verbs.fillKey(instance, pointer, length),
    drop: () => verbs.drop(instance),
  };
}

function described(error: unknown): object {
  if (error instanceof StandinError) return { code: error.code, message: error.message, hint: error.hint };
  return { code: "host/unexpected", message: String(error) };
}

/** A message from its bytes: the number of its parts, their lengths (all u32, little-endian), and the parts. */
function unpacked(bytes: Uint8Array): Message {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const count = view.getUint32(0, true);
  let at = 4 + 4 * count;
  const [json, ...parts] = Array.from({ length: count }, (_, part) => {
    const end = at + view.getUint32(4 + 4 * part, true);
    const piece = bytes.slice(at, end);
    at = end;
    return piece;
  });
  return { json: JSON.parse(verbs.textOf(json)), parts };
}

function packed({ json, parts }: Message): Uint8Array {
  const pieces = [verbs.bytesOf(JSON.stringify(json)), ...parts];
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
