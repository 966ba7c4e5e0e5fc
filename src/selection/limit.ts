import type { Attribute } from "../domain/attribute.js";
import { junctionTreeCells } from "../graphical/triangulation.js";
import type { Query } from "../queries/query.js";

/**
 * Which of the candidates a round may choose, by what was measured before and the part of the budget that will have
 * been spent after it, 0 … 1. It uses public facts and earlier choices only.
 */
export type Limit = (candidates: readonly Query[], measured: readonly Query[], spent: number) => readonly Query[];

/** Rounds may choose all candidates. */
export const allOf: Limit = (candidates) => candidates;

/**
 * Candidates with which the junction tree of everything measured has at most so many cells, a part of them in
 * proportion to what was spent. If that leaves none, those with the smallest tree, unless it has more cells than that.
 */
export const treeWithin =
  (most: number, attributes: readonly Attribute[]): Limit =>
  (candidates, measured, spent) => {
    const sizes = attributes.map(({ size }) => size);
    const sets = [...new Map(measured.map(({ columns }) => [columns.join(), columns])).values()];
    const cells = candidates.map(({ columns }) => junctionTreeCells([...sets, columns], sizes));
    const least = cells.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
    const room = Math.min(most, Math.max(most * spent, least));
    return candidates.filter((_, at) => cells[at] <= room);
  };
