// The work of a thread that reads part of a table's records.
import type { Codes } from "../core/table.js";
import type { Answer } from "../core/threads.js";
import { parseFields, type Schema } from "../schema/schema.js";
import { slices } from "./bytes.js";
import { CopiedTexts, type Texts } from "./copied-texts.js";
import { columnNames, personColumnOf } from "./header.js";
import { RecordParser } from "./parser.js";
import { RowSink } from "./rows.js";
import { type CellCodes, modelledCodes } from "./table-columns.js";

/** The part of a schema that reading needs. */
type ReadingSchema = Pick<Schema, "fields" | "missingValues" | "unit">;

/** The first message to a thread. After it come pieces: bytes that begin with a record. */
export interface ReadingJob {
  readonly kind: "reading";
  /** The schema's fields as JSON. */
  readonly fields: string;
  readonly missingValues: readonly string[];
  readonly unit: Schema["unit"];
  readonly delimiter: string;
  readonly header: Uint8Array;
}

/** The job of reading a table's pieces. @param header the record with the columns' names */
export function readingJob(schema: Schema, delimiter: string, header: Uint8Array): ReadingJob {
  const { missingValues, unit } = schema;
  return { kind: "reading", fields: JSON.stringify(schema.toJSON().fields), missingValues, unit, delimiter, header };
}

/** The rows of a piece. */
export interface ReadPiece {
  readonly rows: number;
  /** Whether its last record ends with the piece; otherwise the record is cut. */
  readonly isWhole: boolean;
  /** By place in the header: the codes of a modelled column, the texts of the person column, `undefined` for others. */
  readonly columns: readonly (Codes | Texts | undefined)[];
}

/** The answer also returns the piece itself, so that its buffer can be reused. */
export function readsPieces(job: ReadingJob): (text: Uint8Array<ArrayBuffer>) => Answer {
  const { missingValues, unit, delimiter, header } = job;
  const { fields } = parseFields(JSON.parse(job.fields), missingValues);
  const reader = new PieceReader({ fields, missingValues, unit }, delimiter, header);
  return (text) => {
    reader.push(text);
    const read = reader.taken();
    return { message: { text, read }, transfer: [text.buffer, ...read.columns.flatMap(buffersOf)] };
  };
}

function buffersOf(column: Codes | Texts | undefined): ArrayBuffer[] {
  if (!column) return [];
  return "ends" in column ? [column.bytes.buffer, column.ends.buffer] : [column.buffer as ArrayBuffer];
}

/** Reads pieces of one table, wherever they lie in it: a cell's code depends only on its text. */
export class PieceReader {
  readonly #parser: RecordParser;
  readonly #rows: RowSink;
  #columns: readonly (CellCodes | CopiedTexts | undefined)[] = [];
  #taken = 0;

  /** @param header the record with the columns' names, which fits the schema */
  constructor(schema: ReadingSchema, delimiter: string, header: Uint8Array) {
    this.#rows = new RowSink((names) => {
      this.#columns = columnNames(names).map((name) => sinkOf(name, schema));
      return this.#columns;
    });
    this.#parser = new RecordParser(delimiter, this.#rows);
    this.#parser.push(header);
    this.#parser.end();
  }

  push(bytes: Uint8Array): void {
    for (const slice of slices(bytes)) this.#parser.push(slice);
  }

  /** Whether the bytes so far end inside a record. */
  get isInRecord(): boolean {
    return this.#parser.isInRecord;
  }

  /** The rows since the last call. Ends the last record if it is cut; the next bytes begin another one. */
  taken(): ReadPiece {
    const isWhole = !this.isInRecord;
    this.#parser.end();
    const rows = this.#rows.rows - this.#taken;
    this.#taken = this.#rows.rows;
    return { rows, isWhole, columns: this.#columns.map((column) => column?.taken()) };
  }
}

function sinkOf(name: string, schema: ReadingSchema): CellCodes | CopiedTexts | undefined {
  if (name === personColumnOf(schema)) return new CopiedTexts();
  const field = schema.fields.find((candidate) => candidate.name === name);
  return field?.domain && modelledCodes(field, schema);
}
