import type { Attribute } from "../../src/domain/attribute.js";
import type { Query } from "../../src/queries/query.js";
import { cellsIn, levelsOf, part, shapeAt } from "./tree.js";

/** A query's answers by definition: for every level, count the rows of every cell. */
export function answers(query: Query, attributes: readonly Attribute[], codes: readonly Uint16Array[]): Int32Array {
  const levels = levelsOf(query, attributes);
  const shapes = levels.map((level) => shapeAt(query, attributes, level));
  const out = new Int32Array(shapes.reduce((sum, shape) => sum + cellsIn(shape), 0));
  const rows = codes[0].length;
  let offset = 0;
  for (const [index, shape] of shapes.entries()) {
    for (let row = 0; row < rows; row++) {
      let cell = 0;
      for (const [axis, column] of query.columns.entries())
        cell = cell * shape[axis] + part(attributes[column], codes[column][row], levels[index]);
      out[offset + cell]++;
    }
    offset += cellsIn(shape);
  }
  return out;
}
