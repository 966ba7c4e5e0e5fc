/** The rows of a table, by column; `undefined` for cells that their records lack. */
export interface Rows {
  readonly columns: readonly (readonly (string | undefined)[])[];
  readonly rows: number;
  readonly short: number;
  readonly long: number;
  readonly blank: number;
}

/** The rows that the records after a header of `width` cells make. */
export function rowsOf(records: readonly (readonly string[])[], width: number): Rows {
  const kept = records.filter((cells) => cells.length > 0 || width === 1);
  return {
    columns: Array.from({ length: width }, (_, column) => kept.map((cells) => cells[column])),
    rows: kept.length,
    short: kept.filter((cells) => cells.length < width).length,
    long: kept.filter((cells) => cells.length > width).length,
    blank: records.length - kept.length,
  };
}
