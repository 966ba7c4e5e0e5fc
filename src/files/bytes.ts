import { expectArgument } from "../core/arguments.js";
import { host } from "../core/host.js";
import type { OnProgress } from "../core/progress.js";
import type { Schema } from "../schema/schema.js";

/** The source of a table's bytes. */
export type CsvSource = Uint8Array | Blob | ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>;

export type Chunks = AsyncGenerator<Uint8Array, void>;

/** Progress is reported at multiples of this, whatever the chunks. */
const STEP_PERCENT = 5;
/** Bytes that are parsed in one go. The cells found in them stay in the processor's cache. */
const SLICE = 65_536;

/** @throws {StandinError} `options/argument` if a source is of no kind that can be read */
export function expectSource(source: unknown): void {
  const isObject = typeof source === "object" && source !== null;
  const isSource = isObject && ("getReader" in source || Symbol.asyncIterator in source);
  expectArgument(
    isSource || source instanceof Uint8Array || source instanceof Blob,
    "the bytes of a table (a Uint8Array, Blob, stream or async iterable; in Node also a path)",
    typeof source === "string" ? "To read a table from a string, use parseCsv." : undefined,
  );
}

/**
 * The bytes of a source of any kind. A stream that is not read to its end is cancelled.
 * @param signal ends the wait for a stalled stream
 */
export async function* bytesOf(source: CsvSource, signal?: AbortSignal): Chunks {
  if (source instanceof Uint8Array) yield source;
  else if (source instanceof Blob) yield* streamed(source.stream(), signal);
  else if ("getReader" in source) yield* streamed(source, signal);
  else yield* source;
}

/**
 * Passes bytes on, and reports at fixed percentages how many were taken: 0, 5, … 100, each once, whatever the size and
 * the chunks.
 * @param size bytes in total; `undefined` if not known, in which case only the start is reported, without a percentage
 */
export async function* counted(chunks: Chunks, size: number | undefined, onProgress: OnProgress): Chunks {
  let told = 0;
  const tell = (share: number) => {
    for (; told <= 100 * share && told <= 100; told += STEP_PERCENT) onProgress({ phase: "read", percent: told });
  };
  if (size === undefined) onProgress({ phase: "read", percent: undefined });
  else tell(0);
  let taken = 0;
  for await (const chunk of chunks) {
    yield chunk;
    taken += chunk.length;
    if (size !== undefined) tell(taken / size);
  }
  if (size !== undefined) tell(1);
}

/** Unpacks gzip data, recognised by its first two bytes (RFC 1952, 2.3.1), and passes anything else on. */
export async function* unpacked(chunks: Chunks): Chunks {
  const start = await startOf(chunks, 2);
  const all = preceded(start, chunks);
  if (start[0] !== 0x1f || start[1] !== 0x8b) yield* all;
  else yield* streamed(streamOf(all).pipeThrough(new DecompressionStream("gzip")));
}

/**
 * Text of any encoding as UTF-8 without a byte order mark. Undecodable UTF-8 bytes are passed on unchanged.
 * @param encoding the name that counts if there is no mark
 */
export async function* asUtf8(chunks: Chunks, encoding: string): Chunks {
  const start = await startOf(chunks, 3);
  const actual = markedEncoding(start) ?? encoding;
  if (actual === "utf-8") yield* preceded(unmarked(start), chunks);
  else yield* recoded(preceded(start, chunks), new TextDecoder(actual));
}

/**
 * The encoding that the schema states, or UTF-8, under its usual name. A schema holds no name that the host does not
 * know.
 */
export const encodingOf = ({ dialect: { encoding = "utf-8" } }: Schema): string => host().encoding(encoding)!;

/** UTF-8 bytes without the byte order mark that they may start with. */
export function unmarked(bytes: Uint8Array): Uint8Array {
  return markedEncoding(bytes) === "utf-8" ? bytes.subarray(3) : bytes;
}

export function markedEncoding([first, second, third]: Uint8Array): string | undefined {
  if (first === 0xef && second === 0xbb && third === 0xbf) return "utf-8";
  if (first === 0xff && second === 0xfe) return "utf-16le";
  if (first === 0xfe && second === 0xff) return "utf-16be";
  return undefined;
}

export async function* recoded(chunks: Chunks, decoder: TextDecoder): Chunks {
  const encoder = new TextEncoder();
  for await (const chunk of chunks) yield encoder.encode(decoder.decode(chunk, { stream: true }));
  yield encoder.encode(decoder.decode());
}

/** Takes the first bytes: at least `count`, if there are that many. */
export async function startOf(chunks: Chunks, count: number): Promise<Uint8Array> {
  const taken: Uint8Array[] = [];
  for (let left = count; left > 0; ) {
    const next = await chunks.next();
    if (next.done) break;
    taken.push(next.value);
    left -= next.value.length;
  }
  return joined(taken);
}

/** Chunks joined into one; a single chunk as it is. */
export function joined(chunks: readonly Uint8Array[]): Uint8Array {
  if (chunks.length === 1) return chunks[0];
  const all = new Uint8Array(chunks.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.length;
  }
  return all;
}

/** Bytes in slices that are parsed in one go. */
export function* slices(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += SLICE) yield bytes.subarray(at, at + SLICE);
}

export async function* preceded(first: Uint8Array, rest: Chunks): Chunks {
  try {
    yield first;
    yield* rest;
  } finally {
    await rest.return();
  }
}

async function* streamed(stream: ReadableStream<Uint8Array>, signal?: AbortSignal): Chunks {
  const reader = stream.getReader();
  const cancel = () => void reader.cancel(signal?.reason).catch(() => {});
  signal?.addEventListener("abort", cancel);
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
    signal?.throwIfAborted();
  } finally {
    signal?.removeEventListener("abort", cancel);
    cancel();
  }
}

function streamOf(chunks: Chunks): ReadableStream<BufferSource> {
  return new ReadableStream({
    async pull(controller) {
      const next = await chunks.next();
      if (next.done) controller.close();
      else controller.enqueue(next.value as BufferSource);
    },
    async cancel() {
      await chunks.return();
    },
  });
}
