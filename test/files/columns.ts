// Tables that go into the engine, and come out of it, in columns.
import type { Table } from "../../src/core/table.js";
import type { ArrayType } from "../../src/files/arrays.js";
import { ColumnReader } from "../../src/files/column-reader.js";
import type { ColumnWriter } from "../../src/files/column-writer.js";
import type { Schema } from "../../src/schema/schema.js";
import { arraysOf, type Cell, cellsIn } from "../arrays.js";

/** A column of cells. */
export interface GivenColumn {
  readonly name: string;
  readonly type: ArrayType | "none";
  readonly cells: readonly Cell[];
}

/** Writes rows into a reader, as one batch. */
export function writeBatch(reader: ColumnReader, columns: readonly GivenColumn[], from: number, to: number): void {
  const arrays = columns.map(({ type, cells }) =>
    type === "none" ? undefined : arraysOf(type, cells.slice(from, to)),
  );
  const sizes = arrays.map((array) => ({ bytes: array?.texts.length ?? 0, entries: array?.entries ?? 0 }));
  for (const [at, places] of reader.batch(to - from, sizes).entries()) {
    const array = arrays[at];
    if (!array) continue;
    for (const part of ["values", "offsets", "texts", "validity"] as const)
      if (array[part].length) reader.engine.write(places[part], array[part]);
  }
}

/** The table of columns, written in batches of so many rows. */
export function tableFrom(schema: Schema, columns: readonly GivenColumn[], batch: number): Table {
  const reader = new ColumnReader(schema, columns);
  const rows = columns[0].cells.length;
  for (let from = 0; from < rows; from += batch) {
    writeBatch(reader, columns, from, Math.min(rows, from + batch));
    reader.coded();
  }
  return reader.end();
}

/** The cells of a table's columns, read in parts of so many rows. Those of a dictionary are its labels. */
export function cellsFrom(writer: ColumnWriter, rows: number, part: number): GivenColumn[] {
  const { engine, columns } = writer;
  return columns.map(({ name, type, labels }, place) => {
    const cells: Cell[] = [];
    for (let from = 0; from < rows; from += part) {
      const made = writer.rows(place, from, part);
      const bytes = {
        values: engine.readU8(made.values, 8 * made.rows),
        offsets: engine.readU8(made.offsets, 4 * made.rows + 4),
        texts: engine.readU8(made.texts, made.bytes),
        validity: engine.readU8(made.validity, Math.ceil(made.rows / 8)),
      };
      cells.push(...cellsIn(type, made.rows, bytes, labels));
    }
    return { name, type, cells };
  });
}
