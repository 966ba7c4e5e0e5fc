import { id } from "./ids.js";

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** The double nearest to units·10^−scale. */
export const decimal = (units: bigint, scale: number): number => Number(`${units}e-${scale}`);

/** Texts without quotes, one after the other; none where they are missing. */
export function textsOf(texts: readonly (string | undefined)[]): { offsets: number[]; text: string } {
  let end = 0;
  const encoded = texts.map((text = "") => new TextEncoder().encode(text));
  const offsets = encoded.map(({ length }) => (end += length));
  return { offsets: [0, ...offsets], text: encoded.map((bytes) => decoder.decode(bytes)).join("") };
}

/** The ids of rows. */
export const idsOf = (pattern: string, base: number, rows: readonly number[]): string[] =>
  rows.map((row) => id(pattern, base, row + 1));
