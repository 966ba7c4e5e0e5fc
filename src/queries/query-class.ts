import type { Attribute } from "../domain/attribute.js";
import type { Columns } from "../domain/columns.js";
import type { Query } from "./query.js";

/** Cells of which a row is in at most one: row-major, one axis after the other. */
export interface Partition {
  readonly shape: readonly number[];
  /** Whether every row is in one of the cells, so that they sum to the number of rows. */
  readonly isWhole: boolean;
}

/**
 * The parts of a query's answers, in order, which determine its sensitivity: partitions, then predicates outside them.
 */
export interface Structure {
  readonly partitions: readonly Partition[];
  /** The number of predicates. A row may satisfy any number of them. */
  readonly free: number;
  /**
   * Of a single partition whose counts are centred: the size of each axis along which they are, 0 for the others.
   */
  readonly centred?: readonly number[];
}

/**
 * A query as release.json and workloads state it, before it is parsed: the name of its class, and what else the class
 * reads.
 */
export interface QueryJson {
  readonly query?: unknown;
  readonly [member: string]: unknown;
}

/**
 * How a class asks for some of the queries of a set. They are its members: all have the same number of answers, and
 * their structures add up. Members are numbered in the set from 0 on, whichever of them a query asks for.
 */
export interface Members<Q extends Query> {
  /** How many members a query asks for. */
  count(query: Q): number;
  /** The query that asks for these members of the set, by their numbers, ascending. */
  only(query: Q, numbers: readonly number[]): Q;
  /** The query that asks for the whole set. Those of two queries have the same key if the sets are the same. */
  whole(query: Q): Q;
}

/**
 * A class of queries: everything that the package has to know about it, except how the engine counts and searches
 * (assembly/queries/).
 */
export interface QueryClass<Q extends Query = Query> {
  /** Its name, used as a query's `kind`. */
  readonly kind: string;
  /** Its number in the engine: the QUERY_KIND of its queries. */
  readonly number: number;
  /**
   * Whether a query is identified by its set of columns. Workloads name such queries by the set, and estimates combine
   * all of them.
   */
  readonly isColumnSet: boolean;
  /**
   * What a workload can state of a query besides its class, columns and weight. Without it, a workload states such
   * queries in another form.
   */
  readonly states?: readonly string[];
  structure(query: Q, attributes: readonly Attribute[]): Structure;
  /** The columns whose values the query compares with thresholds, if it does: their rows get fine codes. */
  compared?(query: Q): readonly number[];
  /** Whether a candidate of the class can have this many partitions and free predicates, which may be anything. */
  canHave(partitions: unknown, free: unknown, attributes: readonly Attribute[]): boolean;
  /** Of a class whose queries are sets of queries, drawn from a public seed: how to ask for some of a set. */
  readonly members?: Members<Q>;
  /**
   * The members that release.json states for a query besides its class and columns. They are also part of the query's
   * cache key.
   */
  json(query: Q): object;
  /**
   * The query that is stated, over columns (ascending) that the schema models, or what is wrong with it, worded to
   * follow "an item".
   * @param stated may hold anything
   */
  parse(stated: QueryJson, columns: readonly number[], table: Columns): Q | string;
  /**
   * For classes whose queries a workload can state without the name of the class and their columns: the query, or
   * `undefined` if it is none of the class.
   * @throws {StandinError} `workload/…`, if it is one of the class that the table cannot answer
   */
  ask?(stated: QueryJson, table: Columns): Q | undefined;
  /** The parameters that the engine's kernels for the class read after a query's axes, u32 each. */
  encode(query: Q, attributes: readonly Attribute[]): ArrayLike<number>;
  /**
   * For each column of a query, the most residuals that the score of one of its codes in a search adds up. Without it,
   * two for each partition and free predicate.
   * @param parameters what `encode` returned
   */
  reach?(query: Q, attributes: readonly Attribute[], parameters: Uint32Array): readonly number[];
}
