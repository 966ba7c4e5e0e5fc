import type { OnProgress, Signal } from "../core/progress.js";
import { slices } from "../core/slices.js";
import type { Attribute } from "../domain/attribute.js";
import type { Model } from "../models/model.js";
import { type CandidateGroup, groupOf, type ScoredGroup } from "../privacy/candidates.js";
import type { QueryItem, SelectionItem } from "../privacy/items.js";
import type { Ledger } from "../privacy/ledger.js";
import type { Measurement } from "../queries/measurement.js";
import { cellsOf, type Query } from "../queries/query.js";
import type { Problem } from "./problem.js";

/** The most cells of queries for which something is computed together, unless a single query has more. */
const MOST_CELLS = 1 << 20;

/**
 * What is computed of each query, on demand: for several of them together, and kept until that of others is needed. It
 * is best taken in order.
 */
export function onDemand<T>(
  queries: readonly Query[],
  attributes: readonly Attribute[],
  compute: (queries: readonly Query[]) => Promise<readonly T[]>,
): (() => Promise<T>)[] {
  let kept: { readonly of: readonly Query[]; readonly values: Promise<readonly T[]> } | undefined;
  return [...slices(queries, MOST_CELLS, (query) => cellsOf(query, attributes))].flatMap((together) =>
    together.map((_, at) => async () => {
      if (kept?.of !== together) kept = { of: together, values: compute(together) };
      return (await kept.values)[at];
    }),
  );
}

/** The place of the only candidate of a group. */
const ONLY = Uint32Array.of(0);

/** The places of all candidates, group by group. */
export const allPlaces = (groups: readonly CandidateGroup[]): Uint32Array[] =>
  groups.map(({ count }) => (count === 1 ? ONLY : Uint32Array.from({ length: count }, (_, place) => place)));

const NONE = new Uint32Array();

/** The places, of groups for which the test holds; none of the others. */
export const placesWhere = (
  groups: readonly CandidateGroup[],
  places: readonly Uint32Array[],
  test: (query: Query) => boolean,
): Uint32Array[] => places.map((some, at) => (test(groups[at].query) ? some : NONE));

/** The places that are left, group by group, without those of some candidates. */
export function withoutChosen(
  groups: readonly CandidateGroup[],
  left: readonly Uint32Array[],
  chosen: readonly number[],
): Uint32Array[] {
  const gone = new Set(chosen);
  const affected = new Set(chosen.map((number) => groupOf(groups, number)));
  return groups.map((group, at) =>
    affected.has(group) ? left[at].filter((place) => !gone.has(group.first + place)) : left[at],
  );
}

/**
 * Candidates that are compared with the answers of a fitted model.
 * @param left the places of those that may be chosen, group by group
 * @param weightOf the weight of each of a group's candidates, in the units of the item's score
 * @param biasOf what is taken off the score of each, times the weight
 */
export function scoredBy(
  model: Model,
  groups: readonly CandidateGroup[],
  left: readonly Uint32Array[],
  attributes: readonly Attribute[],
  weightOf: (query: Query) => number = () => 1,
  biasOf: (query: Query) => number = () => 0,
): ScoredGroup[] {
  const compared = groups.flatMap((group, at) => (left[at].length ? [{ group, places: left[at] }] : []));
  // Cells and their complements have the same targets.
  const queries = [...new Set(compared.map(({ group }) => group.query))];
  const computed = onDemand(queries, attributes, (together) => model.answers(together));
  const targets = new Map(queries.map((query, at) => [query, computed[at]]));
  return compared.map(({ group, places }) => {
    const weight = weightOf(group.query);
    const bias = BigInt(Math.round(weight * biasOf(group.query)));
    return { group, places, weight, targets: targets.get(group.query)!, bias: async () => bias };
  });
}

/** A request to the door: noisy answers to these queries, or a choice among these candidates. */
export type Draw = (
  | { readonly measure: readonly QueryItem[] }
  | { readonly choose: SelectionItem; readonly among: readonly ScoredGroup[] }
) & {
  /** Whether what was drawn so far is worth storing, because the rest takes long. */
  readonly keep?: boolean;
};

/**
 * The result of a draw: the noisy answers, in order, or the numbers of the chosen candidates, in the order of choice.
 */
export type DrawResult = readonly Measurement[] | readonly number[];

/** A program of draws. It receives noisy answers and choices, and nothing else about the table. */
export type Draws = AsyncGenerator<Draw, void, DrawResult>;

/** The inputs of a program of draws. */
export interface DrawContext<Options> {
  readonly problem: Problem<Options>;
  /** The prices that the plan fixed before any data was seen. */
  readonly ledger: Ledger;
  /** The model that candidates are compared with, if a program fits one. */
  readonly model: Model;
  /** The search seed, 32 bits. */
  readonly seed: number;
  readonly onProgress?: OnProgress;
  readonly signal?: Signal;
}

/** Measures queries. @returns their noisy answers, in order */
export function* measured(
  measure: readonly QueryItem[],
  { keep }: { keep?: boolean } = {},
): Generator<Draw, readonly Measurement[], DrawResult> {
  return (yield { measure, keep }) as readonly Measurement[];
}

/** Makes a choice. @returns the numbers of the chosen candidates, in the order of choice */
export function* chosen(
  choose: SelectionItem,
  among: readonly ScoredGroup[],
  { keep }: { keep?: boolean } = {},
): Generator<Draw, readonly number[], DrawResult> {
  return (yield { choose, among, keep }) as readonly number[];
}
