type Table = readonly (readonly number[])[];

/** The distance of a table from the one of independent columns with these counts. */
export function interaction(table: Table, first: readonly number[], second: readonly number[], total: number): number {
  const distances = table.flatMap((row, a) => row.map((count, b) => Math.abs(count - (first[a] * second[b]) / total)));
  return distances.reduce((sum, distance) => sum + distance, 0);
}

export const transposed = (table: Table): number[][] => table[0].map((_, column) => table.map((row) => row[column]));

export const raised = (table: Table): number[][] => table.map((row) => row.map((count) => Math.max(count, 0)));
