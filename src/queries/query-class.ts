import type { Attribute } from "../schema/schema.js";
import type { Query } from "./query.js";

/** Cells of which a row is in one at most: row-major, one axis after the other. */
export interface Partition {
  readonly shape: readonly number[];
  /** Whether every row is in one of the cells, so that they sum to the number of rows. */
  readonly isWhole: boolean;
}

/**
 * What a query's answers consist of, in their order, and its sensitivity follows from: partitions, then predicates
 * outside them.
 */
export interface Structure {
  readonly partitions: readonly Partition[];
  /** How many predicates: a row may satisfy any number of them. */
  readonly free: number;
}

/**
 * A query as release.json and workloads state it, before anything is known of it: its class by name, and what else the
 * class reads.
 */
export interface QueryJson {
  readonly query?: unknown;
  readonly [member: string]: unknown;
}

/**
 * A class of queries: all that the package has to know of it, beside how the engine counts and searches
 * (assembly/queries/).
 */
export interface QueryClass<Q extends Query = Query> {
  /** Its name, in a query's `kind`. */
  readonly kind: string;
  /** Its number in the engine: QUERY_KIND of its queries. */
  readonly number: number;
  /**
   * Whether a set of columns says all of a query: workloads name the set, and estimates are made of all such queries
   * together.
   */
  readonly isColumnSet: boolean;
  structure(query: Q, attributes: readonly Attribute[]): Structure;
  /** Whether a candidate of the class can have so many partitions and free predicates. */
  canHave(partitions: number, free: number, attributes: readonly Attribute[]): boolean;
  /** What release.json states of a query beside class and columns, and a cache knows it by. */
  json(query: Q): object;
  /**
   * The query that is stated, of columns (ascending) that the schema models; or what is wrong with it, as words after
   * "an item".
   * @param stated may hold anything
   */
  parse(stated: QueryJson, columns: readonly number[], attributes: readonly Attribute[]): Q | string;
  /** What the engine's kernels of the class read of a query behind its axes, u32 each. */
  encode(query: Q, attributes: readonly Attribute[]): readonly number[];
}
