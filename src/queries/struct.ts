import type { Attribute } from "../domain/attribute.js";
import type { Instance } from "../engine/instance.js";
import {
  AXIS_BYTES,
  AXIS_COLUMN,
  AXIS_MISSING,
  AXIS_SIZE,
  AXIS_TREE,
  QUERY_AXES,
  QUERY_BYTES,
  QUERY_CELLS,
  QUERY_KIND,
  QUERY_LEVELS,
  QUERY_ORDER,
} from "../engine/layout.js";
import { groupedAttributes } from "./marginal.js";
import { cellsOf, classOf, type Query, queryOf, structureOf } from "./query.js";

/** More cells than this are refused before anything counts them. */
const MOST_CELLS = 2 ** 32 - 1;

/** Writes a query as the engine reads it. Returns the pointer to its QUERY struct. */
export function writeQuery(instance: Instance, query: Query, attributes: readonly Attribute[]): number {
  const encoded = classOf(query).encode(query, attributes);
  const parameters = (QUERY_AXES + query.columns.length * AXIS_BYTES) / 4;
  const length = parameters + encoded.length;
  const words = new Uint32Array(length);
  words[QUERY_ORDER / 4] = query.columns.length;
  words[QUERY_LEVELS / 4] = structureOf(query, attributes).partitions.length;
  words[QUERY_CELLS / 4] = Math.min(MOST_CELLS, cellsOf(query, attributes));
  words[QUERY_KIND / 4] = classOf(query).number;
  words[QUERY_BYTES / 4] = 4 * length;
  query.columns.forEach((column, index) => {
    const axis = (QUERY_AXES + index * AXIS_BYTES) / 4;
    const { size, tree, missing } = attributes[column];
    words[axis + AXIS_COLUMN / 4] = column;
    words[axis + AXIS_SIZE / 4] = size;
    words[axis + AXIS_TREE / 4] = +tree;
    words[axis + AXIS_MISSING / 4] = +missing;
  });
  words.set(encoded, parameters);
  return instance.place(words);
}

/** Writes queries. Returns the pointer to their pointers, u32 each. */
export function writeQueries(instance: Instance, queries: readonly Query[], attributes: readonly Attribute[]): number {
  return instance.place(Uint32Array.from(queries, (query) => writeQuery(instance, query, attributes)));
}

/**
 * Writes what the engine needs to put the cells of a grouped marginal into their groups. Returns pointers to the QUERY
 * by codes, to the QUERY by groups, and to the group of each code on each axis.
 */
export function writeGroups(
  instance: Instance,
  query: Query,
  attributes: readonly Attribute[],
): [byCode: number, byGroup: number, maps: number] {
  const [byCode, byGroup] = [attributes, groupedAttributes(query, attributes)].map((seen) =>
    writeQuery(instance, queryOf(query.columns, seen), seen),
  );
  const maps = query.columns.map((_, axis) => query.groups?.[axis] ?? null);
  const pointers = maps.map((map) => (map ? instance.place(Uint32Array.from(map)) : 0));
  return [byCode, byGroup, instance.place(Uint32Array.from(pointers))];
}
