// The work of a thread that reads part of a table's records.
import type { Codes } from "../core/table.js";
import type { Answer } from "../core/threads.js";
import { Instance } from "../engine/instance.js";
import { parseFields, type Schema } from "../schema/schema.js";
import { columnNames } from "./header.js";
import type { Header } from "./reader.js";
import { type ReadAs, TableReader, type Texts } from "./table-reader.js";
import { readAs } from "./table-store.js";

/** The part of a schema that reading needs. */
type ReadingSchema = Pick<Schema, "fields" | "missingValues" | "unit">;

/** The first message to a thread. After it come pieces: bytes that begin with a record. */
export interface ReadingJob {
  readonly kind: "reading";
  /** The schema's fields as JSON. */
  readonly fields: string;
  readonly missingValues: readonly string[];
  readonly unit: Schema["unit"];
  readonly header: Header;
}

/** The job of reading a table's pieces. */
export function readingJob(schema: Schema, header: Header): ReadingJob {
  const { missingValues, unit } = schema;
  return { kind: "reading", fields: JSON.stringify(schema.toJSON().fields), missingValues, unit, header };
}

/** The rows of a piece. */
export interface ReadPiece {
  readonly rows: number;
  /** Whether its last record ends with the piece; otherwise the record is cut. */
  readonly isWhole: boolean;
  /** By place in the header: the codes of a modelled column, the texts of the person column, `undefined` for others. */
  readonly columns: readonly (Codes | Texts | undefined)[];
}

/** A piece to read, or the end: what was read is overwritten. */
export type PieceRequest = Uint8Array<ArrayBuffer> | "wipe";

/** The answer also returns the piece itself, so that its buffer can be reused. */
export function readsPieces(job: ReadingJob): (request: PieceRequest) => Answer {
  const { missingValues, unit, header } = job;
  const { fields } = parseFields(JSON.parse(job.fields), missingValues);
  const reader = new PieceReader({ fields, missingValues, unit }, header);
  return (text) => {
    if (text === "wipe") {
      reader.wipe();
      return { message: undefined, transfer: [] };
    }
    reader.push(text);
    const read = reader.taken();
    return { message: { text, read }, transfer: [text.buffer, ...read.columns.flatMap(buffersOf)] };
  };
}

function buffersOf(column: Codes | Texts | undefined): ArrayBuffer[] {
  if (!column) return [];
  if (!("offsets" in column)) return [column.buffer as ArrayBuffer];
  return [column.bytes.buffer, column.offsets.buffer, column.validity.buffer];
}

/** Reads pieces of one table, wherever they lie in it: a cell's code depends only on its text. */
export class PieceReader {
  readonly #columns: readonly (ReadAs | undefined)[];
  readonly #engine = new Instance();
  readonly #reader: TableReader;

  /** @param header that of the table, which fits the schema */
  constructor(schema: ReadingSchema, { names, delimiter }: Header) {
    // Persons are numbered in the order of the file, which the reader of a piece does not know.
    this.#columns = columnNames(names).map((name) => {
      const column = readAs(name, schema);
      return column?.kind === "person" ? { kind: "text", limit: 0 } : column;
    });
    this.#reader = new TableReader(this.#engine, delimiter, this.#columns);
  }

  push(bytes: Uint8Array): void {
    this.#reader.push(bytes);
  }

  /** Whether the bytes so far end inside a record. */
  get isInRecord(): boolean {
    return this.#reader.isInRecord;
  }

  /** The rows since the last call. Ends the last record if it is cut; the next bytes begin another one. */
  taken(): ReadPiece {
    const isWhole = !this.isInRecord;
    this.#reader.end();
    const { rows } = this.#reader;
    const columns = this.#columns.map(
      (column, place) =>
        column && (column.kind === "text" ? this.#reader.texts(place) : this.#reader.stored(place).codes),
    );
    this.#reader.restart();
    return { rows, isWhole, columns };
  }

  /** Overwrites everything with zeros. Nothing is read any more. */
  wipe(): void {
    this.#engine.exports.wipe();
    this.#engine.drop();
  }
}
