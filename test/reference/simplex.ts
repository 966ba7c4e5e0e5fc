import { firstWhere } from "./statistics.js";

/**
 * The nearest counts that are not negative and sum to the total: all are lowered by the one number that achieves this.
 */
export function nearestCounts(values: readonly number[], total: number): number[] {
  const lowered = (by: number) => values.map((value) => Math.max(0, value - by));
  const sum = (counts: readonly number[]) => counts.reduce((a, b) => a + b, 0);
  const span = total + values.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  return lowered(firstWhere(-span, span, (by) => sum(lowered(by)) <= total));
}
