import { type Codes, type Column, Table } from "../core/table.js";
import { NO_PERSON } from "../engine/layout.js";
import { codecOf } from "../schema/decode.js";
import { cellReader } from "../schema/encode.js";
import type { Field, Schema } from "../schema/schema.js";
import { ByteDictionary, cellText } from "./dictionary.js";
import { checkHeader, personColumnOf } from "./header.js";
import type { RecordSink } from "./parser.js";

/** Most texts that a column remembers: about 5 MiB a column at most. */
const REMEMBERED = 65_536;
const FIRST_ROWS = 1024;

/**
 * Takes the header's names, then turns every record's cells into codes. Too few cells in a record are missing ones, too many are cut; a
 * blank line is no record, but a missing cell in a table of one column. Where nothing can be missing, the missing cell is read as an
 * empty one.
 */
export class RowSink implements RecordSink {
  readonly #schema: Schema;
  readonly #names: string[] = [];
  /** By place in the header; empty before it is complete. */
  #columns: (CellCodes | undefined)[] = [];
  #width = 0;
  #personColumn = -1;
  #persons: CellCodes | undefined;
  #rows = 0;
  #room = 0;

  constructor(schema: Schema) {
    this.#schema = schema;
  }

  cell(column: number, bytes: Uint8Array, length: number, hash: number): void {
    if (this.#width === 0) this.#names.push(cellText(bytes, length));
    else if (column < this.#width) {
      this.#columns[column]?.put(this.#rows, bytes, length, hash);
      if (column === this.#personColumn) this.#persons?.put(this.#rows, bytes, length, hash);
    }
  }

  record(cells: number): void {
    if (this.#width === 0) {
      if (cells > 0) this.#openColumns();
      return;
    }
    if (cells === 0 && this.#width > 1) return;
    for (let column = cells; column < this.#width; column++) this.#columns[column]?.putMissing(this.#rows);
    if (cells <= this.#personColumn) this.#persons?.putMissing(this.#rows);
    if (++this.#rows === this.#room) this.#grow();
  }

  /** The rows so far. @throws {StandinError} `files/empty` where there was no header */
  table(delimiter: string): Table {
    checkHeader(this.#names, this.#schema);
    const columns = this.#names.flatMap((name, at): Column[] => {
      const field = this.#fieldNamed(name);
      if (!field || field.role === "drop") return [];
      const codes = this.#columns[at]?.taken(this.#rows) ?? Uint32Array.from({ length: this.#rows }, (_, row) => row);
      return [{ name, codes, codec: codecOf(field, this.#schema) }];
    });
    const persons = this.#persons?.taken(this.#rows) as Uint32Array | undefined;
    return new Table(columns, this.#rows, delimiter, persons, this.#schema.toJSON());
  }

  #openColumns(): void {
    checkHeader(this.#names, this.#schema);
    this.#width = this.#names.length;
    this.#columns = this.#names.map((name) => {
      const field = this.#fieldNamed(name);
      return field?.domain && modelledCodes(field, this.#schema);
    });
    const personName = personColumnOf(this.#schema);
    if (personName !== undefined) {
      this.#personColumn = this.#names.indexOf(personName);
      this.#persons = personNumbers(this.#schema);
    }
    this.#grow();
  }

  #grow(): void {
    this.#room = Math.max(FIRST_ROWS, 2 * this.#room);
    for (const column of this.#columns) column?.grow(this.#room);
    this.#persons?.grow(this.#room);
  }

  #fieldNamed(name: string): Field | undefined {
    return this.#schema.fields.find((field) => field.name === name);
  }
}

/** The codes of one column's cells, one a row. */
class CellCodes {
  readonly #dictionary: ByteDictionary;
  readonly #allocate: (length: number) => Codes;
  readonly #missing: number;
  #codes: Codes;

  /** @param missing the code of a cell that is not there */
  constructor(dictionary: ByteDictionary, allocate: (length: number) => Codes, missing: number) {
    this.#dictionary = dictionary;
    this.#allocate = allocate;
    this.#missing = missing;
    this.#codes = allocate(0);
  }

  put(row: number, bytes: Uint8Array, length: number, hash: number): void {
    this.#codes[row] = this.#dictionary.code(bytes, length, hash);
  }

  putMissing(row: number): void {
    this.#codes[row] = this.#missing;
  }

  grow(room: number): void {
    const larger = this.#allocate(room);
    larger.set(this.#codes);
    this.#codes = larger;
  }

  /** Hands over the codes of all rows, and lets go of the room that they grew in. */
  taken(rows: number): Codes {
    const codes = this.#codes.slice(0, rows);
    this.#codes = this.#allocate(0);
    return codes;
  }
}

function modelledCodes(field: Field, schema: Schema): CellCodes {
  const reader = cellReader(field, schema);
  return new CellCodes(
    new ByteDictionary(reader.encode, REMEMBERED),
    reader.allocate,
    reader.encode(schema.missingValues[0] ?? ""),
  );
}

/** Persons are numbered in the order of first appearance; cells that are missing are nobody's. */
function personNumbers({ missingValues }: Schema): CellCodes {
  let people = 0;
  const number = (text: string) => (missingValues.includes(text) ? NO_PERSON : people++);
  return new CellCodes(new ByteDictionary(number, Infinity), (length) => new Uint32Array(length), NO_PERSON);
}
