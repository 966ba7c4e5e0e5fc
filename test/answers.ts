import type { Attribute } from "../src/domain/attribute.js";
import { KIND_HALF_SPACES, QUERY_KIND } from "../src/engine/layout.js";
import { cellsOf, type Query } from "../src/queries/query.js";
import { queryWords, writeQuery } from "../src/queries/struct.js";
import { instance } from "./engine.js";
import type { TestGpu } from "./gpu/test-gpu.js";
import type { Remote } from "./remote.js";

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

/** A GPU's answers to queries. @param mostBytes what its buffers may hold */
export async function gpuAnswers(
  gpu: Remote<TestGpu>,
  queries: readonly Query[],
  attributes: readonly Attribute[],
  codes: readonly Uint16Array[],
  mostBytes?: number,
): Promise<Int32Array[]> {
  const structs = queries.map((query) => queryWords(query, attributes));
  const counts = await gpu.count(codes, structs, structs.map(magnitudesOf), mostBytes);
  return structs.map((words, at) => {
    engine.exports.rewind(bottom);
    const out = engine.place(counts[at]);
    engine.exports.answerLevels(engine.place(words), out);
    return engine.i32(out, counts[at].length).slice();
  });
}

/** What the members of a set of half-spaces are drawn with; nothing for queries of other kinds. */
export function magnitudesOf(words: Uint32Array): Uint32Array {
  if (words[QUERY_KIND / 4] !== KIND_HALF_SPACES) return new Uint32Array();
  engine.exports.rewind(bottom);
  const out = engine.alloc(2 ** 17);
  engine.exports.halfSpaceMagnitudes(engine.place(words), out);
  return engine.u32(out, 2 ** 15).slice();
}
