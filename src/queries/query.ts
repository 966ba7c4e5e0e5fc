import type { Attribute } from "../schema/schema.js";
import { marginalShapes } from "./marginal.js";
import { treeShapes } from "./tree.js";

/**
 * A vector of counts over one set of columns (indices into the schema's attributes, ascending): a `marginal` has a cell for each
 * combination of codes, a `tree` (a set with a tree column) the same at each level of the trees, `total` a single cell.
 */
export interface Query {
  readonly kind: "marginal" | "tree" | "total";
  readonly columns: readonly number[];
  /**
   * Of a marginal only: for each axis the group, 0 up without gaps, of each code, where its cells are groups of codes; `null` where they are
   * the codes themselves. Still one partition of the rows.
   */
  readonly groups?: readonly (readonly number[] | null)[];
}

/** The query class that a set of columns has: a tree where one of them is a tree column. */
export function queryOf(columns: readonly number[], attributes: readonly Attribute[]): Query {
  return { kind: columns.some((column) => attributes[column].tree) ? "tree" : "marginal", columns };
}

/** The shape of each partition that the query's answers consist of, in the order of the answers. */
export function shapesOf(query: Query, attributes: readonly Attribute[]): number[][] {
  const axes = query.columns.map((column) => attributes[column]);
  if (query.kind === "total") return [[]];
  return query.kind === "tree" ? treeShapes(axes) : marginalShapes(axes, query.groups);
}

/** The number of answers, all partitions together (a float: a refused workload may exceed 2^53). */
export function cellsOf(query: Query, attributes: readonly Attribute[]): number {
  return shapesOf(query, attributes).reduce((sum, shape) => sum + cellsIn(shape), 0);
}

/** The number of cells of one partition. */
export function cellsIn(shape: readonly number[]): number {
  return shape.reduce((product, size) => product * size, 1);
}

/** A text that two queries share where they ask the same: the name of their answers in a cache. */
export function keyOf({ kind, columns, groups }: Query): string {
  return JSON.stringify([kind, columns, groups]);
}
