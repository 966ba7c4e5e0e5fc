import type { Attribute } from "../schema/schema.js";
import { NOT_ITS_COLUMNS } from "./column-set.js";
import { classNamed } from "./index.js";
import type { QueryClass, QueryJson, Structure } from "./query-class.js";

/**
 * A vector of counts over one set of columns (indices into the schema's attributes, ascending): a `marginal` has a cell
 * for each combination of codes, a `tree` (a set with a tree column) the same at each level of the trees, `total` a
 * single cell. Queries of other classes have members of their own.
 */
export interface Query {
  /** The name of its class. */
  readonly kind: string;
  readonly columns: readonly number[];
  /**
   * Of a marginal only: for each axis the group, 0 up without gaps, of each code, where its cells are groups of codes; `null` where they are
   * the codes themselves. Still one partition of the rows.
   */
  readonly groups?: readonly (readonly number[] | null)[];
}

/** The query of a set of columns: a tree where one of them is a tree column. */
export function queryOf(columns: readonly number[], attributes: readonly Attribute[]): Query {
  return { kind: columns.some((column) => attributes[column].tree) ? "tree" : "marginal", columns };
}

export const classOf = ({ kind }: Query): QueryClass => classNamed(kind)!;

/** Whether its columns say all of a query. */
export const isColumnSet = (query: Query): boolean => classOf(query).isColumnSet;

/**
 * The query that is stated, or what is wrong with it, as words after "an item"; its columns are modelled, and ascend.
 */
export function parseQuery(
  stated: QueryJson,
  columns: readonly number[],
  attributes: readonly Attribute[],
): Query | string {
  return classNamed(stated.query)?.parse(stated, columns, attributes) ?? NOT_ITS_COLUMNS;
}

/** What the query's answers consist of, in their order. */
export function structureOf(query: Query, attributes: readonly Attribute[]): Structure {
  return classOf(query).structure(query, attributes);
}

/** The shape of each partition of the query's answers, in their order. */
export function shapesOf(query: Query, attributes: readonly Attribute[]): (readonly number[])[] {
  return structureOf(query, attributes).partitions.map(({ shape }) => shape);
}

/** The number of answers, all partitions and free predicates together (a float: a refused workload may exceed 2^53). */
export function cellsOf(query: Query, attributes: readonly Attribute[]): number {
  const { partitions, free } = structureOf(query, attributes);
  return partitions.reduce((sum, { shape }) => sum + cellsIn(shape), free);
}

/** The number of cells of one partition. */
export function cellsIn(shape: readonly number[]): number {
  return shape.reduce((product, size) => product * size, 1);
}

/** A text that two queries share where they ask the same: the name of their answers in a cache. */
export function keyOf(query: Query): string {
  return JSON.stringify([query.kind, query.columns, classOf(query).json(query)]);
}
