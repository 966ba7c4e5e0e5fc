import type { OnProgress } from "../core/progress.js";
import type { Model } from "../models/model.js";
import type { QueryItem, SelectionItem } from "../privacy/items.js";
import type { Ledger } from "../privacy/ledger.js";
import type { Measurement } from "../queries/measurement.js";
import type { Query } from "../queries/query.js";
import type { Problem } from "./problem.js";

/** A candidate of a choice, and what its true counts are compared with. */
export interface ScoredCandidate {
  /** Its place in `ledger.candidates`. */
  readonly number: number;
  /** Its score is `weight` times its distance, less `bias`, in the units of the item's score. */
  readonly weight: number;
  readonly bias: bigint;
  /** One integer per cell, 0 … 2^30. Asked for when its turn comes: all candidates' together may not fit. */
  targets(): Int32Array;
}

/** Candidates compared with what a fitted model answers, all with the same weight. @param numbers their places in `ledger.candidates` */
export function scoredBy(model: Model, candidates: readonly Query[], numbers: Iterable<number>): ScoredCandidate[] {
  return Array.from(numbers, (number) => ({
    ...{ number, weight: 1, bias: 0n },
    targets: () => model.answers(candidates[number]),
  }));
}

/** What a mechanism asks of the door: noisy answers to these queries, or a choice among these candidates. */
export type Draw =
  | {
      readonly measure: readonly QueryItem[];
      /** Whether what was drawn so far is worth keeping: the rest takes long. */
      readonly keep?: boolean;
    }
  | { readonly choose: SelectionItem; readonly among: readonly ScoredCandidate[] };

/** What the door gives back: the noisy answers, in order, or the numbers of the chosen candidates, in the order of choice. */
export type DrawResult = readonly Measurement[] | readonly number[];

/** A program of draws. It is given back noisy answers and choices, and nothing else of the table. */
export type Draws = AsyncGenerator<Draw, void, DrawResult>;

/** What a program of draws works with. */
export interface DrawContext<Options> {
  readonly problem: Problem<Options>;
  /** What the plan has priced before any data was seen. */
  readonly ledger: Ledger;
  /** The model that candidates are compared with, where a program fits one. */
  readonly model: Model;
  /** The search seed, 32 bits. */
  readonly seed: number;
  readonly onProgress?: OnProgress;
  readonly signal?: AbortSignal;
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
