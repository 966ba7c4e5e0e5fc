import { type Codec, type Column, Table } from "../core/table.js";
import { Instance } from "../engine/instance.js";
import { StoredCodes } from "../engine/stored-codes.js";
import { codecOf } from "../schema/decode.js";
import { cellRule } from "../schema/encode.js";
import type { Field, Schema } from "../schema/schema.js";
import { checkHeader, columnNames, headerRule, personColumnOf } from "./header.js";
import { type BeginRecords, type Header, type RecordBytes, RecordReader } from "./reader.js";
import { type ReadAs, TableReader } from "./table-reader.js";

/** An instance of the engine that holds the rows of one table. Its codes are copied out only when asked for. */
export class TableStore {
  readonly engine = new Instance();
  readonly #schema: Schema;
  #names: readonly string[] = [];
  #delimiter = "";
  #reader: TableReader | undefined;

  constructor(schema: Schema) {
    this.#schema = schema;
  }

  /** Begins with the records after a header. @throws {StandinError} as in `checkHeader` */
  begin({ delimiter, names, endsInReturn }: Header): TableReader {
    checkHeader(names, this.#schema);
    this.#names = columnNames(names);
    this.#delimiter = delimiter;
    const columns = this.#names.map((name) => readAs(name, this.#schema));
    this.#reader = new TableReader(this.engine, delimiter, columns, endsInReturn);
    return this.#reader;
  }

  /**
   * Reads the bytes of the file up to its header, then passes on the rest.
   * @param begin takes the records; it calls the store's own `begin`
   */
  records<Records extends RecordBytes>(begin: BeginRecords<Records>): RecordReader<Records> {
    const { engine } = this;
    return new RecordReader(engine, this.#schema.dialect.skipLines ?? 0, headerRule(this.#schema, engine), begin);
  }

  /** Overwrites the rows with zeros, and gives the engine back. */
  wipe(): void {
    if (this.engine.isDropped) return;
    this.engine.exports.wipe();
    this.engine.drop();
  }

  /** The table of the rows that the reader has. */
  table(): Table {
    const reader = this.#reader!;
    const { rows } = reader;
    const columns = this.#names.flatMap((name, place): Column[] => {
      const field = fieldNamed(name, this.#schema);
      if (!field || field.role === "drop") return [];
      const codec = codecOf(field, this.#schema);
      return [field.domain ? new StoredColumn(name, codec, reader.stored(place)) : idColumn(name, codec, rows)];
    });
    const person = personColumnOf(this.#schema);
    const persons = person === undefined ? undefined : reader.stored(this.#names.indexOf(person));
    return new Table(columns, rows, this.#delimiter, persons, this.#schema.toJSON(), () => this.wipe());
  }
}

/** A modelled column of a table that was read from a file. */
class StoredColumn extends StoredCodes implements Column {
  constructor(
    readonly name: string,
    readonly codec: Codec,
    { engine, length, bytes, blockAt }: StoredCodes,
  ) {
    super(engine, length, bytes, blockAt);
  }
}

/** An id column, whose codes are the numbers of the rows. */
const idColumn = (name: string, codec: Codec, length: number): Column => ({
  name,
  codec,
  get codes() {
    return Uint32Array.from({ length }, (_, row) => row);
  },
});

/** How a column is read, given its name in the schema. */
export function readAs(name: string, schema: Pick<Schema, "fields" | "missingValues" | "unit">): ReadAs | undefined {
  if (name === personColumnOf(schema)) return { kind: "person", missingValues: schema.missingValues };
  const field = fieldNamed(name, schema);
  return field?.domain && cellRule(field, schema);
}

function fieldNamed(name: string, { fields }: Pick<Schema, "fields">): Field | undefined {
  return fields.find((field) => field.name === name);
}
