import { below, word } from "./philox.js";

/**
 * Rows in random order (Durstenfeld's form of Fisher–Yates, from the end). Each gets the first code left among those
 * for its code of another column.
 */
export function startColumn(
  given: readonly number[],
  codes: readonly number[][],
  seed: number,
  purpose: number,
  column: number,
): number[] {
  const left = codes.map((list) => [...list]);
  const order = [...given.keys()];
  const cells: number[] = [];
  for (let last = order.length - 1; last >= 0; last--) {
    const at = below(last + 1, word(seed, purpose, column, last));
    const row = order[at];
    order[at] = order[last];
    cells[row] = left[given[row]].shift()!;
  }
  return cells;
}

/** One uniform code per row. */
export function uniformColumn(rows: number, size: number, seed: number, purpose: number, column: number): number[] {
  return Array.from({ length: rows }, (_, row) => below(size, word(seed, purpose, column, row)));
}
