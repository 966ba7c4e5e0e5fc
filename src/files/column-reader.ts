import { StandinError } from "../core/errors.js";
import type { Table } from "../core/table.js";
import type { Instance } from "../engine/instance.js";
import { ARRAY_BYTES, MOST_BYTES } from "../engine/layout.js";
import { expectSchema, type Field, type Schema } from "../schema/schema.js";
import { ARRAY_TYPES, type ArrayPlaces, type ArrayType, arrayStruct } from "./arrays.js";
import { checkHeader, columnNames, personColumnOf } from "./header.js";
import { given, noMemory } from "./memory.js";
import type { TableReader } from "./table-reader.js";
import { readAs, TableStore } from "./table-store.js";

/** A column as its host has it; `none` if the host gives nothing of it. */
export interface TypedColumn {
  readonly name: string;
  readonly type: ArrayType | "none";
}

/** How much a host writes of a column in a batch. */
export interface BatchSize {
  /** The bytes of its texts. */
  readonly bytes: number;
  /** How many texts its dictionary has. */
  readonly entries: number;
}

/** Bytes after texts that the engine may read. */
const SLACK = 8;
/** Arrays begin at multiples of this. */
const ALIGNMENT = 16;
const MICROSECONDS = { d: 86_400_000_000n, s: 1_000_000n };
const NOWHERE: ArrayPlaces = { values: 0, offsets: 0, texts: 0, validity: 0 };

/** A column that is read: its struct ARRAY, and the moments that are missing cells. */
interface OpenColumn {
  readonly struct: number;
  readonly gaps: number;
  readonly gapCount: number;
}

/** What the host is writing. */
interface Batch {
  readonly rows: number;
  readonly sizes: readonly BatchSize[];
  readonly places: readonly ArrayPlaces[];
}

/** Reads a table whose host writes its columns into the engine, batch by batch. */
export class ColumnReader {
  readonly #columns: readonly TypedColumn[];
  readonly #store: TableStore;
  readonly #reader: TableReader;
  readonly #open: readonly (OpenColumn | undefined)[];
  #room = { pointer: 0, bytes: 0 };
  #batch: Batch | undefined;
  /** The error that every later call throws again. */
  #failure: unknown;

  /**
   * @throws {StandinError} as `checkHeader`, about the names of the columns; `frames/type` for a type that cannot hold
   *   what the schema states
   */
  constructor(schema: Schema, columns: readonly TypedColumn[]) {
    expectSchema(schema);
    const names = columns.map(({ name }) => name);
    checkHeader(names, schema);
    const unique = columnNames(names);
    for (const [at, { type }] of columns.entries()) checkType(unique[at], type, schema);
    this.#columns = columns;
    this.#store = new TableStore(schema);
    this.#reader = this.#store.begin({ delimiter: schema.dialect.delimiter ?? ",", names, endsInReturn: false });
    this.#open = unique.map((name, at) => (readAs(name, schema) ? this.#opened(name, columns[at], schema) : undefined));
  }

  get engine(): Instance {
    return this.#store.engine;
  }

  /** How many columns the host has. */
  get width(): number {
    return this.#columns.length;
  }

  /**
   * Makes room for a batch of rows, in place of one that is not coded.
   * @param sizes one for each column
   * @returns for each column where its arrays are to be written; all bytes are 0, also those of the validity
   * @throws {StandinError} `files/memory`
   */
  batch(rows: number, sizes: readonly BatchSize[]): readonly ArrayPlaces[] {
    return this.#guarded(() => {
      this.#forget();
      const { end } = this.#layOut(rows, sizes, 0);
      const { places } = this.#layOut(rows, sizes, this.#roomFor(end));
      this.#batch = { rows, sizes, places };
      return places;
    });
  }

  /**
   * Adds the rows that the host has written, and overwrites the arrays with zeros.
   * @throws {StandinError} `host/batch` where there is no batch; `files/memory`
   */
  coded(): void {
    this.#guarded(() => {
      if (!this.#batch) throw notNow("There is no batch to code.");
      const { rows, sizes, places } = this.#batch;
      const arrays = this.#open.map((open, at) => {
        if (!open) return undefined;
        const { struct, gaps, gapCount } = open;
        const facts = { ...places[at], ...sizes[at], type: this.#columns[at].type as ArrayType, gaps, gapCount };
        this.engine.write(struct, arrayStruct(facts));
        return struct;
      });
      this.#reader.take(rows, arrays);
      this.#forget();
    });
  }

  /** The table. @throws {StandinError} `host/batch` where a batch is not coded */
  end(): Table {
    return this.#guarded(() => {
      if (this.#batch) throw notNow("A batch is not coded yet.");
      return this.#store.table();
    });
  }

  /** Overwrites the rows with zeros, and gives the engine back. The table cannot be used any more. */
  close(): void {
    this.#store.wipe();
  }

  /** Runs a job. Once one has failed, rows may be incomplete, so no other is begun. */
  #guarded<T>(job: () => T): T {
    if (this.#failure) throw this.#failure;
    try {
      return job();
    } catch (error) {
      this.#failure = error;
      this.#forget();
      throw error;
    }
  }

  /** Overwrites the arrays of the batch with zeros. */
  #forget(): void {
    if (this.#batch) this.engine.exports.clear(this.#room.pointer, this.#room.bytes);
    this.#batch = undefined;
  }

  /** Where the arrays of a batch go from a place on, and where they end. */
  #layOut(rows: number, sizes: readonly BatchSize[], from: number) {
    let end = from;
    const take = (bytes: number) => {
      const at = end;
      end += Math.ceil(bytes / ALIGNMENT) * ALIGNMENT;
      return at;
    };
    const places = this.#columns.map(({ type }, at): ArrayPlaces => {
      const { bytes, entries } = sizes[at];
      if (type === "none") return NOWHERE;
      const hasTexts = type === "text" || type === "dictionary";
      return {
        values: type === "text" ? 0 : take(rows * (type === "dictionary" ? 4 : 8)),
        offsets: hasTexts ? take(4 * ((type === "text" ? rows : entries) + 1)) : 0,
        texts: hasTexts ? take(bytes + SLACK) : 0,
        validity: take(Math.ceil(rows / 8)),
      };
    });
    return { places, end };
  }

  /** Grows by half at least: what it had before stays reserved. */
  #roomFor(bytes: number): number {
    if (bytes > this.#room.bytes) {
      const room = Math.max(bytes, Math.ceil(1.5 * this.#room.bytes));
      if (room > MOST_BYTES) throw noMemory();
      this.#room = { pointer: given(this.engine.exports.alloc(room)), bytes: room };
    }
    return this.#room.pointer;
  }

  #opened(name: string, { type }: TypedColumn, schema: Schema): OpenColumn {
    const struct = this.engine.alloc(ARRAY_BYTES);
    if (type !== "moment") return { struct, gaps: 0, gapCount: 0 };
    const gaps = gapsOf(fieldNamed(name, schema)!, schema);
    return { struct, gaps: this.engine.place(gaps), gapCount: gaps.length };
  }
}

/** The moments that `missingValues` state, in microseconds. */
function gapsOf({ notation }: Field, { missingValues }: Schema): BigInt64Array {
  const unit = MICROSECONDS[notation!.unit as "d" | "s"];
  const gaps = missingValues.flatMap((text) => {
    const number = notation!.read(text);
    if (!number) return [];
    const one = 10n ** BigInt(number.scale);
    const product = number.units * unit;
    return product % one === 0n ? [product / one] : [];
  });
  return BigInt64Array.from(gaps);
}

/** @throws {StandinError} `frames/type` */
function checkType(name: string, type: string, schema: Schema): void {
  if (type !== "none" && !Object.hasOwn(ARRAY_TYPES, type))
    throw new StandinError(
      "frames/type",
      `There is no column type ${JSON.stringify(type)}.`,
      `Known: ${Object.keys(ARRAY_TYPES).join(", ")}, none.`,
    );
  const read = readAs(name, schema);
  if (!read) return;
  if (type === "none")
    throw new StandinError(
      "frames/type",
      `The column ${JSON.stringify(name)} has no cells, but the schema needs them.`,
      'Give them, or give the column the role "drop" in the schema.',
    );
  if (type === "moment" && (name === personColumnOf(schema) || !fieldNamed(name, schema)?.notation?.unit))
    throw new StandinError(
      "frames/type",
      `The column ${JSON.stringify(name)} has dates or times, but the schema states none there.`,
      "Give the column another type, in the frame or in the schema.",
    );
}

const fieldNamed = (name: string, { fields }: Schema) => fields.find((field) => field.name === name);

const notNow = (message: string) =>
  new StandinError("host/batch", message, "Ask for a batch, write its arrays, and say that it is to be coded.");
