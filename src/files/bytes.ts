import type { OnProgress } from "../core/progress.js";

/** Where the bytes of a table come from. */
export type CsvSource = Blob | ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>;

type Chunks = AsyncGenerator<Uint8Array, void>;

/** Bytes that are told of at once: reading is told at these per cents, whatever the chunks. */
const STEP_PERCENT = 5;

/** The bytes of a source, whatever its kind. A stream that is not read to its end is cancelled. */
export async function* bytesOf(source: CsvSource): Chunks {
  if (source instanceof Blob) yield* bytesOf(source.stream());
  else if ("getReader" in source) yield* streamed(source);
  else yield* source;
}

/**
 * Passes bytes on, and tells at fixed per cents how many were taken: 0, 5, … 100, each once, whatever the size and the chunks.
 * @param size bytes in all; undefined where not known: then only the start is told, without a per cent
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

/** Unpacks gzip data, known by its first two bytes (RFC 1952, 2.3.1), and passes anything else on. */
export async function* unpacked(chunks: Chunks): Chunks {
  const { start, all } = await opened(chunks, 2);
  if (start[0] !== 0x1f || start[1] !== 0x8b) yield* all;
  else yield* streamed(streamOf(all).pipeThrough(new DecompressionStream("gzip")));
}

/**
 * Text of any encoding as UTF-8 without a byte order mark. Undecodable bytes of UTF-8 are passed on as they are.
 * @param encoding the name that counts where there is no mark
 */
export async function* asUtf8(chunks: Chunks, encoding: string): Chunks {
  const { start, all } = await opened(chunks, 3);
  const actual = markedEncoding(start) ?? encoding;
  if (actual === "utf-8") yield* withoutMark(all);
  else yield* recoded(all, new TextDecoder(actual));
}

/** UTF-8 bytes without the mark that they may start with. */
export function unmarked(bytes: Uint8Array): Uint8Array {
  return markedEncoding(bytes) === "utf-8" ? bytes.subarray(3) : bytes;
}

function markedEncoding([first, second, third]: Uint8Array): string | undefined {
  if (first === 0xef && second === 0xbb && third === 0xbf) return "utf-8";
  if (first === 0xff && second === 0xfe) return "utf-16le";
  if (first === 0xfe && second === 0xff) return "utf-16be";
  return undefined;
}

async function* withoutMark(chunks: Chunks): Chunks {
  const first = await chunks.next();
  if (first.done) return;
  yield unmarked(first.value);
  yield* chunks;
}

async function* recoded(chunks: Chunks, decoder: TextDecoder): Chunks {
  const encoder = new TextEncoder();
  for await (const chunk of chunks) yield encoder.encode(decoder.decode(chunk, { stream: true }));
  yield encoder.encode(decoder.decode());
}

/** The first bytes, at least `count` where there are so many, and all bytes with these as their first chunk. */
async function opened(chunks: Chunks, count: number): Promise<{ start: Uint8Array; all: Chunks }> {
  let start = new Uint8Array(0);
  while (start.length < count) {
    const next = await chunks.next();
    if (next.done) break;
    const { value } = next;
    const longer = new Uint8Array(start.length + value.length);
    longer.set(start);
    longer.set(value, start.length);
    start = longer;
  }
  return { start, all: preceded(start, chunks) };
}

async function* preceded(first: Uint8Array, rest: Chunks): Chunks {
  yield first;
  yield* rest;
}

async function* streamed(stream: ReadableStream<Uint8Array>): Chunks {
  const reader = stream.getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
  } finally {
    await reader.cancel();
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
