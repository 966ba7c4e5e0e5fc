import { type Codes, type Column, Table } from "../core/table.js";
import { NO_PERSON } from "../engine/layout.js";
import { codecOf } from "../schema/decode.js";
import { type CellReader, cellReader } from "../schema/encode.js";
import type { Schema } from "../schema/schema.js";
import { Dictionary } from "./dictionary.js";
import type { Header } from "./header.js";
import type { Sink } from "./parser.js";

/** Cells remembered a column: beyond these a column is nearly all different values, and remembering them costs more than it saves. */
const REMEMBERED = 1 << 16;
const FIRST_ROWS = 1024;

/** Fills columns of codes from cells. Too short a record has missing cells at its end, too long a one is cut. */
export class Records implements Sink {
  readonly #schema: Schema;
  readonly #header: Header;
  /** What takes the cells of each column of the header: a field's codes, person numbers, both, or nothing. */
  readonly #takers: readonly (readonly CodeColumn[])[];
  readonly #codes = new Map<string, CodeColumn>();
  readonly #persons: CodeColumn | undefined = undefined;
  #column = 0;
  #rows = 0;
  #room = FIRST_ROWS;

  constructor(schema: Schema, header: Header) {
    this.#schema = schema;
    this.#header = header;
    const { unit } = schema;
    const absent = schema.missingValues[0] ?? "";
    const personColumn = unit === "row" ? undefined : unit.column;
    if (personColumn !== undefined)
      this.#persons = new CodeColumn(personReader(schema), NO_PERSON, Number.POSITIVE_INFINITY);
    this.#takers = header.names.map((name) => {
      const field = schema.fields.find((candidate) => candidate.name === name);
      const takers: CodeColumn[] = [];
      if (field?.domain) {
        const reader = cellReader(field, schema);
        const codes = new CodeColumn(reader, reader.encode(absent), REMEMBERED);
        this.#codes.set(name, codes);
        takers.push(codes);
      }
      if (name === personColumn && this.#persons) takers.push(this.#persons);
      return takers;
    });
  }

  cell(bytes: Uint8Array, length: number, hash: number): void {
    if (this.#column < this.#takers.length)
      for (const taker of this.#takers[this.#column]) taker.put(this.#rows, bytes, length, hash);
    this.#column++;
  }

  row(blank: boolean): void {
    const columns = this.#takers.length;
    const isRecord = !blank || columns === 1;
    if (isRecord) {
      for (let column = this.#column; column < columns; column++)
        for (const taker of this.#takers[column]) taker.putAbsent(this.#rows);
      this.#rows++;
      if (this.#rows === this.#room) this.#grow();
    }
    this.#column = 0;
  }

  /** The table of all records so far: the header's columns in order, those that the schema models and its ids. */
  table(): Table {
    const length = this.#rows;
    const columns = this.#header.names.flatMap((name): Column[] => {
      const field = this.#schema.fields.find((candidate) => candidate.name === name);
      if (!field || field.role === "drop") return [];
      const codes = this.#codes.get(name)?.codes(length) ?? Uint32Array.from({ length }, (_, row) => row);
      return [{ name, codes, codec: codecOf(field, this.#schema) }];
    });
    return new Table(columns, length, this.#header.delimiter, this.#persons?.codes(length) as Uint32Array | undefined);
  }

  #grow(): void {
    this.#room *= 2;
    for (const codes of this.#codes.values()) codes.grow(this.#room);
    this.#persons?.grow(this.#room);
  }
}

/** One column's stored codes. */
class CodeColumn {
  readonly #reader: CellReader;
  readonly #absent: number;
  readonly #seen: Dictionary;
  readonly #encode: (text: string) => number;
  #codes: Codes;

  /** @param absent the code of a cell that a short record lacks */
  constructor(reader: CellReader, absent: number, remembered: number) {
    this.#reader = reader;
    this.#absent = absent;
    this.#seen = new Dictionary(remembered);
    this.#encode = (text) => reader.encode(text);
    this.#codes = reader.allocate(FIRST_ROWS);
  }

  put(row: number, bytes: Uint8Array, length: number, hash: number): void {
    this.#codes[row] = this.#seen.code(bytes, length, hash, this.#encode);
  }

  putAbsent(row: number): void {
    this.#codes[row] = this.#absent;
  }

  grow(rows: number): void {
    const larger = this.#reader.allocate(rows);
    larger.set(this.#codes);
    this.#codes = larger;
  }

  codes(rows: number): Codes {
    return this.#codes.slice(0, rows);
  }
}

/** Numbers persons in the order of their first rows; a missing one is nobody, which the vault takes for a person of one row. */
function personReader({ missingValues }: Schema): CellReader {
  const missing = new Set(missingValues);
  let next = 0;
  return {
    encode: (text) => (missing.has(text) ? NO_PERSON : next++),
    allocate: (length) => new Uint32Array(length),
  };
}
