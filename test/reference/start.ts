import { below, word } from "./philox.js";

/** Codes in ascending order, each `counts[code]` times, then shuffled from the end (Durstenfeld's form of Fisher–Yates). */
export function drawColumn(counts: readonly number[], seed: number, purpose: number, column: number): number[] {
  const codes = counts.flatMap((count, code) => Array<number>(count).fill(code));
  for (let row = codes.length - 1; row > 0; row--) {
    const other = below(row + 1, word(seed, purpose, column, row));
    [codes[row], codes[other]] = [codes[other], codes[row]];
  }
  return codes;
}

/** One uniform code a row. */
export function uniformColumn(rows: number, size: number, seed: number, purpose: number, column: number): number[] {
  return Array.from({ length: rows }, (_, row) => below(size, word(seed, purpose, column, row)));
}
