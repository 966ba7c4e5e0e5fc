import type { Codes, CodeTexts, Table } from "../core/table.js";
import { Instance } from "../engine/instance.js";
import { BLOCK_ROWS } from "../engine/layout.js";
import { RecordWriter } from "./record-writer.js";

/** Bytes that are passed on at once. A chunk may hold one record more. */
const CHUNK = 65_536;

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
  const chunks = csvChunks(table);
  const stream = new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull(controller) {
      const next = chunks.next();
      if (next.done) controller.close();
      else controller.enqueue(next.value);
    },
    cancel() {
      chunks.return(undefined);
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
  // Byte order marks inside cells are text.
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  return Array.from(csvChunks(table), (chunk) => decoder.decode(chunk)).join("");
}

/** A table's header and records in UTF-8. */
function* csvChunks(table: Table): Generator<Uint8Array<ArrayBuffer>> {
  const engine = new Instance();
  try {
    for (const { pointer, bytes } of writtenChunks(engine, table)) yield engine.readU8(pointer, bytes);
  } finally {
    engine.drop();
  }
}

/** A part of a table as text, in an engine's memory until the next one is asked for. @internal */
interface WrittenChunk {
  readonly pointer: number;
  readonly bytes: number;
}

/** Writes a table's header and records in UTF-8 into an engine's memory, chunk by chunk. @internal */
export function* writtenChunks(engine: Instance, table: Table): Generator<WrittenChunk, void> {
  const { length, delimiter } = table;
  // Asking for codes may copy them, so each column is asked once.
  const columns = table.columns.map(({ name, codes, codec }) => ({ name, codes, codec }));
  const header = new RecordWriter(
    engine,
    columns.map(({ name }) => ({ texts: listed(name), width: 2 })),
    delimiter,
    1,
  );
  const written = columns.map(({ codec, codes }) => ({ texts: codec.texts, width: codes.BYTES_PER_ELEMENT }));
  const writer = new RecordWriter(engine, written, delimiter, length);
  const room = CHUNK + Math.max(header.recordBytes, writer.recordBytes);
  const begin = engine.alloc(room);
  header.take(
    columns.map(() => new Uint16Array(1)),
    0,
  );
  let { end } = header.write(0, 1, begin, begin + room);
  for (let first = 0; first < length; first += BLOCK_ROWS) {
    const rows = Math.min(BLOCK_ROWS, length - first);
    writer.take(
      columns.map(({ codes }): Codes => codes.subarray(first, first + rows)),
      first,
    );
    for (let row = 0; row < rows; ) {
      const next = writer.write(row, rows, end, begin + room);
      row += next.written;
      end = next.end;
      if (row === rows) break;
      yield { pointer: begin, bytes: end - begin };
      end = begin;
    }
  }
  yield { pointer: begin, bytes: end - begin };
}

/** The text of the only code of a column's name. */
const listed = (name: string): CodeTexts => ({ kind: "listed", list: () => [name] });
