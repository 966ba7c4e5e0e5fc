// Cells of a column as the arrays in which hosts pass them to the engine.
import type { ArrayPlaces, ArrayType } from "../src/files/arrays.js";
import { arrayStruct } from "../src/files/arrays.js";
import type { Engine } from "./engine.js";

/** A text, an integer of 64 bits (also of a moment), a double, or a missing cell. */
export type Cell = string | bigint | number | null;

/** The arrays of cells; those that the type does not have are empty. */
export interface CellArrays {
  readonly type: ArrayType;
  readonly rows: number;
  readonly values: Uint8Array;
  readonly offsets: Uint8Array;
  readonly texts: Uint8Array;
  readonly validity: Uint8Array;
  /** How many texts a dictionary has. */
  readonly entries: number;
}

const bytesOf = ({ buffer, byteOffset, byteLength }: ArrayBufferView) => new Uint8Array(buffer, byteOffset, byteLength);
const NONE = new Uint8Array();

/** The arrays of cells. Dictionaries have texts that no cell has too, and are not in the order of the cells. */
export function arraysOf(type: ArrayType, cells: readonly Cell[]): CellArrays {
  const validity = new Uint8Array(Math.ceil(cells.length / 8));
  for (const [row, cell] of cells.entries()) if (cell !== null) validity[row >> 3] |= 1 << (row & 7);
  const all = { type, rows: cells.length, values: NONE, offsets: NONE, texts: NONE, validity, entries: 0 };
  if (type === "f64") return { ...all, values: bytesOf(Float64Array.from(cells, (cell) => Number(cell ?? 7))) };
  if (type === "i64" || type === "moment")
    return { ...all, values: bytesOf(BigInt64Array.from(cells, (cell) => (cell as bigint | null) ?? 7n)) };
  const given = cells.map((cell) => (cell ?? (type === "text" ? "lost" : "")) as string);
  if (type === "text") return { ...all, ...textArrays(given) };
  const entries = ["unused", ...new Set(given)].reverse();
  const values = Int32Array.from(given, (text) => entries.indexOf(text));
  return { ...all, ...textArrays(entries), values: bytesOf(values), entries: entries.length };
}

function textArrays(texts: readonly string[]): Pick<CellArrays, "offsets" | "texts"> {
  const encoded = texts.map((text) => new TextEncoder().encode(text));
  let end = 0;
  const offsets = Uint32Array.from([0, ...encoded.map(({ length }) => (end += length))]);
  const all = new Uint8Array(end);
  for (const [at, text] of encoded.entries()) all.set(text, offsets[at]);
  return { offsets: bytesOf(offsets), texts: all };
}

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** The bytes of arrays, each from its beginning on. */
export type ArrayBytes = Readonly<Record<keyof ArrayPlaces, Uint8Array>>;

/** The cells of arrays; those of a dictionary are its labels. */
export function cellsIn(type: ArrayType, rows: number, bytes: ArrayBytes, labels: readonly string[] = []): Cell[] {
  const [values, offsets] = [bytes.values, bytes.offsets].map(
    ({ buffer, byteOffset, byteLength }) => new DataView(buffer, byteOffset, byteLength),
  );
  const cellAt = (row: number): Cell => {
    if (type === "text") {
      const [from, to] = [row, row + 1].map((at) => offsets.getUint32(4 * at, true));
      return decoder.decode(bytes.texts.slice(from, to));
    }
    if (type === "dictionary") return labels[values.getInt32(4 * row, true)];
    return type === "f64" ? values.getFloat64(8 * row, true) : values.getBigInt64(8 * row, true);
  };
  return Array.from({ length: rows }, (_, row) => ((bytes.validity[row >> 3] >> (row & 7)) & 1 ? cellAt(row) : null));
}

/** Places arrays in an engine, with the moments that are missing cells. Returns the ARRAY. */
export function placeArray(engine: Engine, arrays: CellArrays, gaps: readonly bigint[] = []): number {
  const { type, values, offsets, texts, validity, entries } = arrays;
  const followed = new Uint8Array(texts.length + 8).fill(0x39);
  followed.set(texts);
  const places: ArrayPlaces = {
    values: engine.place(values),
    offsets: engine.place(offsets),
    texts: engine.place(followed),
    validity: engine.place(validity),
  };
  const moments = { gaps: engine.place(BigInt64Array.from(gaps)), gapCount: gaps.length };
  return engine.place(arrayStruct({ type, ...places, bytes: texts.length, entries, ...moments }));
}
