import type { Attribute } from "../domain/attribute.js";
import { cellsOver } from "../graphical/contraction.js";
import { junctionTreeCells } from "../graphical/triangulation.js";
import type { Query } from "../queries/query.js";

/**
 * Which of the candidates a round may choose, by what was measured before and the part of the budget that will have
 * been spent after it, 0 … 1. It uses public facts and earlier choices only.
 */
export type Limit = (candidates: readonly Query[], measured: readonly Query[], spent: number) => readonly Query[];

/** Rounds may choose all candidates. */
export const allOf: Limit = (candidates) => candidates;

/** A tree that is found for more sets is not larger than one that these are known to have, by more than this factor. */
const SLACK = 8;

/**
 * Candidates with which the junction tree of everything measured has at most so many cells, a part of them in
 * proportion to what was spent. If that leaves none, those with the smallest tree, unless it has more cells than that.
 */
export const treeWithin =
  (most: number, attributes: readonly Attribute[]): Limit =>
  (candidates, measured, spent) => {
    const sizes = attributes.map(({ size }) => size);
    const sets = [...new Map(measured.map(({ columns }) => [columns.join(), columns])).values()];
    const before = junctionTreeCells(sets, sizes);
    // With all columns of a set but one in every clique, a tree has the set, too.
    const isSmall = ({ columns }: Query) => {
      const largest = columns.reduce((most, column) => Math.max(most, sizes[column]), 1);
      return (SLACK * before * cellsOver(columns, sizes)) / largest <= most * spent;
    };
    if (candidates.every(isSmall)) return candidates;
    const cells = candidates.map((query) => (isSmall(query) ? 0 : junctionTreeCells([...sets, query.columns], sizes)));
    const least = cells.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
    const room = Math.min(most, Math.max(most * spent, least));
    return candidates.filter((_, at) => cells[at] <= room);
  };
