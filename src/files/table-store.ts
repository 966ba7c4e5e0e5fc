import { type Codes, type Column, Table } from "../core/table.js";
import { Instance } from "../engine/instance.js";
import { codecOf } from "../schema/decode.js";
import { cellRule } from "../schema/encode.js";
import type { Field, Schema } from "../schema/schema.js";
import { checkHeader, columnNames, personColumnOf } from "./header.js";
import type { Header } from "./reader.js";
import { type ReadAs, TableReader } from "./table-reader.js";

/** An instance of the engine that holds the rows of one table: its codes are copied out where they are asked for. */
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

  /** The table of the rows that the reader has. */
  table(): Table {
    const reader = this.#reader!;
    const { rows } = reader;
    const columns = this.#names.flatMap((name, place): Column[] => {
      const field = fieldNamed(name, this.#schema);
      if (!field || field.role === "drop") return [];
      const codes = field.domain
        ? () => reader.codes(place)
        : () => Uint32Array.from({ length: rows }, (_, row) => row);
      return [new StoredColumn(name, codecOf(field, this.#schema), codes)];
    });
    const person = personColumnOf(this.#schema);
    const persons = person === undefined ? undefined : reader.codes(this.#names.indexOf(person));
    return new Table(columns, rows, this.#delimiter, persons as Uint32Array | undefined, this.#schema.toJSON());
  }
}

class StoredColumn implements Column {
  readonly #codes: () => Codes;

  constructor(
    readonly name: string,
    readonly codec: Column["codec"],
    codes: () => Codes,
  ) {
    this.#codes = codes;
  }

  get codes(): Codes {
    return this.#codes();
  }
}

/** How a column is read, given its name in the schema. */
export function readAs(name: string, schema: Pick<Schema, "fields" | "missingValues" | "unit">): ReadAs | undefined {
  if (name === personColumnOf(schema)) return { kind: "person", missingValues: schema.missingValues };
  const field = fieldNamed(name, schema);
  return field?.domain && cellRule(field, schema);
}

function fieldNamed(name: string, { fields }: Pick<Schema, "fields">): Field | undefined {
  return fields.find((field) => field.name === name);
}
