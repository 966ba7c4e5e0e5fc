// Columns of stored codes, as the engine writes them.
import {
  SPELLED_IDS,
  SPELLED_POINTS,
  SPELLING_BYTES,
  SPELLING_CODES,
  SPELLING_FORMAT,
  SPELLING_KIND,
  SPELLING_POINTS,
  SPELLING_WIDTH,
} from "../src/engine/layout.js";
import { Struct } from "../src/engine/struct.js";
import type { Engine } from "./engine.js";

const WIDTHS = { 2: Uint16Array, 4: Uint32Array, 8: Float64Array };

/**
 * Places the SPELLING of codes in an engine.
 * @param width bytes per code; 0 for ids of the rows' numbers
 * @param points how many points the codes may be
 * @param format the NOTATION, or the ID
 */
export function placeSpelling(
  engine: Engine,
  codes: readonly number[],
  width: 0 | 2 | 4 | 8,
  points: number,
  format: Uint8Array = new Uint8Array(),
): number {
  const struct = new Struct(SPELLING_BYTES);
  struct.u32(SPELLING_KIND, width ? SPELLED_POINTS : SPELLED_IDS);
  struct.u32(SPELLING_CODES, width ? engine.place(WIDTHS[width].from(codes)) : 0);
  struct.u32(SPELLING_WIDTH, width);
  struct.u32(SPELLING_FORMAT, engine.place(format));
  struct.f64(SPELLING_POINTS, points);
  return engine.place(struct.bytes);
}
