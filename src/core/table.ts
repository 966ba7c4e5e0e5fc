import { StandinError } from "./errors.js";

/**
 * The value of one cell in JavaScript; `null` is a missing cell. Integers beyond 2^53 are `bigint`; dates, datetimes
 * and times are strings in ISO 8601 whatever their format (`2024-02-29`, `2024-02-29T08:30:00+01:00`, `08:30:00`);
 * years are numbers.
 */
export type Value = string | number | bigint | boolean | null;

/** How the stored codes of a column read: as a value, and as the exact text in a file. */
export interface Codec {
  value(code: number): Value;
  text(code: number): string;
  readonly texts: CodeTexts;
}

/** The texts of a column's codes, in the form from which the engine writes them. */
export type CodeTexts =
  | {
      readonly kind: "listed";
      /** The text of each code; codes above the last one have the last one's. */
      list(): readonly string[];
    }
  | {
      /** The points of a grid, and any other code for a missing cell. */
      readonly kind: "points";
      readonly points: number;
      readonly missing: string;
      /** The engine's struct NOTATION. */
      notation(): Uint8Array<ArrayBuffer>;
    }
  | {
      /** Code c is the number c + 1. */
      readonly kind: "id";
      /** A text with a # in the place of each digit. */
      readonly pattern: string;
      readonly base: 10 | 16;
    };

/**
 * Codes of one column, one per row: u16 for categories; u16, u32 or f64 for the grid points of numbers, dates and
 * times, depending on the size of the grid.
 */
export type Codes = Uint16Array | Uint32Array | Float64Array;

/** Codes, one per row. */
export interface CodeColumn {
  /** For a table that was read from a file, a new copy each time. */
  readonly codes: Codes;
}

export interface Column extends CodeColumn {
  readonly name: string;
  readonly codec: Codec;
}

/**
 * Rows in columns of codes. A table that was read from a file holds private rows; a table made by a search does not.
 * The order of `columns` is the order in the file.
 */
export class Table {
  readonly #wipe: () => void;

  constructor(
    readonly columns: readonly Column[],
    readonly length: number,
    /** The field separator of the file that the table came from, or will be written to. */
    readonly delimiter = ",",
    /** Person numbers of the protected unit (`standin.unit.column`), one per row; 0xffffffff where missing. */
    readonly persons?: CodeColumn,
    /** The descriptor of the schema that defines the codes. */
    readonly descriptor?: object,
    wipe = () => {},
  ) {
    this.#wipe = wipe;
  }

  /**
   * Overwrites the rows of a table that was read from a file with zeros. Call it once the table is measured; it cannot
   * be used after that.
   */
  wipe(): void {
    this.#wipe();
  }

  get names(): string[] {
    return this.columns.map((column) => column.name);
  }

  /** The values of one column. @throws {StandinError} `table/unknown-column` if no column has this name */
  column(name: string): Value[] {
    const found = this.columns.find((column) => column.name === name);
    if (!found)
      throw new StandinError(
        "table/unknown-column",
        `The table has no column "${name}".`,
        `It has ${this.names.map((known) => JSON.stringify(known)).join(", ")}.`,
      );
    return Array.from(found.codes, (code) => found.codec.value(code));
  }

  /** The rows, one object per row. */
  *rows(): Generator<Record<string, Value>> {
    const columns = this.columns.map(({ name, codes, codec }) => ({ name, codes, codec }));
    for (let row = 0; row < this.length; row++)
      yield Object.fromEntries(columns.map(({ name, codes, codec }) => [name, codec.value(codes[row])]));
  }
}
