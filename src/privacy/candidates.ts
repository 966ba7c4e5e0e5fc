// The candidates of selections: any number of them, as a few groups.
import type { Attribute } from "../domain/attribute.js";
import { cellAt } from "../queries/cells.js";
import { countOf, membersAt } from "../queries/members.js";
import { cellsOf, type Query } from "../queries/query.js";

/** Candidates that are alike: the members that a set asks for, the cells of a marginal, or one query of any kind. */
export interface CandidateGroup {
  /** What asks for all of them. */
  readonly query: Query;
  /** The first of them. All have its structure and its number of answers. */
  readonly one: Query;
  /** The number of the first of them. A release numbers candidates from 0 on, group after group. */
  readonly first: number;
  readonly count: number;
  /** Whether the candidates are the complements of these queries: the rows that a query does not count. */
  readonly areComplements?: boolean;
  /** The query of the one at a place, counted from 0 on. */
  at(place: number): Query;
}

/** Some candidates of a group, and what their true counts are compared with. All of it is public. */
export interface ScoredGroup {
  readonly group: CandidateGroup;
  /** Which of the group's candidates are compared: their places in it, from 0 on. */
  readonly places: Uint32Array;
  /** Their score is `weight` times their distance, less `bias`, in the units of the item's score; at most 1. */
  readonly weight: number;
  /**
   * One integer per cell of all the group's candidates, 0 … 2^30. Computed on demand: the targets of all candidates
   * together may not fit in memory.
   */
  targets(): Promise<Int32Array>;
  /** Computed on demand too, since it may follow from the targets. */
  bias(): Promise<bigint>;
}

/** Queries as groups of candidates. */
export function candidateGroups(queries: readonly Query[]): CandidateGroup[] {
  let next = 0;
  return queries.map((query) => {
    const first = next;
    const count = countOf(query);
    next += count;
    return { query, one: membersAt(query, [0]), first, count, at: (place) => membersAt(query, [place]) };
  });
}

/**
 * Marginals as groups whose candidates are their cells, one by one. A cell alone is a predicate, so it is scored and
 * measured at the sensitivity of one.
 */
export function cellGroups(marginals: readonly Query[], attributes: readonly Attribute[]): CandidateGroup[] {
  let next = 0;
  return marginals.map((query) => {
    const first = next;
    const count = cellsOf(query, attributes);
    next += count;
    const at = (place: number) => cellAt(query, place, attributes);
    return { query, one: at(0), first, count, at };
  });
}

/**
 * Marginals as two groups each: their cells, and the complements of these. By signed errors, a model has too few rows
 * in a cell that is chosen, and too many in a cell whose complement is.
 */
export function signedCellGroups(marginals: readonly Query[], attributes: readonly Attribute[]): CandidateGroup[] {
  return cellGroups(marginals, attributes).flatMap((group) => {
    const first = 2 * group.first;
    return [
      { ...group, first },
      { ...group, first: first + group.count, areComplements: true },
    ];
  });
}

/** How many candidates there are. */
export function candidateCount(groups: readonly CandidateGroup[]): number {
  const last = groups.at(-1);
  return last ? last.first + last.count : 0;
}

/** The group that has the candidate of this number: the last that begins with it or before it. */
export function groupOf<Group extends { readonly first: number }>(groups: readonly Group[], number: number): Group {
  let [low, high] = [0, groups.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (groups[middle].first <= number) low = middle;
    else high = middle - 1;
  }
  return groups[low];
}

/** The cells that are chosen among signed groups, by the numbers of the chosen candidates. */
export const cellsChosen = (groups: readonly CandidateGroup[], numbers: readonly number[]) =>
  numbers.map((number) => {
    const sign: 1 | -1 = groupOf(groups, number).areComplements ? -1 : 1;
    return { cell: candidateAt(groups, number), sign };
  });

/** The query that is the candidate of this number. */
export function candidateAt(groups: readonly CandidateGroup[], number: number): Query {
  const group = groupOf(groups, number);
  return group.at(number - group.first);
}
