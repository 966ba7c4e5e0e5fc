import { StandinError } from "../core/errors.js";
import { breathe, type OnProgress } from "../core/progress.js";
import { bytesOf, type CsvSource, counted, expectSource, slices, unpacked } from "./bytes.js";

/** Options shared by everything that reads the bytes of a table. */
export interface CsvOptions {
  /** Receives how much was read, at fixed percentages. */
  onProgress?: OnProgress;
  /** Cancels the reading, which then rejects with the signal's reason. */
  signal?: AbortSignal;
  /** Bytes of the source in total, for the percentages. A Blob knows its own size. */
  size?: number;
}

/** Takes UTF-8 bytes in pieces of any size, and returns a result at the end. */
export interface ByteReader<Result> {
  /** If it returns a promise, the next piece has to wait for it. */
  push(bytes: Uint8Array): void | Promise<void>;
  end(): Result;
}

/** Bytes between two pauses in which timers, signals and the page get their turn. */
const BREATH = 8 << 20;

/**
 * Passes the bytes of a source to a reader, unpacked and in UTF-8.
 * @param recode turns the unpacked bytes into UTF-8
 * @throws {StandinError} the reader's own; `options/argument` if it is no source; `files/unreadable` if the source
 *   itself fails; `files/memory` and `files/fault` if the reader does
 */
export async function feed<Result>(
  source: CsvSource,
  recode: (chunks: AsyncGenerator<Uint8Array, void>) => AsyncIterable<Uint8Array>,
  reader: ByteReader<Result | Promise<Result>>,
  options: CsvOptions,
): Promise<Result> {
  expectSource(source);
  const { signal, onProgress = () => {}, size = source instanceof Blob ? source.size : undefined } = options;
  let untilBreath = BREATH;
  try {
    signal?.throwIfAborted();
    const raw = counted(bytesOf(source, signal), size, onProgress);
    for await (const chunk of readable(recode(unpacked(raw))))
      for (const slice of slices(chunk)) {
        const pause = reader.push(slice);
        if (pause) await pause;
        untilBreath -= slice.length;
        if (untilBreath > 0) continue;
        await breathe(signal);
        untilBreath = BREATH;
      }
    signal?.throwIfAborted();
    return await reader.end();
  } catch (error) {
    signal?.throwIfAborted();
    throw sayable(error);
  }
}

/** Passes all bytes in one go to a reader that never waits. @throws {StandinError} as in `feed` */
export function feedAtOnce<Result>(bytes: Uint8Array, reader: ByteReader<Result>): Result {
  try {
    for (const slice of slices(bytes)) reader.push(slice);
    return reader.end();
  } catch (error) {
    throw sayable(error);
  }
}

/** Chunks of a source. All errors of the source are turned into one. */
async function* readable(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  try {
    yield* chunks;
  } catch (error) {
    if (error instanceof StandinError) throw error;
    throw new StandinError(
      "files/unreadable",
      "The table could not be read to the end.",
      "Check that the file is complete and that this user may read it.",
    );
  }
}

/**
 * An error raised while private rows are read may quote them or depend on them, so it is replaced by one that says
 * nothing of its cause. Of the host's errors in a reader, only a RangeError indicates a lack of memory.
 */
function sayable(error: unknown): StandinError {
  if (error instanceof StandinError) return error;
  if (error instanceof RangeError)
    return new StandinError(
      "files/memory",
      "The table does not fit in memory.",
      "Read fewer columns: the role drop leaves a column out.",
    );
  return new StandinError("files/fault", "A bug in standin stopped the reading of the table.", "Please report it.");
}
