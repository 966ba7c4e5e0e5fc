import { junctionTreeCells } from "../graphical/triangulation.js";
import type { Measurement } from "../queries/measurement.js";
import type { Query } from "../queries/query.js";
import type { Problem } from "./problem.js";

/**
 * Which of the candidates that are left a round may choose, by what was measured before and the part of the budget that
 * will have been spent after it, 0 … 1. It uses public facts only, and at least one candidate is among them.
 */
export type Limit = (candidates: readonly Query[], measured: readonly Measurement[], spent: number) => Query[];

/** Rounds may choose all candidates. */
export const allOf: Limit = (candidates) => [...candidates];

/**
 * Candidates with which the junction tree of everything measured has at most so many cells, a part of them in
 * proportion to what was spent. Where there are none, those with the smallest such tree.
 */
export const treeWithin =
  (most: number) =>
  ({ attributes }: Pick<Problem<unknown>, "attributes">): Limit =>
  (candidates, measured, spent) => {
    const sizes = attributes.map(({ size }) => size);
    const sets = [...new Map(measured.map(({ query: { columns } }) => [columns.join(), columns])).values()];
    const cells = candidates.map(({ columns }) => junctionTreeCells([...sets, columns], sizes));
    const room = Math.max(most * spent, Math.min(...cells));
    return candidates.filter((_, at) => cells[at] <= room);
  };
