// How a table's file is written, as far as its first bytes show.
import type { Instance } from "../engine/instance.js";
import { DELIMITERS } from "./header.js";
import { Byte, type Found, TextParser } from "./parser.js";

export interface SniffedDialect {
  readonly delimiter: string;
  /** Lines above the header. */
  readonly skipLines: number;
}

/** One of the first records: its cells, and the line in which it begins. */
interface SniffedRecord {
  readonly line: number;
  readonly cells: readonly string[];
}

/** The largest number of lines above a header. */
const MOST_SKIPPED = 100;

/**
 * The delimiter that splits the first records most evenly into the most cells, and the place of the header. The header
 * is the first record with the usual number of cells, at least half of them not blank; or with all but one, as when the
 * column of row names has no name.
 * @param head the first bytes, in UTF-8; they may end inside a record
 * @param known the facts already stated, which are not sniffed
 */
export function sniffDialect(engine: Instance, head: Uint8Array, known: Partial<SniffedDialect>): SniffedDialect {
  const tried = (known.delimiter === undefined ? DELIMITERS : [known.delimiter]).map((delimiter) => {
    const records = engine.scratch(() => recordsOf(engine, head, delimiter));
    const width = usualWidth(records);
    const even = records.filter(({ cells }) => cells.length === width).length / Math.max(1, records.length);
    return { delimiter, records, width, score: even * Math.log2(width) };
  });
  const { delimiter, records, width } = tried.reduce((best, next) => (next.score > best.score ? next : best));
  return { delimiter, skipLines: known.skipLines ?? headerLine(records, width) };
}

function recordsOf(engine: Instance, head: Uint8Array, delimiter: string): SniffedRecord[] {
  const records: SniffedRecord[] = [];
  let cells: string[] = [];
  let line = 0;
  let next = 0;
  const parser = new TextParser(engine, delimiter);
  const take = (found: Found) => {
    cells = [...cells, ...found.cells];
    if (!found.ends.length) return; // a line ends at most one record
    if (cells.length) records.push({ line, cells });
    cells = [];
    line = next;
  };
  for (const bytes of linesOf(head)) {
    next++;
    take(parser.push(bytes));
  }
  // The last record may be cut. If it is the only one, it is all there is.
  if (!records.length) take(parser.end());
  return records;
}

/** The lines with their ends. CR, LF and CRLF each count as one end. */
function* linesOf(bytes: Uint8Array): Generator<Uint8Array> {
  let start = 0;
  for (let at = 0; at < bytes.length; at++) {
    if (bytes[at] !== Byte.LF && !(bytes[at] === Byte.CR && bytes[at + 1] !== Byte.LF)) continue;
    yield bytes.subarray(start, at + 1);
    start = at + 1;
  }
  yield bytes.subarray(start);
}

/** The number of cells that most records have; the larger of two that are equally frequent. */
function usualWidth(records: readonly SniffedRecord[]): number {
  const times = new Map<number, number>();
  for (const { cells } of records) times.set(cells.length, (times.get(cells.length) ?? 0) + 1);
  return [...times].reduce(
    (best, [width, count]) =>
      count > best.count || (count === best.count && width > best.width) ? { width, count } : best,
    { width: 1, count: 0 },
  ).width;
}

function headerLine(records: readonly SniffedRecord[], width: number): number {
  const header = records.slice(0, MOST_SKIPPED).find(({ cells }) => {
    const filled = cells.filter((cell) => cell.trim() !== "").length;
    return cells.length === width ? 2 * filled >= width : width > 2 && filled >= width - 1;
  });
  // A first record is the header wherever it is: blank lines above it need not be skipped.
  return header === undefined || header === records[0] ? 0 : header.line;
}
