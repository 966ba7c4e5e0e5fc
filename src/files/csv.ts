// Tables from and to delimited text.
import type { Table } from "../core/table.js";
import { expectSchema, type Schema } from "../schema/schema.js";
import { asUtf8, type CsvSource, encodingOf, unmarked } from "./bytes.js";
import { type ByteReader, type CsvOptions, feed, feedAtOnce } from "./feed.js";
import { headerRule } from "./header.js";
import { RecordReader } from "./reader.js";
import { RowSink } from "./rows.js";
import { TableColumns } from "./table-columns.js";

export type { CsvSource } from "./bytes.js";
export type { CsvOptions } from "./feed.js";
export { csvStream, toCsv } from "./writer.js";

/**
 * Reads a table in the dialect that the schema states: its columns are those of the header, in their order, that the schema models
 * or that are ids. Every record has a reading and none is an error.
 * @param source bytes of delimited text, or of it as gzip
 * @throws {StandinError} `files/empty`, `files/header-quote`, `files/missing-column` or `files/duplicate-column` about the header before a
 * record is looked at; `files/unreadable` where the source itself fails; `files/memory`
 * @example
 * const schema = parseSchema({ fields: [{ name: "sex", type: "string", constraints: { enum: ["F", "M"] } }] });
 * const table = await readCsv(new Blob(["sex,note\nF,a\nM,b\n,c\n"]), schema);
 * table.column("sex"); // → ["F", "M", null]
 */
export async function readCsv(source: CsvSource, schema: Schema, options: CsvOptions = {}): Promise<Table> {
  const reader = tableReader(schema);
  const encoding = encodingOf(schema);
  return feed(source, (chunks) => asUtf8(chunks, encoding), reader, options);
}

/**
 * Reads a table from a text, in one go; otherwise as `readCsv`.
 * @throws {StandinError} as `readCsv`
 * @example
 * const schema = parseSchema({ fields: [{ name: "sex", type: "string", constraints: { enum: ["F", "M"] } }] });
 * const table = parseCsv("sex\nF\nM\nunlisted\n", schema);
 * table.column("sex"); // → ["F", "M", null]
 */
export function parseCsv(text: string, schema: Schema): Table {
  return feedAtOnce(unmarked(new TextEncoder().encode(text)), tableReader(schema));
}

function tableReader(schema: Schema): ByteReader<Table> {
  expectSchema(schema);
  const columns = new TableColumns(schema);
  const rows = new RowSink((names) => columns.open(names));
  const records = new RecordReader(schema.dialect.skipLines ?? 0, headerRule(schema), rows);
  return {
    push: (bytes) => records.push(bytes),
    end() {
      records.end();
      return columns.table(rows.rows, records.delimiter);
    },
  };
}
