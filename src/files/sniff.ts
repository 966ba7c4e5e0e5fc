// How a table's file is written, as far as its first bytes show.
import type { Instance } from "../engine/instance.js";
import { DELIMITERS } from "./header.js";
import { type Found, QUOTE, TextParser } from "./parser.js";

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
  const parser = new TextParser(engine, delimiter);
  const found = parser.push(head);
  const records = numbered(found);
  if (records.length) return records;
  // The last record may be cut. If it is the only one, it is all there is.
  const last = parser.end();
  const cells = [...found.cells, ...last.cells];
  return numbered({ cells, ends: [...found.ends, ...last.ends.map(() => cells.length)] });
}

/** The records that are not blank lines. */
function numbered({ cells, ends }: Found): SniffedRecord[] {
  let line = 0;
  const all = ends.map((end, at) => {
    const record = { line, cells: cells.slice(ends[at - 1] ?? 0, end) };
    line += 1 + (record.cells.join(QUOTE).match(/\r\n?|\n/g)?.length ?? 0);
    return record;
  });
  return all.filter(({ cells }) => cells.length);
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
