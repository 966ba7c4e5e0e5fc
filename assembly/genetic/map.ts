// Writes where the tables of a search lie, for devices that have copies of them.
import { isTable } from "../queries/index";
import { columnOf, isTree, levelsOf, orderOf } from "../queries/query";
import {
  MAP_ACTIVE,
  MAP_AXIS,
  MAP_AXIS_COLUMN,
  MAP_AXIS_STRIDE,
  MAP_AXIS_TREE,
  MAP_CODES,
  MAP_COLUMN,
  MAP_COLUMN_FIRST,
  MAP_COLUMN_INDEX,
  MAP_COLUMN_LEVELS,
  MAP_COLUMN_LINKS,
  MAP_COLUMN_SIZE,
  MAP_COLUMN_TREE,
  MAP_COPIES,
  MAP_COPY_AXES,
  MAP_COPY_LEVELS,
  MAP_COPY_ORDER,
  MAP_COPY_TABLE,
  MAP_FIRST_COPY,
  MAP_HEAD,
  MAP_ROWS,
  MAP_TABLES,
  MAP_TABLES_LENGTH,
  MAP_UNIT,
  MAP_WIDTH,
} from "../search-layout";
import { Search, activeColumn, copyOf, fieldOf, strideOf, tableOf, workloadOf } from "./search";

/**
 * Writes the MAP of a search whose queries are tables of the codes that its rows have.
 * @param out u32[]; 0 to learn how long it is
 * @returns how many entries the MAP has; 0 if there are other queries, or columns with finer codes than cells
 */
export function searchMap(pointer: usize, out: usize): u32 {
  const search = changetype<Search>(pointer);
  let copies: u32 = 0;
  let bytes: u32 = 0;
  for (let index: u32 = 0; index < search.count; index++) {
    const query = workloadOf(search, index).query;
    if (!isTable(query)) return 0;
    copies += orderOf(query);
    bytes += orderOf(query) * copyEntries(query);
  }
  if (search.finer) return 0;
  const list = MAP_HEAD + search.activeCount * MAP_COLUMN;
  const links = list + copies + bytes;
  if (!out) return links + copies;
  const tables = search.count ? workloadOf(search, 0).copies : search.fields;
  put(out, MAP_ROWS, search.rows);
  put(out, MAP_WIDTH, search.width);
  put(out, MAP_UNIT, search.unit);
  put(out, MAP_ACTIVE, search.activeCount);
  put(out, MAP_COPIES, copies);
  put(out, MAP_FIRST_COPY, list);
  put(out, MAP_CODES, <u32>search.codes);
  put(out, MAP_TABLES, <u32>tables);
  put(out, MAP_TABLES_LENGTH, u32((search.fields - tables) >> 2));
  putCopies(search, out, list, copies, tables);
  let link = links;
  for (let index: u32 = 0; index < search.activeCount; index++) link = putColumn(search, out, index, list, link);
  return links + copies;
}

@inline
function put(out: usize, at: u32, value: u32): void {
  store<u32>(out + (<usize>at << 2), value);
}

/** The entries of a MAP_COPY. */
@inline
function copyEntries(query: usize): u32 {
  return MAP_COPY_AXES + orderOf(query) * MAP_AXIS;
}

/** The copies of each table, in the order of its axes. */
function putCopies(search: Search, out: usize, list: u32, copies: u32, tables: usize): void {
  let at = list + copies;
  for (let index: u32 = 0; index < search.count; index++) {
    const workload = workloadOf(search, index);
    const query = workload.query;
    const order = orderOf(query);
    for (let last: u32 = 0; last < order; last++, at += copyEntries(query)) {
      const copy = copyOf(workload, order, last);
      put(out, list++, at);
      put(out, at + MAP_COPY_TABLE, u32((tableOf(copy) - tables) >> 2));
      put(out, at + MAP_COPY_LEVELS, levelsOf(query));
      put(out, at + MAP_COPY_ORDER, order);
      for (let axis: u32 = 0; axis < order; axis++) {
        const entries = at + MAP_COPY_AXES + axis * MAP_AXIS;
        put(out, entries + MAP_AXIS_COLUMN, columnOf(query, axis));
        put(out, entries + MAP_AXIS_STRIDE, strideOf(copy, axis) >> 2);
        put(out, entries + MAP_AXIS_TREE, u32(isTree(query, axis)));
      }
    }
  }
}

/** A column with a query, and its links from `link` on. Returns their end. */
function putColumn(search: Search, out: usize, index: u32, list: u32, link: u32): u32 {
  const column = activeColumn(search, index);
  const field = fieldOf(search, column);
  const at = MAP_HEAD + index * MAP_COLUMN;
  put(out, at + MAP_COLUMN_INDEX, column);
  put(out, at + MAP_COLUMN_SIZE, field.size);
  put(out, at + MAP_COLUMN_TREE, u32(field.tree));
  put(out, at + MAP_COLUMN_LEVELS, field.levels);
  put(out, at + MAP_COLUMN_LINKS, field.degree);
  put(out, at + MAP_COLUMN_FIRST, link);
  for (let table: u32 = 0, copy = list; table < search.count; table++) {
    const query = workloadOf(search, table).query;
    for (let axis: u32 = 0; axis < orderOf(query); axis++, copy++)
      if (columnOf(query, axis) == column) put(out, link++, load<u32>(out + (<usize>copy << 2)));
  }
  return link;
}
