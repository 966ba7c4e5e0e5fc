import { type Codes, type Column, Table } from "../core/table.js";
import { allocate } from "../domain/stored.js";
import { NO_PERSON } from "../engine/layout.js";
import { codecOf } from "../schema/decode.js";
import { cellReader } from "../schema/encode.js";
import type { Field, Schema } from "../schema/schema.js";
import type { Cells } from "./cells.js";
import { putTexts } from "./copied-texts.js";
import { ByteDictionary, REMEMBERED } from "./dictionary.js";
import { checkHeader, columnNames, personColumnOf } from "./header.js";
import type { ReadPiece } from "./piece-reader.js";
import type { ColumnSink } from "./rows.js";

const FIRST_ROWS = 1024;

/**
 * Turns cells into the codes of a table's columns. If nothing can be missing, a missing cell is read as an empty one.
 */
export class TableColumns {
  readonly #schema: Schema;
  #names: readonly string[] = [];
  #codes: (CellCodes | undefined)[] = [];
  #persons: CellCodes | undefined;
  /** By place in the header: the codes of appended rows, not joined yet. */
  #parts: Codes[][] = [];
  #appended = 0;

  constructor(schema: Schema) {
    this.#schema = schema;
  }

  /** The sink for the cells of each column. @throws {StandinError} as in `checkHeader` */
  open(header: readonly string[]): (ColumnSink | undefined)[] {
    checkHeader(header, this.#schema);
    this.#names = columnNames(header);
    this.#codes = this.#names.map((name) => {
      const field = this.#fieldNamed(name);
      return field?.domain && modelledCodes(field, this.#schema);
    });
    this.#parts = this.#names.map(() => []);
    const personName = personColumnOf(this.#schema);
    if (personName === undefined) return [...this.#codes];
    const persons = personNumbers(this.#schema);
    this.#persons = persons;
    return this.#codes.map((codes, at) => (this.#names[at] === personName ? persons : codes));
  }

  /** Takes rows that another reader has read. */
  append({ rows, columns }: ReadPiece): void {
    columns.forEach((column, place) => {
      if (column && "ends" in column) putTexts(column, this.#persons!);
      else if (column) this.#parts[place].push(column);
    });
    this.#appended += rows;
  }

  /** How many rows were appended. */
  get appended(): number {
    return this.#appended;
  }

  /** The table of this many rows. Releases the arrays in which it was built. */
  table(rows: number, delimiter: string): Table {
    const columns = this.#names.flatMap((name, at): Column[] => {
      const field = this.#fieldNamed(name);
      if (!field || field.role === "drop") return [];
      const codes = this.#taken(at, field, rows) ?? Uint32Array.from({ length: rows }, (_, row) => row);
      return [{ name, codes, codec: codecOf(field, this.#schema) }];
    });
    const persons = this.#persons?.taken() as Uint32Array | undefined;
    return new Table(columns, rows, delimiter, persons, this.#schema.toJSON());
  }

  /** Returns the codes of a modelled column. Either all of its rows were read here or all were appended. */
  #taken(place: number, field: Field, rows: number): Codes | undefined {
    const read = this.#codes[place];
    const parts = this.#parts[place];
    this.#codes[place] = undefined;
    this.#parts[place] = [];
    if (!read || !parts.length) return read?.taken();
    const codes = allocate(field, rows);
    let row = 0;
    for (const part of parts) {
      codes.set(part, row);
      row += part.length;
    }
    return codes;
  }

  #fieldNamed(name: string): Field | undefined {
    return this.#schema.fields.find((field) => field.name === name);
  }
}

/** The codes of one column's cells, one per row. */
export class CellCodes implements ColumnSink {
  readonly #dictionary: ByteDictionary;
  readonly #allocate: (length: number) => Codes;
  readonly #missing: number;
  #codes: Codes;
  #rows = 0;

  /** @param missing the code of an absent cell */
  constructor(dictionary: ByteDictionary, allocate: (length: number) => Codes, missing: number) {
    this.#dictionary = dictionary;
    this.#allocate = allocate;
    this.#missing = missing;
    this.#codes = allocate(FIRST_ROWS);
  }

  put(cells: Cells, first: number, stride: number, count: number): void {
    const row = this.#add(count);
    this.#dictionary.read(cells, first, stride, this.#codes, row, this.#rows);
  }

  putMissing(): void {
    // In two steps, because adding a row may replace the array.
    const row = this.#add(1);
    this.#codes[row] = this.#missing;
  }

  /** Returns the codes of all rows so far, and starts again in the same array. */
  taken(): Codes {
    const codes = this.#codes.slice(0, this.#rows);
    this.#rows = 0;
    return codes;
  }

  /** Makes room for more rows and returns the first one. */
  #add(count: number): number {
    const row = this.#rows;
    this.#rows += count;
    if (this.#rows > this.#codes.length) {
      const larger = this.#allocate(Math.max(this.#rows, 2 * this.#codes.length));
      larger.set(this.#codes);
      this.#codes = larger;
    }
    return row;
  }
}

/** The sink for the cells of a modelled field. */
export function modelledCodes(field: Field, schema: Pick<Schema, "missingValues">): CellCodes {
  const reader = cellReader(field, schema);
  return new CellCodes(
    new ByteDictionary(reader.encode, REMEMBERED),
    reader.allocate,
    reader.encode(schema.missingValues[0] ?? ""),
  );
}

/** Persons are numbered in order of first appearance. Missing cells belong to nobody. */
function personNumbers({ missingValues }: Schema): CellCodes {
  let people = 0;
  const number = (text: string) => (missingValues.includes(text) ? NO_PERSON : people++);
  return new CellCodes(new ByteDictionary(number, Infinity), (length) => new Uint32Array(length), NO_PERSON);
}
