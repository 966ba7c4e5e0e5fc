import {
  accessSync,
  closeSync,
  constants,
  createWriteStream,
  fstatSync,
  fsyncSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  type Stats,
  statSync,
  unlinkSync,
  write,
  writeFileSync,
} from "node:fs";
import { Socket } from "node:net";
import { basename, dirname, join } from "node:path";
import { pipeline, type Writable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { createGzip, gunzipSync, gzipSync } from "node:zlib";
import { StandinError } from "../core/errors.js";
import { fileError, statsIfThere } from "../files/path.js";

type Chunks = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

/**
 * The destination of an output. A file appears whole or not at all. Anything but a regular file is written directly.
 */
export interface Output {
  /** Writes everything, compressed if the name ends in `.gz`. @throws {StandinError} `files/refused`, `files/full` */
  write(chunks: Chunks): Promise<void>;
  /** Puts the output in place. Synchronous, so no signal can interrupt it. */
  commit(): void;
  /** Restores what was there before, and leaves nothing else. */
  discard(): void;
}

/**
 * Rejects an output that cannot be written, before anything is spent. Leaves no trace of it. @throws {StandinError}
 * `files/…`
 */
export function checkOutput(path: string): void {
  openOutput(path).discard();
}

/** Opens an output. @throws {StandinError} `files/…` */
export function openOutput(path: string): Output {
  return isDirect(path) ? new DirectOutput(path) : new WholeFile(path);
}

/** Whether an output is written directly: standard output, a pipe, a terminal, a device. */
export function isDirect(path: string): boolean {
  if (path === "-") return true;
  const stats = statsIfThere(path);
  return stats !== undefined && !stats.isFile() && !stats.isDirectory();
}

/** Writes a text to standard output in full before the promise resolves. @throws {StandinError} `files/refused` */
export function print(text: string): Promise<void> {
  return openOutput("-").write([new TextEncoder().encode(text)]);
}

/** Replaces a file's text in one step. @throws {StandinError} `files/…` */
export function replaceFile(path: string, text: string): void {
  const file = stageFile(path, text);
  try {
    file.commit();
  } catch (error) {
    file.discard();
    throw error;
  }
}

/**
 * Writes a file's text next to its place, whole and flushed to disk.
 * @throws {StandinError} `files/…`, leaving nothing behind
 */
export function stageFile(path: string, text: string): Output {
  const file = new WholeFile(path);
  try {
    writeFileSync(file.descriptor, path.endsWith(".gz") ? gzipSync(text) : text);
    fsyncSync(file.descriptor);
    return file;
  } catch (error) {
    file.discard();
    throw fileError(error, path);
  }
}

/** The text of a file, or of what a killed run left next to its place, if it can be read. */
export function textIfReadable(path: string, which: "placed" | "staged"): string | undefined {
  try {
    const bytes = readFileSync(which === "placed" ? path : temporaryOf(realPlace(path)));
    return new TextDecoder().decode(path.endsWith(".gz") ? gunzipSync(bytes) : bytes);
  } catch {
    return undefined;
  }
}

/** Puts in place what a killed run left next to it. @throws {StandinError} `files/…` */
export function placeStaged(path: string): void {
  const place = realPlace(path);
  try {
    renamePatiently(temporaryOf(place), place);
    syncFolder(dirname(place));
  } catch (error) {
    throw fileError(error, path);
  }
}

/** The path itself if nothing is there, otherwise what it leads to. */
const realPlace = (path: string) => (statsIfThere(path) ? realpathSync(path) : path);
const temporaryOf = (place: string) => join(dirname(place), `.${basename(place)}.standin-tmp`);

/**
 * A file that is written next to its place, as `.NAME.standin-tmp`, and then renamed. Anything that a killed run left
 * under that name is removed. A link is followed. The file keeps its permissions, within the umask.
 */
class WholeFile implements Output {
  readonly descriptor: number;
  readonly #path: string;
  readonly #temporary: string;
  readonly #inode: bigint;
  #state: "open" | "closed" | "placed" = "open";

  constructor(readonly name: string) {
    const before = statsIfThere(name);
    checkPlace(name, before);
    try {
      this.#path = realPlace(name);
      this.#temporary = temporaryOf(this.#path);
      // Another run may have removed the file since.
      if (statsIfThere(this.#path)) accessSync(this.#path, constants.W_OK);
      remove(this.#temporary);
      this.descriptor = openSync(this.#temporary, "wx", before ? before.mode & 0o777 : 0o666);
      this.#inode = fstatSync(this.descriptor, { bigint: true }).ino;
    } catch (error) {
      throw fileError(error, name);
    }
  }

  async write(chunks: Chunks): Promise<void> {
    try {
      for await (const chunk of packed(chunks, this.name))
        for (let at = 0; at < chunk.length; ) at += (await writeSome(this.descriptor, chunk, at)).bytesWritten;
    } catch (error) {
      throw fileError(error, this.name);
    }
  }

  commit(): void {
    try {
      fsyncSync(this.descriptor);
      this.#close();
      if (!this.#isOurs())
        throw new StandinError(
          "files/refused",
          `Another run is writing ${this.name} too.`,
          "Let one of them finish first.",
        );
      renamePatiently(this.#temporary, this.#path);
      this.#state = "placed";
      syncFolder(dirname(this.#path));
    } catch (error) {
      throw fileError(error, this.name);
    }
  }

  discard(): void {
    if (this.#state === "placed") return;
    this.#close();
    if (this.#isOurs()) remove(this.#temporary);
  }

  /** Whether the file under the temporary name is still this one, not one that another run began. */
  #isOurs(): boolean {
    return statSync(this.#temporary, { bigint: true, throwIfNoEntry: false })?.ino === this.#inode;
  }

  #close(): void {
    if (this.#state === "open") closeSync(this.descriptor);
    this.#state = "closed";
  }
}

class DirectOutput implements Output {
  constructor(readonly name: string) {}

  async write(chunks: Chunks): Promise<void> {
    const stream = this.name === "-" ? process.stdout : await openDirect(this.name);
    const failed = new Promise<never>((_, reject) => {
      stream.once("error", reject);
    });
    failed.catch(() => {});
    try {
      for await (const chunk of packed(chunks, this.name)) await Promise.race([failed, written(stream, chunk)]);
      if (stream !== process.stdout) await Promise.race([failed, ended(stream)]);
    } catch (error) {
      throw fileError(error, this.name === "-" ? "Standard output" : this.name);
    }
  }

  commit(): void {}
  discard(): void {}
}

const writeSome = promisify(write);

const written = (stream: Writable, chunk: Uint8Array) =>
  new Promise<void>((resolve, reject) => {
    stream.write(chunk, (error) => (error ? reject(error) : resolve()));
  });

const ended = (stream: Writable) => new Promise<void>((resolve) => stream.end(resolve));

/**
 * A pipe is opened without waiting in the system for its reader: a thread that waits there could not be stopped with
 * Ctrl-C.
 */
async function openDirect(path: string): Promise<Writable> {
  if (!statSync(path).isFIFO()) return createWriteStream(path);
  for (;;) {
    try {
      return new Socket({
        fd: openSync(path, constants.O_WRONLY | constants.O_NONBLOCK),
        readable: false,
        writable: true,
      });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENXIO") throw fileError(error, path);
      await sleep(50);
    }
  }
}

function checkPlace(name: string, before: Stats | undefined): void {
  if (before?.isDirectory()) throw new StandinError("files/refused", `The output ${name} is a folder.`, "Name a file.");
  const folder = dirname(name);
  if (!statsIfThere(folder)?.isDirectory())
    throw new StandinError(
      "files/refused",
      `The output ${name} is in ${folder}, which is not a folder.`,
      "Create it first.",
    );
}

function packed(chunks: Chunks, name: string): Chunks {
  return name.endsWith(".gz") ? pipeline(chunks, createGzip(), () => {}) : chunks;
}

function remove(path: string): void {
  try {
    unlinkSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw fileError(error, path);
  }
}

/** Windows briefly refuses to rename over a file while a scanner or an indexer looks at it. */
function renamePatiently(from: string, to: string): void {
  const transient = ["EPERM", "EBUSY", "EACCES"];
  for (let left = process.platform === "win32" ? 20 : 0; ; left--) {
    try {
      renameSync(from, to);
      return;
    } catch (error) {
      if (!left || !transient.includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50);
    }
  }
}

/** Makes a rename survive a power failure, if the system has a call for that and this user may make it. */
function syncFolder(folder: string): void {
  try {
    const descriptor = openSync(folder, "r");
    fsyncSync(descriptor);
    closeSync(descriptor);
  } catch {
    // The file is in place and whole either way.
  }
}
