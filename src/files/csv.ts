// Tables from and to delimited text.
import { StandinError } from "../core/errors.js";
import { breathe, type OnProgress } from "../core/progress.js";
import type { Table } from "../core/table.js";
import type { Schema } from "../schema/schema.js";
import { asUtf8, bytesOf, type CsvSource, counted, encodingOf, unmarked, unpacked } from "./bytes.js";
import { CsvReader } from "./reader.js";

export type { CsvSource } from "./bytes.js";
export { csvStream, toCsv } from "./writer.js";

export interface CsvOptions {
  /** Hears how much was read, at fixed per cents. */
  onProgress?: OnProgress;
  /** Cancels the reading, which then rejects with the signal's reason. */
  signal?: AbortSignal;
  /** Bytes of the source in all, for the per cents; a Blob knows its own. */
  size?: number;
}

/** Bytes that are parsed in one go. */
const SLICE = 65_536;
/** Bytes between two pauses in which timers, signals and the page get their turn. */
const BREATH = 4 << 20;

/**
 * Reads a table in the dialect that the schema states: its columns are those of the header, in their order, that the schema models
 * or that are ids. Every record has a reading and none is an error.
 * @param source bytes of delimited text, or of it as gzip
 * @throws {StandinError} `files/empty`, `files/missing-column` or `files/duplicate-column` about the header before a record is looked at;
 * `files/unreadable` where the source itself fails
 */
export async function readCsv(source: CsvSource, schema: Schema, options: CsvOptions = {}): Promise<Table> {
  const reader = new CsvReader(schema);
  const encoding = encodingOf(schema);
  const { signal, onProgress = () => {}, size = source instanceof Blob ? source.size : undefined } = options;
  let untilBreath = BREATH;
  try {
    signal?.throwIfAborted();
    const raw = counted(bytesOf(source, signal), size, onProgress);
    for await (const chunk of asUtf8(unpacked(raw), encoding))
      for (const slice of slices(chunk)) {
        reader.push(slice);
        untilBreath -= slice.length;
        if (untilBreath > 0) continue;
        await breathe(signal);
        untilBreath = BREATH;
      }
    signal?.throwIfAborted();
    return reader.end();
  } catch (error) {
    signal?.throwIfAborted();
    throw readError(error);
  }
}

/**
 * Reads a table from a text, in one go; otherwise as `readCsv`.
 * @throws {StandinError} as `readCsv`
 */
export function parseCsv(text: string, schema: Schema): Table {
  const reader = new CsvReader(schema);
  try {
    for (const slice of slices(unmarked(new TextEncoder().encode(text)))) reader.push(slice);
    return reader.end();
  } catch (error) {
    throw readError(error);
  }
}

function* slices(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += SLICE) yield bytes.subarray(at, at + SLICE);
}

/** What fails while private rows are read may quote them or depend on them: it becomes one error that says nothing of its cause. */
function readError(error: unknown): StandinError {
  if (error instanceof StandinError) return error;
  return new StandinError(
    "files/unreadable",
    "The table could not be read to its end.",
    "Check that the file is whole and fits in memory.",
  );
}
