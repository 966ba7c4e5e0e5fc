// Where a table comes from in Node: paths beside bytes.
import type { CsvOptions, CsvSource } from "./csv.js";
import { pathBytes, pathOf } from "./path.js";

/** A path or file URL (unpacked where it ends in `.gz`), or the bytes: a Blob, a stream, or any async iterable. */
export type Source = string | URL | CsvSource;

/** Does something with a source's bytes; those of a path tell how far they are themselves. */
export function opened<Options extends CsvOptions, Result>(
  source: Source,
  options: Options,
  use: (bytes: CsvSource, options: Options) => Promise<Result>,
): Promise<Result> {
  if (typeof source !== "string" && !(source instanceof URL)) return use(source, options);
  const bytes = pathBytes(pathOf(source), (percent) => options.onProgress?.({ phase: "read", percent }));
  return use(bytes, { ...options, onProgress: undefined });
}
