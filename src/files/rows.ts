import type { Cells } from "./cells.js";
import type { CellSink } from "./parser.js";

/** Takes the cells of one column, one per row, rows in order. */
export interface ColumnSink {
  /** Takes the cells `first`, `first + stride`, … for the next `count` rows. */
  put(cells: Cells, first: number, stride: number, count: number): void;
  /** Called when the next row lacks the cell because its record was too short. */
  putMissing(): void;
}

/**
 * Turns records into rows. The first record that is not blank is the header. If a record has too few cells, the rest
 * are missing; if it has too many, the extra ones are dropped. A blank line is not a record, except in a table of one
 * column, where it is a missing cell.
 */
export class RowSink implements CellSink {
  readonly #open: (names: readonly string[]) => readonly (ColumnSink | undefined)[];
  readonly #names: string[] = [];
  /** By place in the header; empty until the header is complete. */
  #columns: readonly (ColumnSink | undefined)[] = [];
  #width = 0;
  /** Cells so far of the incomplete record. */
  #begun = 0;
  rows = 0;
  /** The numbers of records with too few cells, of records with too many, and of blank lines that are not records. */
  short = 0;
  long = 0;
  blank = 0;

  /**
   * @param open receives the header's names, and returns the sink for each column's cells, by place. It may reject the
   *   names with an error
   */
  constructor(open: (names: readonly string[]) => readonly (ColumnSink | undefined)[]) {
    this.#open = open;
  }

  /** The names in the header; empty until it is complete. */
  get names(): readonly string[] {
    return this.#names;
  }

  take(cells: Cells): void {
    let cell = 0;
    let record = 0;
    while (record < cells.records) {
      const even = this.#evenRecords(cells, record, cell);
      if (even > 0) {
        this.#putRows(cells, cell, even);
        record += even;
        cell += even * this.#width;
      } else {
        const end = cells.recordEnds[record++];
        this.#putCells(cells, cell, end);
        this.#endRecord();
        cell = end;
      }
    }
    this.#putCells(cells, cell, cells.count);
  }

  /** Rejects a text without a header, with the error of `open`. */
  end(): void {
    if (this.#width === 0) this.#openColumns();
  }

  /**
   * How many whole records from this one on, the first of which starts at this cell, have exactly one cell per column.
   */
  #evenRecords({ records, recordEnds }: Cells, first: number, cell: number): number {
    if (this.#width === 0 || this.#begun > 0) return 0;
    let record = first;
    for (let end = cell + this.#width; record < records && recordEnds[record] === end; end += this.#width) record++;
    return record - first;
  }

  /** Takes whole rows, one column at a time, so that the column's dictionary stays in the cache. */
  #putRows(cells: Cells, first: number, count: number): void {
    for (let column = 0; column < this.#width; column++)
      this.#columns[column]?.put(cells, first + column, this.#width, count);
    this.rows += count;
  }

  /** Takes cells of one record. */
  #putCells(cells: Cells, from: number, to: number): void {
    for (let cell = from; cell < to; cell++) {
      if (this.#width === 0) this.#names.push(cells.text(cell));
      else if (this.#begun < this.#width) this.#columns[this.#begun]?.put(cells, cell, 1, 1);
      this.#begun++;
    }
  }

  #endRecord(): void {
    const width = this.#width;
    const cells = this.#begun;
    this.#begun = 0;
    if (width === 0) {
      if (cells > 0) this.#openColumns();
    } else if (cells === 0 && width > 1) this.blank++;
    else {
      if (cells < width) this.#fill(cells);
      else if (cells > width) this.long++;
      this.rows++;
    }
  }

  #openColumns(): void {
    this.#columns = this.#open(this.#names);
    this.#width = this.#names.length;
  }

  #fill(cells: number): void {
    this.short++;
    for (let column = cells; column < this.#width; column++) this.#columns[column]?.putMissing();
  }
}
