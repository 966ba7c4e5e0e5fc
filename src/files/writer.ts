import type { Column, Table } from "../core/table.js";
import { QUOTE } from "./parser.js";

/** Characters of text that are passed on at once. */
const CHUNK = 65_536;
/** The texts of codes below this are cached: those of categories and small grids. */
const REMEMBERED = 65_536;

/**
 * A table as CSV, in UTF-8 with LF line ends: a header, then one line per row, with the table's delimiter, and quotes
 * where needed.
 * @param options.gzip whether to compress it
 * @example
 * const schema = parseSchema({ fields: [{ name: "sex", type: "string", constraints: { enum: ["F", "M"] } }] });
 * const table = parseCsv("sex\nF\nM\n", schema);
 * await new Response(csvStream(table)).text(); // → "sex\nF\nM\n"
 */
export function csvStream(table: Table, options: { gzip?: boolean } = {}): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const pieces = csvPieces(table);
  const stream = new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull(controller) {
      const next = pieces.next();
      if (next.done) controller.close();
      else controller.enqueue(encoder.encode(next.value));
    },
  });
  return options.gzip ? stream.pipeThrough(new CompressionStream("gzip")) : stream;
}

/**
 * A table as one text, written as `csvStream` does.
 * @example
 * const schema = parseSchema({ fields: [{ name: "sex", type: "string", constraints: { enum: ["F", "M"] } }] });
 * toCsv(parseCsv('sex\r\n"F"\r\nM', schema)); // → "sex\nF\nM\n"
 */
export function toCsv(table: Table): string {
  return [...csvPieces(table)].join("");
}

function* csvPieces({ columns, length, delimiter }: Table): Generator<string> {
  const quoted = quoter(delimiter, columns.length);
  const cells = columns.map((column) => cellWriter(column, quoted));
  // Joined, not concatenated: a text built up cell by cell is a tree that the garbage collector has to walk.
  let lines = [columns.map(({ name }) => quoted(name)).join(delimiter)];
  let size = lines[0].length;
  const line: string[] = cells.map(() => "");
  for (let row = 0; row < length; row++) {
    for (let at = 0; at < cells.length; at++) line[at] = cells[at](row);
    const text = line.join(delimiter);
    lines.push(text);
    size += text.length + 1;
    if (size < CHUNK) continue;
    yield `${lines.join("\n")}\n`;
    lines = [];
    size = 0;
  }
  if (lines.length) yield `${lines.join("\n")}\n`;
}

function cellWriter({ codes, codec }: Column, quoted: (text: string) => string): (row: number) => string {
  const known: string[] = [];
  return (row) => {
    const code = codes[row];
    if (code >= REMEMBERED || code < 0) return quoted(codec.text(code));
    known[code] ??= quoted(codec.text(code));
    return known[code];
  };
}

/** Quotes a cell that would not be read back unchanged. A line of one empty cell would be blank. */
function quoter(delimiter: string, columns: number): (text: string) => string {
  return (text) => {
    const plain = text === "" ? columns > 1 : !text.includes(delimiter) && !/["\r\n]|^\uFEFF/.test(text);
    return plain ? text : QUOTE + text.replaceAll(QUOTE, QUOTE + QUOTE) + QUOTE;
  };
}
