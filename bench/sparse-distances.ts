// Total variation distances over sets of columns whose tables have more cells than fit in memory.
import type { Schema, Table } from "../src/node.js";
import { modelCodes } from "../src/schema/encode.js";

/**
 * A function that gives the mean distance between this table and another, over all sets.
 * @param sets the places of each set's columns
 */
export function sparseDistances(
  schema: Schema,
  table: Table,
  sets: readonly (readonly number[])[],
): (made: Table) => number {
  const sizes = schema.attributes.map(({ size }) => size);
  const real = modelCodes(table, schema);
  const counts = sets.map((columns) => counted(cellsOf(real, columns, sizes)));
  return (made) => {
    const codes = modelCodes(made, schema);
    const sum = sets.reduce((sum, columns, at) => {
      const cells = counted(cellsOf(codes, columns, sizes));
      // The part of the rows that both tables have in the same cells; the rest is the distance.
      let shared = 0;
      for (const [cell, count] of cells)
        shared += Math.min(count / made.length, (counts[at].get(cell) ?? 0) / table.length);
      return sum + 1 - shared;
    }, 0);
    return sum / sets.length;
  };
}

/** The number of each row's cell. */
function cellsOf(codes: readonly Uint16Array[], columns: readonly number[], sizes: readonly number[]): Float64Array {
  const cells = new Float64Array(codes[0].length);
  for (const column of columns) {
    const [of, size] = [codes[column], sizes[column]];
    for (let row = 0; row < cells.length; row++) cells[row] = cells[row] * size + of[row];
  }
  return cells;
}

function counted(cells: Float64Array): Map<number, number> {
  const counts = new Map<number, number>();
  for (const cell of cells.sort()) counts.set(cell, (counts.get(cell) ?? 0) + 1);
  return counts;
}
