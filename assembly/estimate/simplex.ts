import { rankValues } from "./ranking";

/**
 * Replaces values by the nearest point of { x ≥ 0, Σx = total }: all are lowered by one threshold, and negative ones
 * become 0.
 * @param values f64[count], none of them NaN
 * @param total positive
 * @param order u32[count], scratch
 * @param scratch u64[2·count]
 */
export function projectOnSimplex(values: usize, count: u32, total: f64, order: usize, scratch: usize): void {
  rankValues(values, count, order, scratch);
  let sum: f64 = 0;
  let threshold: f64 = 0;
  for (let kept: u32 = 1; kept <= count; kept++) {
    const next = load<f64>(values + ((<usize>load<u32>(order + ((<usize>(kept - 1)) << 2))) << 3));
    sum += next;
    const candidate = (sum - total) / <f64>kept;
    if (candidate >= next) break;
    threshold = candidate;
  }
  for (const end = values + (<usize>count << 3); values < end; values += 8)
    store<f64>(values, max<f64>(0, load<f64>(values) - threshold));
}
