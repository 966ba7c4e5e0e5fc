import type { Price } from "../privacy/plan.js";
import type { DrawContext, Draws } from "./draw.js";
import type { Problem } from "./problem.js";

/** What a user may ask of a selection; there are defaults for all of it. */
export interface SelectionOptions {
  /** By what the queries of a workload are chosen in rounds; `"none"` measures all of them at once. */
  selection?: "none" | "max" | "l1" | "aim";
  /** How many rounds, 1 or more. */
  rounds?: number;
  /** How many queries a round chooses, 1 or more. */
  perRound?: number;
  /**
   * In how many stages a workload is measured without rounds: 1, all of it at once and with equal shares; 2, one-ways first, whose noisy
   * answers then decide the shares and resolutions of the rest.
   */
  stages?: 1 | 2;
}

/** Selection options, and whether coarser tables than those of the workload can be matched. */
export interface SelectionTerms extends SelectionOptions {
  readonly matchesGroups: boolean;
}

/** How a mechanism decides what to measure: at what price, before any data is seen, and then draw by draw. */
export interface Selection<Options> {
  /** @throws {StandinError} `budget/too-small` where a share buys nothing */
  price(problem: Problem<Options>): Price;
  draws(context: DrawContext<Options>): Draws;
}

/** A budget in whole-number weights, rounded down. */
export function sharesOf(budget: bigint, total: number | bigint): (weight: number) => bigint {
  return (weight) => (budget * BigInt(weight)) / BigInt(total);
}

export const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, number) => sum + number, 0);
