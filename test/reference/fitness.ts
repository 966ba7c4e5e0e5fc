import { changed, lossOf, type Problem } from "./residuals.js";

/** A change of one cell. */
export type Candidate = readonly [row: number, column: number, value: number];

/** By how much each change would change the loss. */
export function fitness(problem: Problem, candidates: readonly Candidate[]): bigint[] {
  const before = lossOf(problem, problem.codes);
  return candidates.map((candidate) => lossOf(problem, changed(problem.codes, ...candidate)) - before);
}
