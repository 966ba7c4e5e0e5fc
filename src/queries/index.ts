import { type ExpressionJson, expression } from "./expression.js";
import { interaction } from "./interaction.js";
import { marginal } from "./marginal.js";
import type { QueryClass } from "./query-class.js";
import { type RandomHalfSpacesQuery, randomHalfSpaces } from "./random-half-spaces.js";
import { type RandomPrefixesQuery, randomPrefixes } from "./random-prefixes.js";
import { type RangesQuery, ranges } from "./ranges.js";
import { total } from "./total.js";
import { tree } from "./tree.js";

/** All classes of queries. The engine's list is in `assembly/queries/index.ts`. */
export const CLASSES: readonly QueryClass[] = [
  marginal,
  interaction,
  tree,
  total,
  ranges,
  randomPrefixes,
  randomHalfSpaces,
  expression,
];

/**
 * The queries that a workload may hold besides sets of columns: those of classes that need more than their columns to
 * be identified, as object types of their own.
 */
export type WorkloadQuery = RangesQuery | RandomPrefixesQuery | RandomHalfSpacesQuery | ExpressionJson;

const named = new Map<unknown, QueryClass>(CLASSES.map((known) => [known.kind, known]));

/** The class with this name, or undefined. @param kind anything */
export const classNamed = (kind: unknown): QueryClass | undefined => named.get(kind);

/** Whether any candidate can have this many partitions and free predicates. */
export const canHave: QueryClass["canHave"] = (partitions, free, attributes) =>
  CLASSES.some((known) => known.canHave(partitions, free, attributes));
