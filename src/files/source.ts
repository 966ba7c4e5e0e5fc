// The sources of a table in Node: paths as well as bytes.
import type { CsvOptions, CsvSource } from "./csv.js";
import { pathBytes, pathOf } from "./path.js";

/** A path or file URL (unpacked if it ends in `.gz`), or the bytes: a Blob, a stream, or any async iterable. */
export type Source = string | URL | CsvSource;

/** Calls `use` with a source's bytes. Those of a path report their own progress. */
export function opened<Options extends CsvOptions, Result>(
  source: Source,
  options: Options,
  use: (bytes: CsvSource, options: Options) => Promise<Result>,
): Promise<Result> {
  if (typeof source !== "string" && !(source instanceof URL)) return use(source, options);
  const bytes = pathBytes(pathOf(source), (percent) => options.onProgress?.({ phase: "read", percent }));
  return use(bytes, { ...options, onProgress: undefined });
}
