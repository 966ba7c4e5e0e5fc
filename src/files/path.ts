// Files in Node: the bytes behind a path, and what the system's errors mean to people.
import { constants, createReadStream, openSync, type Stats, statSync } from "node:fs";
import { Socket } from "node:net";
import { pipeline, type Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { createGunzip } from "node:zlib";
import { StandinError } from "../core/errors.js";

/** Bytes of a file that are read in one go. With fewer, waiting for them takes longer than parsing. */
const CHUNK = 1 << 20;

const REFUSALS: Readonly<Record<string, string>> = {
  ENOENT: "does not exist",
  ENOTDIR: "is in something that is not a folder",
  EISDIR: "is a folder",
  EACCES: "may not be opened by this user",
  EPERM: "may not be changed by this user",
  EROFS: "is on a read-only disk",
  ENOSPC: "does not fit on its disk, which is full",
  EDQUOT: "does not fit in this user's quota",
  EFBIG: "grew larger than a file may be here",
  ELOOP: "is a link that leads back to itself",
  ENAMETOOLONG: "has a name longer than the system allows",
  EPIPE: "was closed by its reader before everything was written",
  Z_BUF_ERROR: "ends in the middle of its gzip data",
  Z_DATA_ERROR: "is not whole gzip data",
};

/** Turns a system error about a file into an error for people. Other errors are returned unchanged. */
export function fileError(error: unknown, name: string): unknown {
  const code = (error as NodeJS.ErrnoException | undefined)?.code;
  if (
    error instanceof StandinError ||
    typeof code !== "string" ||
    !/^[EZ][A-Z_0-9]+$/.test(code) ||
    code.startsWith("ERR_")
  )
    return error;
  return new StandinError("files/refused", `${name} ${REFUSALS[code] ?? `could not be used (${code})`}.`);
}

/** The system's facts about a path; a link is followed. @throws {StandinError} `files/refused` */
export function pathStats(path: string): Stats {
  return fileStats(path, true)!;
}

/** The same, or `undefined` if nothing is there. @throws {StandinError} `files/refused` */
export function statsIfThere(path: string): Stats | undefined {
  return fileStats(path, false);
}

function fileStats(path: string, throwIfNoEntry: boolean): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry });
  } catch (error) {
    throw fileError(error, path);
  }
}

/** The path that a file URL names. @throws {StandinError} `files/url` for other URLs */
export function pathOf(source: string | URL): string {
  if (typeof source === "string") return source;
  if (source.protocol === "file:") return fileURLToPath(source);
  throw new StandinError(
    "files/url",
    `${source.protocol} URLs are not opened.`,
    "Fetch it and pass the response's body.",
  );
}

/**
 * The bytes of a file or named pipe, unpacked if the name ends in `.gz`.
 * @param onPercent receives the percentage of a file's bytes taken so far; `undefined` for a pipe
 * @throws {StandinError} `files/refused`
 */
export async function* pathBytes(
  path: string,
  onPercent?: (percent: number | undefined) => void,
): AsyncGenerator<Uint8Array> {
  const stats = pathStats(path);
  try {
    const raw = counted(
      stats.isFIFO() ? openPipe(path) : ahead(createReadStream(path, { highWaterMark: CHUNK })),
      stats,
      onPercent,
    );
    yield* path.endsWith(".gz") ? unpacked(raw) : raw;
  } catch (error) {
    throw fileError(error, path);
  }
}

/** Reads one chunk ahead of its consumer, which wants the next chunk as soon as it has handed one over. */
async function* ahead(stream: Readable): AsyncGenerator<Uint8Array> {
  const chunks = stream[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>;
  const next = () => {
    const promise = chunks.next();
    promise.catch(() => {}); // the rejection reaches the code that awaits it
    return promise;
  };
  try {
    for (let coming = next(), chunk = await coming; !chunk.done; chunk = await coming) {
      coming = next();
      yield chunk.value;
    }
  } finally {
    stream.destroy(); // without waiting for a pending chunk, which may never come
  }
}

async function* counted(
  source: AsyncIterable<Uint8Array>,
  stats: Stats,
  onPercent: ((percent: number | undefined) => void) | undefined,
): AsyncGenerator<Uint8Array> {
  let taken = 0;
  onPercent?.(stats.isFile() ? 0 : undefined);
  for await (const chunk of source) {
    yield chunk;
    taken += chunk.length;
    if (stats.isFile()) onPercent?.((100 * taken) / Math.max(taken, stats.size));
  }
  onPercent?.(stats.isFile() ? 100 : undefined);
}

function unpacked(raw: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  return pipeline(raw, createGunzip(), () => {});
}

/** Opened without waiting for a writer: a thread that waits in the system could not be stopped with Ctrl-C. */
function openPipe(path: string): Readable {
  return new Socket({ fd: openSync(path, constants.O_RDONLY | constants.O_NONBLOCK), readable: true, writable: false });
}
