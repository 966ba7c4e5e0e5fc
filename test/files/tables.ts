import type { Table } from "../../src/core/table.js";
import "../engine.js";
import { Pieces } from "../../src/files/pieces.js";
import type { Header } from "../../src/files/reader.js";
import { TableStore } from "../../src/files/table-store.js";
import { parseSchema, type Schema } from "../../src/schema/schema.js";

/** A schema of string fields, each with these categories. */
export function categories(labels: Record<string, readonly string[]>, more: object = {}): Schema {
  const fields = Object.entries(labels).map(([name, values]) => ({ name, constraints: { enum: values } }));
  return parseSchema({ fields, ...more });
}

/** The contents of a table, by column. */
export function contents(table: Table): object {
  return {
    length: table.length,
    delimiter: table.delimiter,
    columns: table.columns.map(({ name, codes, codec }) => [name, Array.from(codes, (code) => codec.text(code))]),
    persons: table.persons?.codes,
  };
}

/** Bytes in pieces of this size. */
export async function* inPieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

/**
 * The table of a text that comes after its header, cut for several threads into pieces of about `size` bytes and
 * delivered in chunks of `chunk` bytes.
 */
export async function readInPieces(
  schema: Schema,
  header: string,
  text: Uint8Array,
  threads: number,
  size: number,
  chunk: number,
): Promise<Table> {
  const store = new TableStore(schema);
  const head = headerOf(header);
  const pieces = new Pieces(store.begin(head), schema, head, threads, size);
  for await (const bytes of inPieces(text, chunk)) await pieces.push(bytes);
  pieces.end();
  await pieces.finished();
  pieces.close();
  return store.table();
}

/** The header in a line with commas. */
export const headerOf = (line: string): Header => ({
  delimiter: ",",
  names: line.trimEnd().split(","),
  endsInReturn: line.endsWith("\r"),
});

export const utf8 = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);

/** Waits for a rejection. */
export async function rejection(promise: Promise<unknown>): Promise<Error & { code?: string }> {
  try {
    await promise;
  } catch (error) {
    return error as Error;
  }
  throw new Error("Nothing was thrown.");
}

/** The error that a call throws. */
export function thrown(call: () => unknown): Error & { code?: string } {
  try {
    call();
  } catch (error) {
    return error as Error;
  }
  throw new Error("Nothing was thrown.");
}
