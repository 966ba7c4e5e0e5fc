// The cells of a column as arrays in an engine's memory.
import { ARRAY_DICTIONARY, ARRAY_F64, ARRAY_I64, ARRAY_MOMENT, ARRAY_TEXT } from "../engine/layout.js";

/** What the cells of a column arrive as, and its number in the engine. */
export const ARRAY_TYPES = {
  text: ARRAY_TEXT,
  i64: ARRAY_I64,
  f64: ARRAY_F64,
  dictionary: ARRAY_DICTIONARY,
  moment: ARRAY_MOMENT,
} as const;
export type ArrayType = keyof typeof ARRAY_TYPES;

/** Where the arrays of a column are; 0 where its type has none. */
export interface ArrayPlaces {
  readonly values: number;
  readonly offsets: number;
  readonly texts: number;
  readonly validity: number;
}

/** A column's arrays. */
export interface ArrayFacts extends ArrayPlaces {
  readonly type: ArrayType;
  /** The bytes of its texts. */
  readonly bytes: number;
  /** How many texts a dictionary has. */
  readonly entries?: number;
  /** Where the moments are that are missing cells, and how many. */
  readonly gaps?: number;
  readonly gapCount?: number;
}

/** The struct ARRAY. */
export function arrayStruct(facts: ArrayFacts): Uint32Array<ArrayBuffer> {
  const { type, values, offsets, texts, validity, bytes, entries = 0, gaps = 0, gapCount = 0 } = facts;
  return Uint32Array.of(ARRAY_TYPES[type], values, offsets, texts, bytes, entries, validity, gaps, gapCount);
}
