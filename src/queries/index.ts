import { marginal } from "./marginal.js";
import type { QueryClass } from "./query-class.js";
import { total } from "./total.js";
import { tree } from "./tree.js";

/** All classes of queries; `assembly/queries/index.ts` is the engine's list. */
const CLASSES: readonly QueryClass[] = [marginal, tree, total];

/**
 * What a workload may hold beside sets of columns: queries of classes whose columns do not say all. There is none yet.
 */
export type WorkloadQuery = never;

/** The class of this name, or nothing. @param kind anything */
export function classNamed(kind: unknown): QueryClass | undefined {
  return CLASSES.find((known) => known.kind === kind);
}

/** Whether any candidate can have so many partitions and free predicates. */
export const canHave: QueryClass["canHave"] = (partitions, free, attributes) =>
  CLASSES.some((known) => known.canHave(partitions, free, attributes));
