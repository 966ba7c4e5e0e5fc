// Requests of hosts whose tables are in columns.
import { ColumnReader, type TypedColumn } from "../files/column-reader.js";
import { ColumnWriter } from "../files/column-writer.js";
import { schemaOf, shelf, tableOf } from "./held.js";
import { count, type Given, type Handler, type Message, malformed, message } from "./message.js";

export const COLUMN_READER = "column reader";
const WRITER = "column writer";

const readerOf = ({ reader }: Given) => shelf.get<ColumnReader>(COLUMN_READER, reader);

/** Begins to read a table whose columns the host has. */
export function begunColumns(given: Given): Message {
  const reader = new ColumnReader(schemaOf(given), list(given.columns).map(typedColumn));
  return message({ reader: shelf.put(COLUMN_READER, reader, () => reader.close()) });
}

export const COLUMNS: Readonly<Record<string, Handler>> = {
  batch(given) {
    const reader = readerOf(given);
    const [bytes, entries] = [list(given.bytes).map(count), list(given.entries).map(count)];
    if (bytes.length !== reader.width || entries.length !== reader.width) throw malformed();
    const columns = reader.batch(
      count(given.rows),
      bytes.map((size, at) => ({ bytes: size, entries: entries[at] })),
    );
    return message({ instance: reader.engine.number, columns });
  },

  coded(given) {
    readerOf(given).coded();
    return message(null);
  },

  columns({ table }) {
    const writer = new ColumnWriter(tableOf(table));
    return message({ writer: shelf.put(WRITER, writer, () => writer.close()), columns: writer.columns });
  },

  column({ writer, place, from, rows }) {
    const written = shelf.get<ColumnWriter>(WRITER, writer);
    if (count(place) >= written.columns.length) throw malformed();
    return message({
      instance: written.engine.number,
      ...written.rows(place as number, count(from), count(rows)),
    });
  },
};

function list(value: unknown): unknown[] {
  if (!Array.isArray(value)) throw malformed();
  return value;
}

function typedColumn(value: unknown): TypedColumn {
  const { name, type } = value as Partial<TypedColumn>;
  if (typeof name !== "string" || typeof type !== "string") throw malformed();
  return { name, type };
}
