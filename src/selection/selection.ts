import type { Price } from "../privacy/ledger.js";
import type { DrawContext, Draws } from "./draw.js";
import type { SelectionOptions } from "./options.js";
import type { Problem } from "./problem.js";

/** The selection options, and whether tables coarser than those of the workload can be matched. */
export interface SelectionSettings extends SelectionOptions {
  readonly matchesGroups: boolean;
}

/** How a mechanism decides what to measure: first at what price, before any data is seen, then draw by draw. */
export interface Selection<Options> {
  /** @throws {StandinError} `budget/too-small` where a share is too small to buy anything */
  price(problem: Problem<Options>): Price;
  draws(context: DrawContext<Options>): Draws;
}

/** Divides a budget by whole-number weights, rounding down. */
export function sharesOf(budget: bigint, total: number | bigint): (weight: number) => bigint {
  return (weight) => (budget * BigInt(weight)) / BigInt(total);
}

export const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, number) => sum + number, 0);
