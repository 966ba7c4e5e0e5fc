import { StandinError } from "../core/errors.js";
import { breathe, type OnProgress } from "../core/progress.js";
import { bytesOf, type CsvSource, counted, slices, unpacked } from "./bytes.js";

/** Options of everything that reads the bytes of a table. */
export interface CsvOptions {
  /** Hears how much was read, at fixed per cents. */
  onProgress?: OnProgress;
  /** Cancels the reading, which then rejects with the signal's reason. */
  signal?: AbortSignal;
  /** Bytes of the source in all, for the per cents; a Blob knows its own. */
  size?: number;
}

/** Takes UTF-8 bytes in pieces of any size, and has a result in the end. */
export interface ByteReader<Result> {
  /** Where there is a promise, the next piece has to wait for it. */
  push(bytes: Uint8Array): void | Promise<void>;
  end(): Result;
}

/** Bytes between two pauses in which timers, signals and the page get their turn. */
const BREATH = 8 << 20;

/**
 * Gives a reader the bytes of a source, unpacked and in UTF-8.
 * @param recode makes UTF-8 of the unpacked bytes
 * @throws {StandinError} the reader's own; `files/unreadable` where the source itself fails; `files/fault` where the
 * reader does
 */
export async function feed<Result>(
  source: CsvSource,
  recode: (chunks: AsyncGenerator<Uint8Array, void>) => AsyncIterable<Uint8Array>,
  reader: ByteReader<Result | Promise<Result>>,
  options: CsvOptions,
): Promise<Result> {
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

/** Gives a reader that never waits all bytes in one go. @throws {StandinError} as `feed` */
export function feedAtOnce<Result>(bytes: Uint8Array, reader: ByteReader<Result>): Result {
  try {
    for (const slice of slices(bytes)) reader.push(slice);
    return reader.end();
  } catch (error) {
    throw sayable(error);
  }
}

/** Chunks of a source, whose errors become one. */
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
 * What fails while private rows are read may quote them or depend on them: it becomes an error that says nothing of its
 * cause. Of what the host refuses a reader, a RangeError alone tells of memory.
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
