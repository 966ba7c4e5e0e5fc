import { StandinError } from "../core/errors.js";
import { type Codes, type Column, Table } from "../core/table.js";
import { codecOf } from "../schema/decode.js";
import { cellReader } from "../schema/encode.js";
import type { Field, Schema } from "../schema/schema.js";
import { type Dialect, delimiterOf } from "./dialect.js";
import { ByteDictionary, cellText } from "./dictionary.js";
import { CR, LF, RecordParser, type RecordSink } from "./parser.js";

/** Most texts that a column remembers: about 4 MiB a column at most. */
const REMEMBERED = 65_536;
/** The person number of a row without a person. */
const NOBODY = 0xffffffff;
/** Most names that an error lists. */
const LISTED = 10;

/**
 * Reads UTF-8 bytes of a table, in pieces of any size.
 *
 * Lines to skip are counted by their line ends alone; blank lines before the header are no header. Too few cells in a record are
 * missing ones, too many are cut; a blank line is no record, but a missing cell in a table of one column. Where nothing can be missing,
 * the missing cell is read as an empty one.
 */
export class CsvReader {
  readonly #schema: Schema;
  readonly #dialect: Dialect;
  readonly #rows: RowSink;
  #toSkip: number;
  #afterReturn = false;
  /** What came before the end of the header's line. */
  #head: Uint8Array[] = [];
  #parser: RecordParser | undefined;
  #delimiter = 0;

  constructor(schema: Schema, dialect: Dialect) {
    this.#schema = schema;
    this.#dialect = dialect;
    this.#rows = new RowSink(schema, dialect.missing);
    this.#toSkip = dialect.skipLines;
  }

  /** @throws {StandinError} `files/missing-column`, `files/duplicate-column`, before anything after the header is looked at */
  push(bytes: Uint8Array): void {
    if (this.#parser) this.#parser.push(bytes);
    else this.#open(this.#skipLines(bytes));
  }

  /** The table. @throws {StandinError} as `push`, and `files/empty` where there was no header */
  end(): Table {
    this.#parser ??= this.#start();
    this.#parser.end();
    return this.#rows.table(String.fromCharCode(this.#delimiter));
  }

  #skipLines(bytes: Uint8Array): Uint8Array {
    let at = 0;
    for (; this.#toSkip > 0 && at < bytes.length; at++) {
      const byte = bytes[at];
      if (byte === CR || (byte === LF && !this.#afterReturn)) this.#toSkip--;
      this.#afterReturn = byte === CR;
    }
    return bytes.subarray(at);
  }

  #open(bytes: Uint8Array): void {
    const text = this.#head.length ? bytes : bytes.subarray(bytes.findIndex((byte) => !isLineEnd(byte)) >>> 0);
    if (!text.length) return;
    this.#head.push(text.slice());
    if (text.some(isLineEnd)) this.#parser = this.#start();
  }

  /** A parser that knows the delimiter and has taken what came so far. */
  #start(): RecordParser {
    const { delimiter, quote } = this.#dialect;
    const head = joined(this.#head);
    const end = head.findIndex(isLineEnd);
    this.#delimiter = delimiter ?? delimiterOf(end < 0 ? head : head.subarray(0, end), quote, this.#schema);
    const parser = new RecordParser(this.#delimiter, quote, this.#rows);
    parser.push(head);
    this.#head = [];
    return parser;
  }
}

/** Takes the header's names, then turns every record's cells into codes. */
class RowSink implements RecordSink {
  readonly #schema: Schema;
  readonly #missing: readonly string[];
  readonly #names: string[] = [];
  /** By place in the header; empty before it is complete. */
  #columns: (CellCodes | undefined)[] = [];
  #width = 0;
  #personColumn = -1;
  #persons: CellCodes | undefined;
  #rows = 0;
  #room = 0;

  constructor(schema: Schema, missing: readonly string[]) {
    this.#schema = schema;
    this.#missing = missing;
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

  /** @throws {StandinError} `files/empty` where there was no header */
  table(delimiter: string): Table {
    if (this.#width === 0)
      throw new StandinError(
        "files/empty",
        "The file is empty, or has no line after the skipped ones: there is no header.",
        `Expected a line with the columns ${listed(this.#schema.fields.map(({ name }) => name))}.`,
      );
    const columns = this.#names.flatMap((name, at): Column[] => {
      const field = this.#fieldNamed(name);
      if (!field || field.role === "drop") return [];
      const codes = this.#columns[at]?.taken(this.#rows) ?? Uint32Array.from({ length: this.#rows }, (_, row) => row);
      return [{ name, codes, codec: codecOf(field, this.#schema) }];
    });
    return new Table(columns, this.#rows, delimiter, this.#persons?.taken(this.#rows) as Uint32Array | undefined);
  }

  #openColumns(): void {
    const { unit } = this.#schema;
    const personName = unit === "row" ? undefined : unit.column;
    checkHeader(this.#names, this.#schema, personName);
    this.#width = this.#names.length;
    this.#columns = this.#names.map((name) => {
      const field = this.#fieldNamed(name);
      return field?.domain && modelledCodes(field, this.#schema, this.#missing);
    });
    if (personName !== undefined) {
      this.#personColumn = this.#names.indexOf(personName);
      this.#persons = personNumbers(this.#missing);
    }
    this.#grow();
  }

  #grow(): void {
    this.#room = Math.max(1024, 2 * this.#room);
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

function modelledCodes(field: Field, schema: Schema, missing: readonly string[]): CellCodes {
  const reader = cellReader(field, { ...schema, missingValues: missing });
  return new CellCodes(new ByteDictionary(reader.encode, REMEMBERED), reader.allocate, reader.encode(missing[0] ?? ""));
}

/** Persons are numbered in the order of first appearance; cells that are missing are nobody's. */
function personNumbers(missing: readonly string[]): CellCodes {
  let people = 0;
  const number = (text: string) => (missing.includes(text) ? NOBODY : people++);
  return new CellCodes(new ByteDictionary(number, Infinity), (length) => new Uint32Array(length), NOBODY);
}

/** A first line that does not fit may be a person's record: errors name the schema's columns, never the line's cells. */
function checkHeader(names: readonly string[], schema: Schema, personName: string | undefined): void {
  const found = new Map<string, number>();
  for (const name of names) found.set(name, (found.get(name) ?? 0) + 1);
  const absent = schema.fields.filter(
    ({ name, role }) => !found.has(name) && (role === "model" || name === personName),
  );
  if (absent.length)
    throw new StandinError(
      "files/missing-column",
      `The header has ${names.length} columns, and these of the schema are not among them: ${listed(absent.map(({ name }) => name))}.`,
      "Check the first line, the delimiter, and the spelling of the names.",
    );
  const twice = schema.fields.find(({ name }) => (found.get(name) ?? 0) > 1);
  if (twice)
    throw new StandinError(
      "files/duplicate-column",
      `The header has the column ${JSON.stringify(twice.name)} more than once.`,
      "Give each column a name of its own.",
    );
}

function listed(names: readonly string[]): string {
  const shown = names.slice(0, LISTED).map((name) => JSON.stringify(name));
  return names.length > LISTED ? `${shown.join(", ")} and ${names.length - LISTED} more` : shown.join(", ");
}

const isLineEnd = (byte: number) => byte === LF || byte === CR;

function joined(chunks: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(chunks.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.length;
  }
  return all;
}
