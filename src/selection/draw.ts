import type { OnProgress, Signal } from "../core/progress.js";
import { slices } from "../core/slices.js";
import type { Attribute } from "../domain/attribute.js";
import type { Model } from "../models/model.js";
import type { QueryItem, SelectionItem } from "../privacy/items.js";
import type { Ledger } from "../privacy/ledger.js";
import type { Measurement } from "../queries/measurement.js";
import { cellsOf, type Query } from "../queries/query.js";
import type { Problem } from "./problem.js";

/** A candidate of a selection, and what its true counts are compared with. */
export interface ScoredCandidate {
  /** Its index in `ledger.candidates`. */
  readonly number: number;
  /** Its score is `weight` times its distance, less `bias`, in the units of the item's score. */
  readonly weight: number;
  readonly bias: bigint;
  /**
   * One integer per cell, 0 … 2^30. Computed on demand: the targets of all candidates together may not fit in memory.
   */
  targets(): Int32Array;
}

/** The most cells of queries for which something is computed together, unless a single query has more. */
const MOST_CELLS = 1 << 20;

/**
 * What is computed of each query, on demand: for several of them together, and kept until that of others is needed. It
 * is best taken in order.
 */
export function onDemand<T>(
  queries: readonly Query[],
  attributes: readonly Attribute[],
  compute: (queries: readonly Query[]) => readonly T[],
): (() => T)[] {
  let kept: { readonly of: readonly Query[]; readonly values: readonly T[] } | undefined;
  return [...slices(queries, MOST_CELLS, (query) => cellsOf(query, attributes))].flatMap((together) =>
    together.map((_, at) => () => {
      if (kept?.of !== together) kept = { of: together, values: compute(together) };
      return kept.values[at];
    }),
  );
}

/**
 * Candidates that are compared with the answers of a fitted model, all with the same weight.
 * @param left their indices in `ledger.candidates`
 */
export function scoredBy(
  model: Model,
  candidates: readonly Query[],
  left: Iterable<number>,
  attributes: readonly Attribute[],
): ScoredCandidate[] {
  const numbers = [...left];
  const queries = numbers.map((number) => candidates[number]);
  const targets = onDemand(queries, attributes, (together) => model.answers(together));
  return numbers.map((number, at) => ({ number, weight: 1, bias: 0n, targets: targets[at] }));
}

/** A request to the door: noisy answers to these queries, or a choice among these candidates. */
export type Draw =
  | {
      readonly measure: readonly QueryItem[];
      /** Whether what was drawn so far is worth storing, because the rest takes long. */
      readonly keep?: boolean;
    }
  | { readonly choose: SelectionItem; readonly among: readonly ScoredCandidate[] };

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
  among: readonly ScoredCandidate[],
): Generator<Draw, readonly number[], DrawResult> {
  return (yield { choose, among }) as readonly number[];
}
