import {
  AXIS_BYTES,
  AXIS_COLUMN,
  AXIS_MISSING,
  AXIS_SIZE,
  AXIS_TREE,
  QUERY_AXES,
  QUERY_CELLS,
  QUERY_KIND,
  QUERY_LEVELS,
  QUERY_ORDER,
} from "../engine/layout.js";
import type { Instance } from "../engine/wasm.js";
import type { Attribute } from "../schema/schema.js";
import { cellsOf, classOf, type Query, structureOf } from "./query.js";

/** Writes a query in the form that the engine reads. Returns the pointer to its QUERY struct. */
export function writeQuery(instance: Instance, query: Query, attributes: readonly Attribute[]): number {
  const encoded = classOf(query).encode(query, attributes);
  const parameters = (QUERY_AXES + query.columns.length * AXIS_BYTES) / 4;
  const pointer = instance.alloc(4 * (parameters + encoded.length));
  const words = instance.u32(pointer, parameters + encoded.length);
  words[QUERY_ORDER / 4] = query.columns.length;
  words[QUERY_LEVELS / 4] = structureOf(query, attributes).partitions.length;
  words[QUERY_CELLS / 4] = cellsOf(query, attributes);
  words[QUERY_KIND / 4] = classOf(query).number;
  query.columns.forEach((column, index) => {
    const axis = (QUERY_AXES + index * AXIS_BYTES) / 4;
    const { size, tree, missing } = attributes[column];
    words[axis + AXIS_COLUMN / 4] = column;
    words[axis + AXIS_SIZE / 4] = size;
    words[axis + AXIS_TREE / 4] = +tree;
    words[axis + AXIS_MISSING / 4] = +missing;
  });
  words.set(encoded, parameters);
  return pointer;
}

/** The size of a query's QUERY struct in bytes. */
export function queryBytes(query: Query, attributes: readonly Attribute[]): number {
  return QUERY_AXES + query.columns.length * AXIS_BYTES + 4 * classOf(query).encode(query, attributes).length;
}
