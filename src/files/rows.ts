import { cellText } from "./dictionary.js";
import type { RecordSink } from "./parser.js";

/** Takes the cells of one column, one a row, rows in order. */
export interface ColumnSink {
  /** @param bytes,length,hash as `RecordSink.cell` */
  put(row: number, bytes: Uint8Array, length: number, hash: number): void;
  /** The cell is not there, because the record was too short. */
  putMissing(row: number): void;
}

/**
 * Turns records into rows: the first one that is not blank is the header. Too few cells in a record are missing ones, too many are cut;
 * a blank line is no record, but a missing cell in a table of one column.
 */
export class RowSink implements RecordSink {
  readonly #open: (names: readonly string[]) => readonly (ColumnSink | undefined)[];
  readonly #names: string[] = [];
  /** By place in the header; empty before it is complete. */
  #columns: readonly (ColumnSink | undefined)[] = [];
  #width = 0;
  rows = 0;
  /** Records that had too few cells, records that had too many, and blank lines that are no record. */
  short = 0;
  long = 0;
  blank = 0;

  /** @param open gets the header's names, and gives what takes each column's cells, by place; may refuse the names by an error */
  constructor(open: (names: readonly string[]) => readonly (ColumnSink | undefined)[]) {
    this.#open = open;
  }

  /** The names in the header; none before it is complete. */
  get names(): readonly string[] {
    return this.#names;
  }

  cell(column: number, bytes: Uint8Array, length: number, hash: number): void {
    if (this.#width === 0) this.#names.push(cellText(bytes, length));
    else if (column < this.#width) this.#columns[column]?.put(this.rows, bytes, length, hash);
  }

  record(cells: number): void {
    const width = this.#width;
    if (width === 0) {
      if (cells > 0) this.#openColumns();
    } else if (cells === 0 && width > 1) this.blank++;
    else {
      if (cells < width) this.#fill(cells);
      else if (cells > width) this.long++;
      this.rows++;
    }
  }

  /** Refuses a text without a header as its opener does. */
  end(): void {
    if (this.#width === 0) this.#openColumns();
  }

  #openColumns(): void {
    this.#columns = this.#open(this.#names);
    this.#width = this.#names.length;
  }

  #fill(cells: number): void {
    this.short++;
    for (let column = cells; column < this.#width; column++) this.#columns[column]?.putMissing(this.rows);
  }
}
