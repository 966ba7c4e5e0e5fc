import type { Price } from "../privacy/ledger.js";
import type { DrawContext, Draws } from "./draw.js";
import type { SelectionOptions } from "./options.js";
import type { Problem } from "./problem.js";

/** Selection options, and whether coarser tables than those of the workload can be matched. */
export interface SelectionSettings extends SelectionOptions {
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
