import type { Attribute } from "../domain/attribute.js";
import type { Instance } from "../engine/instance.js";
import {
  AXIS_BYTES,
  AXIS_COLUMN,
  AXIS_FINE,
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
import { Words } from "../engine/words.js";
import { axesOf } from "./marginal.js";
import { byCode, cellsOf, classOf, isColumnSet, type Query, structureOf } from "./query.js";

/** More cells than this are refused before anything counts them. */
const MOST_CELLS = 2 ** 32 - 1;

/** The words of queries that have parameters, as of the attributes that they were last written for. */
const written = new WeakMap<Query, { readonly attributes: readonly Attribute[]; readonly words: Uint32Array }>();

/** A query as the engine reads it, by codes: its QUERY struct, u32 by u32. */
export function queryWords(query: Query, attributes: readonly Attribute[]): Uint32Array {
  const before = written.get(query);
  if (before?.attributes === attributes) return before.words;
  const axes = query.columns.map((column) => attributes[column]);
  const words = structWords(query, axes, attributes);
  if (words.length > wordsOfAxes(query)) written.set(query, { attributes, words });
  return words;
}

/** What its class encodes of a query. */
export function queryParameters(query: Query, attributes: readonly Attribute[]): Uint32Array {
  return queryWords(query, attributes).subarray(wordsOfAxes(query));
}

/** The words of a QUERY before its parameters. */
const wordsOfAxes = ({ columns }: Query): number => (QUERY_AXES + columns.length * AXIS_BYTES) / 4;

/** @param axes the attributes of its axes, as the engine is to see them */
function structWords(query: Query, axes: readonly Attribute[], attributes: readonly Attribute[]): Uint32Array {
  const { columns } = query;
  const { encode, number } = classOf(query);
  const encoded = encode(query, attributes);
  const parameters = wordsOfAxes(query);
  const words = new Uint32Array(parameters + encoded.length);
  words[QUERY_ORDER / 4] = columns.length;
  words[QUERY_LEVELS / 4] = isColumnSet(query) ? structureOf(query, attributes).partitions.length : 1;
  words[QUERY_CELLS / 4] = Math.min(MOST_CELLS, cellsOf(query, attributes));
  words[QUERY_KIND / 4] = number;
  words[QUERY_BYTES / 4] = words.byteLength;
  for (let at = 0; at < columns.length; at++) {
    const axis = (QUERY_AXES + at * AXIS_BYTES) / 4;
    const { size, tree, missing, fine } = axes[at];
    words[axis + AXIS_COLUMN / 4] = columns[at];
    words[axis + AXIS_SIZE / 4] = size;
    words[axis + AXIS_TREE / 4] = +tree;
    words[axis + AXIS_MISSING / 4] = +missing;
    words[axis + AXIS_FINE / 4] = fine ?? 0;
  }
  words.set(encoded, parameters);
  return words;
}

/** Writes a query. Returns the pointer to its QUERY struct. */
export function writeQuery(instance: Instance, query: Query, attributes: readonly Attribute[]): number {
  return instance.place(queryWords(query, attributes));
}

/** Writes queries. Returns the pointer to their pointers, u32 each. */
export function writeQueries(instance: Instance, queries: readonly Query[], attributes: readonly Attribute[]): number {
  const words = new Words();
  const structs = queries.map((query) => words.add(queryWords(query, attributes)));
  const pointers = words.addPointers(structs);
  return words.place(instance) + pointers;
}

/** Where a query and its groups are. */
export interface PlacedQuery {
  /** The QUERY by codes. */
  readonly byCode: number;
  /** Where its cells are groups of codes: the QUERY by groups, and pointers to the group of each code on each axis. */
  readonly groups?: readonly [byGroup: number, maps: number];
  /** Of an interaction: the QUERY of its cells, and where the sizes of the axes along which it is centred are. */
  readonly centred?: readonly [query: number, sizes: number];
}

/** Writes queries, with what the engine needs to put the cells of marginals into groups, and to centre interactions. */
export function writeGrouped(
  instance: Instance,
  queries: readonly Query[],
  attributes: readonly Attribute[],
): PlacedQuery[] {
  const words = new Words();
  const places = queries.map((query): PlacedQuery => {
    const { groups } = query;
    const struct = words.add(queryWords(byCode(query), attributes));
    const { centred } = structureOf(query, attributes);
    const sizes = centred && words.add(centred);
    if (!groups) return { byCode: struct, ...(sizes !== undefined && { centred: [struct, sizes] }) };
    const byGroup = words.add(structWords(query, axesOf(query, attributes), attributes));
    const maps = words.addPointers(groups.map((map) => (map ? words.add(map) : undefined)));
    return { byCode: struct, groups: [byGroup, maps], ...(sizes !== undefined && { centred: [byGroup, sizes] }) };
  });
  const start = words.place(instance);
  return places.map(({ byCode, groups, centred }) => ({
    byCode: start + byCode,
    groups: groups && [start + groups[0], start + groups[1]],
    centred: centred && [start + centred[0], start + centred[1]],
  }));
}
