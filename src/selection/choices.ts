// What rounds of choices choose among, and how many of them there can be.
import { StandinError } from "../core/errors.js";
import type { Attribute } from "../domain/attribute.js";
import { type CandidateGroup, candidateGroups, cellGroups } from "../privacy/candidates.js";
import type { Query } from "../queries/query.js";

/** @throws {StandinError} `options/selection` where there are no queries to choose from */
export function expectQueries(queries: readonly Query[]): void {
  if (!queries.length)
    throw new StandinError(
      "options/selection",
      "The workload has no set of two columns or more, and no other query, so there is nothing to choose.",
      "Use private-gsd, which then measures everything at once.",
    );
}

/**
 * Marginals as candidates, or their cells, one by one.
 * @throws {StandinError} `options/selection` where there are none
 */
export function marginalsOrCells(
  marginals: readonly Query[],
  attributes: readonly Attribute[],
  selection: string | undefined,
): CandidateGroup[] {
  expectQueries(marginals);
  return selection === "cells" ? cellGroups(marginals, attributes) : candidateGroups(marginals);
}

/** @throws {StandinError} `options/rounds` where rounds would choose more than there is */
export function expectCandidates(rounds: number, picks: number, among: number, hint = "Use fewer."): void {
  if (rounds * picks > among)
    throw new StandinError(
      "options/rounds",
      `${rounds} rounds of ${picks} would choose ${rounds * picks} of ${among} candidates.`,
      hint,
    );
}
