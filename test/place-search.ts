import type { SearchTables } from "../src/core/search-device.js";
import { MAP_CODES, MAP_ROWS, MAP_TABLES, MAP_TABLES_LENGTH, MAP_WIDTH } from "../src/engine/layout.js";
import { cellsOf } from "../src/queries/query.js";
import { writeQueries } from "../src/queries/struct.js";
import { type Engine, instance } from "./engine.js";
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

/** What a GPU is given of a search in an engine. */
export function tablesIn(engine: Engine, search: number): SearchTables {
  const entries = engine.exports.searchMap(search, 0);
  const place = engine.alloc(4 * entries);
  engine.exports.searchMap(search, place);
  const map = engine.u32(place, entries).slice();
  return {
    map,
    residuals: engine.i32(map[MAP_TABLES], map[MAP_TABLES_LENGTH]).slice(),
    codes: engine.u16(map[MAP_CODES], map[MAP_ROWS] * map[MAP_WIDTH]).slice(),
  };
}

/** The same of a search that has only been opened. */
export function tablesOf(problem: Problem): SearchTables {
  const engine = instance();
  return tablesIn(engine, placeSearch(engine, problem).search);
}
