import { word } from "./philox.js";

/** Rows by the words of a stream. */
export function sampleOrder(rows: number, seed: number, purpose: number): number[] {
  const drawn = Array.from({ length: rows }, (_, row) => ({ row, key: word(seed, purpose, 0, row) }));
  return drawn.sort((a, b) => a.key - b.key || a.row - b.row).map(({ row }) => row);
}

/** The codes of rows in an order, over and over. */
export const takenRows = (column: readonly number[], order: readonly number[], wanted: number): number[] =>
  Array.from({ length: wanted }, (_, at) => column[order[at % order.length]]);
