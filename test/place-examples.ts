import type { Instance } from "../src/engine/instance.js";
import {
  EXAMPLES_COLUMNS,
  EXAMPLES_COUNT,
  EXAMPLES_PART,
  EXAMPLES_PARTS,
  EXAMPLES_ROWS,
  EXAMPLES_TARGET,
  FEATURE_BYTES,
  FEATURE_CODES,
  FEATURE_FIRST,
  FEATURE_OTHER,
  FEATURE_TIMES,
  FEATURE_VALUES,
} from "../src/engine/layout.js";
import type { Examples } from "./reference/logistic.js";

/** Writes the struct EXAMPLES. Rows that are left out are of another part, or their target is missing, in turns. */
export function placeExamples(engine: Instance, { columns, target }: Examples, size: number): number {
  const rows = target.length;
  const isMissing = (row: number) => target[row] === undefined && row % 2 === 0;
  const targets = Uint16Array.from(target, (code, row) => (isMissing(row) ? size : (code ?? 0)));
  const parts = Uint8Array.from(target, (code, row) => +(code !== undefined || isMissing(row)));
  const words = new Uint32Array((EXAMPLES_COLUMNS + columns.length * FEATURE_BYTES) / 4);
  words[EXAMPLES_ROWS / 4] = rows;
  words[EXAMPLES_TARGET / 4] = engine.place(targets);
  words[EXAMPLES_PARTS / 4] = engine.place(parts);
  words[EXAMPLES_PART / 4] = 1;
  words[EXAMPLES_COUNT / 4] = columns.length;
  for (const [at, { codes, values, other, first }] of columns.entries()) {
    const feature = (EXAMPLES_COLUMNS + at * FEATURE_BYTES) / 4;
    words[feature + FEATURE_CODES / 4] = engine.place(Uint16Array.from(codes));
    words[feature + FEATURE_VALUES / 4] = values ? engine.place(Float64Array.from(values)) : 0;
    words[feature + FEATURE_FIRST / 4] = first;
    words[feature + FEATURE_OTHER / 4] = other ? engine.place(Uint16Array.from(other.codes)) : 0;
    words[feature + FEATURE_TIMES / 4] = other?.size ?? 0;
  }
  return engine.place(words);
}
