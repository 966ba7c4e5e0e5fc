import type { Attribute } from "../src/domain/attribute.js";
import { cellsOf, type Query } from "../src/queries/query.js";
import { writeQuery } from "../src/queries/struct.js";
import { instance } from "./engine.js";

const engine = instance();
const bottom = engine.exports.mark();

/** The engine's answers to a query, with the rows added in batches that end at `ends`. */
export function engineAnswers(
  query: Query,
  attributes: readonly Attribute[],
  codes: readonly Uint16Array[],
  ends: readonly number[] = [],
): Int32Array {
  engine.exports.rewind(bottom);
  const struct = writeQuery(engine, query, attributes);
  const cells = cellsOf(query, attributes);
  const out = engine.alloc(4 * cells);
  const batches = [0, ...ends, codes[0].length].sort((a, b) => a - b);
  for (let batch = 1; batch < batches.length; batch++) {
    const [from, to] = batches.slice(batch - 1);
    const columns = codes.map((column) => engine.place(column.slice(from, to)));
    const block = Uint32Array.of(engine.place(Uint32Array.from(columns)), to - from);
    engine.exports.answerBlocks(struct, engine.place(block), 1, out);
  }
  engine.exports.answerLevels(struct, out);
  return engine.i32(out, cells).slice();
}
