// What rounds of choices choose among, and how many of them there can be.
import { shownNumber } from "../core/arguments.js";
import { StandinError } from "../core/errors.js";
import { thousands } from "../core/thousands.js";
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

/** More rounds would take memory that no plan states. */
const MOST_ROUNDS = 10_000;

/** @throws {StandinError} `options/rounds` where there are too many, whatever they choose */
export function expectRounds(rounds: number): void {
  if (rounds > MOST_ROUNDS)
    throw new StandinError(
      "options/rounds",
      `There would be ${shownNumber(rounds)} rounds.`,
      `Use at most ${thousands(MOST_ROUNDS)}.`,
    );
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
