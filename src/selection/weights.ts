import type { Query } from "../queries/query.js";
import type { Problem } from "./problem.js";

type WithWeights = Pick<Problem<unknown>, "weights">;

/** How much a query of the workload matters: above 0, and 1 unless it is stated. */
export const weightOf = ({ weights }: WithWeights, query: Query): number => weights?.get(query) ?? 1;

/** Whether some of these queries matter more than others. */
export const areWeighted = (problem: WithWeights, [first, ...others]: readonly Query[]): boolean =>
  problem.weights !== undefined && others.some((query) => weightOf(problem, query) !== weightOf(problem, first));

/**
 * Weights of queries as whole numbers, at least 1: those that matter most of them all have the weight `most`, and the
 * others in proportion.
 */
export function wholeWeights(problem: WithWeights, queries: readonly Query[], most: number): (query: Query) => number {
  const largest = queries.reduce((largest, query) => Math.max(largest, weightOf(problem, query)), 0);
  return (query) => Math.max(1, Math.round(most * (weightOf(problem, query) / largest)));
}
