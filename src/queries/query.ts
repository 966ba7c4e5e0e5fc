import type { Attribute } from "../domain/attribute.js";
import { NOT_ITS_COLUMNS } from "./column-set.js";
import { classNamed } from "./index.js";
import type { QueryClass, QueryJson, Structure } from "./query-class.js";

/**
 * A vector of counts over one set of columns (indices into the schema's attributes, ascending). A `marginal` has one
 * cell for each combination of codes, a `tree` (a set with a tree column) has the same at each level of the trees, and
 * `total` is a single cell. Queries of other classes have additional members.
 */
export interface Query {
  /** The name of its class. */
  readonly kind: string;
  readonly columns: readonly number[];
  /**
   * For marginals only. For each axis: the group of each code, numbered from 0 without gaps, where its cells are groups
   * of codes, or `null` where they are the codes themselves. The query is still one partition of the rows.
   */
  readonly groups?: readonly (readonly number[] | null)[];
}

/** The query for a set of columns: a tree if one of them is a tree column. */
export function queryOf(columns: readonly number[], attributes: readonly Attribute[]): Query {
  return { kind: columns.some((column) => attributes[column].tree) ? "tree" : "marginal", columns };
}

export const classOf = ({ kind }: Query): QueryClass => classNamed(kind)!;

/** Whether the query is identified by its columns. */
export const isColumnSet = (query: Query): boolean => classOf(query).isColumnSet;

/**
 * The query that is stated, or what is wrong with it, worded to follow "an item". The columns must be modelled and
 * ascending.
 */
export function parseQuery(
  stated: QueryJson,
  columns: readonly number[],
  attributes: readonly Attribute[],
): Query | string {
  return classNamed(stated.query)?.parse(stated, columns, attributes) ?? NOT_ITS_COLUMNS;
}

/** The parts of the query's answers, in order. */
export function structureOf(query: Query, attributes: readonly Attribute[]): Structure {
  return classOf(query).structure(query, attributes);
}

/** The shape of each partition of the query's answers, in order. */
export function shapesOf(query: Query, attributes: readonly Attribute[]): (readonly number[])[] {
  return structureOf(query, attributes).partitions.map(({ shape }) => shape);
}

/**
 * The number of answers in all partitions and free predicates (a float, since a workload that is refused may exceed
 * 2^53).
 */
export function cellsOf(query: Query, attributes: readonly Attribute[]): number {
  const { partitions, free } = structureOf(query, attributes);
  return partitions.reduce((sum, { shape }) => sum + cellsIn(shape), free);
}

/** The number of cells of one partition. */
export function cellsIn(shape: readonly number[]): number {
  return shape.reduce((product, size) => product * size, 1);
}

/** A string that two queries share if they ask for the same: the cache key of their answers. */
export function keyOf(query: Query): string {
  return JSON.stringify([query.kind, query.columns, classOf(query).json(query)]);
}
