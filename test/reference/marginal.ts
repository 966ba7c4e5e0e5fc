import { cellsOf, type Query, shapesOf } from "../../src/queries/query.js";
import type { Attribute } from "../../src/schema/schema.js";

/** A query's answers by definition: for every level, count the rows of every cell. */
export function answers(query: Query, attributes: readonly Attribute[], codes: readonly Uint16Array[]): Int32Array {
  const out = new Int32Array(cellsOf(query, attributes));
  const rows = codes[0].length;
  let offset = 0;
  for (const [index, shape] of shapesOf(query, attributes).entries()) {
    for (let row = 0; row < rows; row++) {
      let cell = 0;
      for (const [axis, column] of query.columns.entries())
        cell = cell * shape[axis] + part(attributes[column], codes[column][row], index + 1);
      out[offset + cell]++;
    }
    offset += shape.reduce((product, size) => product * size, 1);
  }
  return out;
}

/** The part of a column's axis that holds a code at a level of a tree, 1 the coarsest of five. */
export function part(attribute: Attribute, code: number, level: number): number {
  if (!attribute.tree) return code;
  return code === 32 ? 2 ** level : Math.floor(code / 2 ** (5 - level));
}
