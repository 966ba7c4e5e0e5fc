import { cellsOf } from "../src/queries/query.js";
import { writeQueries } from "../src/queries/struct.js";
import type { Engine } from "./engine.js";
import type { Problem } from "./reference/residuals.js";

/** Opens a search of the problem in an engine: its pointer, those of its columns, and the bytes that it took. */
export function placeSearch(engine: Engine, { attributes, queries, targets, codes, shift, seed }: Problem) {
  const { exports } = engine;
  const structs = writeQueries(engine, queries, attributes);
  const before = exports.mark();
  const search = exports.searchOpen(structs, queries.length, attributes.length, codes[0].length, shift, seed);
  const bytes = exports.mark() - before;
  const columns = [...engine.u32(exports.searchColumns(search), attributes.length)];
  for (const [column, cells] of codes.entries()) engine.u16(columns[column], cells.length).set(cells);
  for (const [index, query] of queries.entries())
    exports.searchTarget(search, index, engine.place(targets[index]), engine.alloc(4 * cellsOf(query, attributes)));
  exports.searchBegin(search);
  return { search, columns, bytes };
}
