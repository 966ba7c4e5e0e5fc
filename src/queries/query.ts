import type { Attribute } from "../domain/attribute.js";
import type { Columns } from "../domain/columns.js";
import { NOT_ITS_COLUMNS } from "./column-set.js";
import { classNamed } from "./index.js";
import type { QueryClass, QueryJson, Structure } from "./query-class.js";

/**
 * A vector of counts over one set of columns (indices into the schema's attributes, ascending). A `marginal` has one
 * cell for each combination of codes, a `tree` (a set with a tree column) has the same at each level of the trees, an
 * `interaction` has a marginal's cells, centred, and `total` is a single cell. Queries of other classes have additional
 * members.
 */
export interface Query {
  /** The name of its class. */
  readonly kind: string;
  readonly columns: readonly number[];
  /**
   * For marginals and interactions only. For each axis: the group of each code, numbered from 0 without gaps, where its
   * cells are groups of codes, or `null` where they are the codes themselves. The query is still one partition of the
   * rows.
   */
  readonly groups?: readonly (readonly number[] | null)[];
  /** For interactions only. For each axis: whether counts are centred along it. Absent if they are along all axes. */
  readonly centred?: readonly boolean[];
  /** For sets of queries only: the members asked for, by their numbers, ascending. Absent if all of them are. */
  readonly numbers?: readonly number[];
}

const ofSets = new WeakMap<readonly number[], { readonly attributes: readonly Attribute[]; readonly query: Query }>();

/** The query for a set of columns: a tree if one of them is a tree column. */
export function queryOf(columns: readonly number[], attributes: readonly Attribute[]): Query {
  const last = ofSets.get(columns);
  if (last?.attributes === attributes) return last.query;
  const query = { kind: columns.some((column) => attributes[column].tree) ? "tree" : "marginal", columns };
  ofSets.set(columns, { attributes, query });
  return query;
}

export const classOf = ({ kind }: Query): QueryClass => classNamed(kind)!;

/** Whether the query is identified by its columns. */
export const isColumnSet = (query: Query): boolean => classOf(query).isColumnSet;

/**
 * The query that is stated, or what is wrong with it, worded to follow "an item". The columns must be modelled and
 * ascending.
 */
export function parseQuery(stated: QueryJson, columns: readonly number[], table: Columns): Query | string {
  return classNamed(stated.query)?.parse(stated, columns, table) ?? NOT_ITS_COLUMNS;
}

/**
 * What follows from a query and the attributes that it was last asked about. Both are never changed. It is kept where
 * it has several parts: a single table's is found sooner than looked up, and a workload may have a million of them.
 */
interface Facts {
  readonly attributes: readonly Attribute[];
  readonly structure: Structure;
  readonly cells: number;
}

const known = new WeakMap<Query, Facts>();

function factsOf(query: Query, attributes: readonly Attribute[]): Facts {
  const facts = known.get(query);
  if (facts?.attributes === attributes) return facts;
  const structure = classOf(query).structure(query, attributes);
  const cells = structure.partitions.reduce((sum, { shape }) => sum + cellsIn(shape), structure.free);
  const found = { attributes, structure, cells };
  if (structure.partitions.length + structure.free > 1) known.set(query, found);
  return found;
}

/** The parts of the query's answers, in order. */
export const structureOf = (query: Query, attributes: readonly Attribute[]): Structure =>
  factsOf(query, attributes).structure;

/** The columns whose values some of the queries compare with thresholds. */
export const comparedColumns = (queries: readonly Query[]): Set<number> =>
  new Set(queries.flatMap((query) => classOf(query).compared?.(query) ?? []));

/** The shape of each partition of the query's answers, in order. */
export function shapesOf(query: Query, attributes: readonly Attribute[]): (readonly number[])[] {
  return structureOf(query, attributes).partitions.map(({ shape }) => shape);
}

/**
 * The number of answers in all partitions and free predicates (a float, since a workload that is refused may exceed
 * 2^53).
 */
export const cellsOf = (query: Query, attributes: readonly Attribute[]): number => factsOf(query, attributes).cells;

const codes = new WeakMap<Query, Query>();

/** The query by codes, without groups of them. */
export function byCode(query: Query): Query {
  if (!query.groups) return query;
  const { groups: _, ...ungrouped } = query;
  const found = codes.get(query) ?? ungrouped;
  codes.set(query, found);
  return found;
}

/** The number of cells of one partition. */
export function cellsIn(shape: readonly number[]): number {
  return shape.reduce((product, size) => product * size, 1);
}

/** A string that two queries share if they ask for the same: the cache key of their answers. */
export function keyOf(query: Query): string {
  const { kind, columns, groups, centred } = query;
  const { isColumnSet, json } = classOf(query);
  return isColumnSet && !groups && !centred ? `${kind} ${columns}` : JSON.stringify([kind, columns, json(query)]);
}
