import { cellsOf, type Query } from "../queries/query.js";
import type { Attribute } from "../schema/schema.js";
import {
  AXIS_BYTES,
  AXIS_COLUMN,
  AXIS_MISSING,
  AXIS_SIZE,
  AXIS_TREE,
  QUERY_AXES,
  QUERY_CELLS,
  QUERY_LEVELS,
  QUERY_ORDER,
  TREE_LEVELS,
} from "./layout.js";
import type { Instance } from "./wasm.js";

/** Writes a query as the engine reads it. Returns the pointer to its QUERY struct. */
export function writeQuery(instance: Instance, query: Query, attributes: readonly Attribute[]): number {
  const bytes = queryBytes(query);
  const pointer = instance.alloc(bytes);
  const words = instance.u32(pointer, bytes / 4);
  words[QUERY_ORDER / 4] = query.columns.length;
  words[QUERY_LEVELS / 4] = query.kind === "tree" ? TREE_LEVELS : 1;
  words[QUERY_CELLS / 4] = cellsOf(query, attributes);
  query.columns.forEach((column, index) => {
    const axis = (QUERY_AXES + index * AXIS_BYTES) / 4;
    const { size, tree, missing } = attributes[column];
    words[axis + AXIS_COLUMN / 4] = column;
    words[axis + AXIS_SIZE / 4] = size;
    words[axis + AXIS_TREE / 4] = +tree;
    words[axis + AXIS_MISSING / 4] = +missing;
  });
  return pointer;
}

/** The bytes of a query's QUERY struct. */
export function queryBytes(query: Query): number {
  return QUERY_AXES + query.columns.length * AXIS_BYTES;
}
