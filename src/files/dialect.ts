import { StandinError } from "../core/errors.js";
import type { Schema } from "../schema/schema.js";
import { cellText } from "./dictionary.js";
import { RecordParser } from "./parser.js";

/** How a table's text is written, where that differs from its schema's `dialect`. */
export interface DialectOptions {
  /** The field separator: one ASCII character. Default: the schema's, else the one of `,` `;` tab `|` that fits the header. */
  delimiter?: string;
  /** Lines above the header. Default: the schema's, else 0. */
  skipLines?: number;
  /** Spellings of a missing cell besides the schema's. */
  missing?: readonly string[];
  /** The encoding by a name that `TextDecoder` knows. Default: the schema's, else UTF-8. A byte order mark decides over any name. */
  encoding?: string;
}

/** What a reader needs to know before the first byte. */
export interface Dialect {
  /** An ASCII code; undefined where the header decides. */
  readonly delimiter: number | undefined;
  readonly quote: number;
  readonly skipLines: number;
  /** Spellings of a missing cell: the schema's first, then the options'. */
  readonly missing: readonly string[];
  /** As `TextDecoder` names it. */
  readonly encoding: string;
}

/** In this order where several fit a header equally well. */
const DELIMITERS = [",", ";", "\t", "|"].map((delimiter) => delimiter.charCodeAt(0));

/**
 * The dialect that the options state, else the schema. Nothing is read.
 * @throws {StandinError} `options/delimiter`, `options/skip-lines`, `options/encoding`
 */
export function dialectOf(schema: Schema, options: DialectOptions): Dialect {
  const stated = schema.dialect;
  const { delimiter = stated.delimiter, skipLines = stated.skipLines ?? 0, missing = [] } = options;
  const quoteChar = stated.quoteChar ?? '"';
  if (delimiter !== undefined && (!/^[\t -~]$/.test(delimiter) || delimiter === quoteChar))
    throw new StandinError(
      "options/delimiter",
      `The delimiter ${JSON.stringify(delimiter)} is not one ASCII character that is neither a quote nor a line end.`,
      'Use "," or ";" or "\\t" or "|".',
    );
  if (!(Number.isSafeInteger(skipLines) && skipLines >= 0))
    throw new StandinError(
      "options/skip-lines",
      `The number of lines to skip is ${skipLines}, not a whole number from 0 up.`,
      "Count the lines above the header.",
    );
  return {
    delimiter: delimiter?.charCodeAt(0),
    quote: quoteChar.charCodeAt(0),
    skipLines,
    missing: [...schema.missingValues, ...missing],
    encoding: encodingNamed(options.encoding ?? stated.encoding ?? "utf-8"),
  };
}

/**
 * The delimiter that splits the header's line into the most names of the schema.
 * @param line the header up to its first line break
 */
export function delimiterOf(line: Uint8Array, quote: number, schema: Schema): number {
  const known = new Set(schema.fields.map(({ name }) => name));
  const fits = DELIMITERS.filter((delimiter) => delimiter !== quote).map((delimiter) => {
    const names = cellsOf(line, delimiter, quote);
    return { delimiter, names: names.filter((name) => known.has(name)).length };
  });
  return fits.reduce((best, fit) => (fit.names > best.names ? fit : best)).delimiter;
}

function cellsOf(line: Uint8Array, delimiter: number, quote: number): string[] {
  const cells: string[] = [];
  const parser = new RecordParser(delimiter, quote, {
    cell: (_, bytes, length) => cells.push(cellText(bytes, length)),
    record: () => {},
  });
  parser.push(line);
  parser.end();
  return cells;
}

function encodingNamed(name: string): string {
  try {
    return new TextDecoder(name).encoding;
  } catch {
    throw new StandinError(
      "options/encoding",
      `The encoding ${JSON.stringify(name)} is not known here.`,
      'Use a name such as "utf-8", "utf-16le", "latin1" or "windows-1252".',
    );
  }
}
