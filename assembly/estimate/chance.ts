// What a selection compares true counts with: the counts of independent columns, and how far from them chance alone
// would take a table.
import { rounded } from "../elementary";

/**
 * Rounds expected counts to targets, and returns the L1 distance from them that chance would contribute: the sum of the
 * mean absolute deviations of rounded Poisson counts. Counts below 0 count as 0.
 * @param expected f64[cells]
 * @param most the largest target allowed
 * @param targets i32[cells], replaced
 */
export function chanceTargets(expected: usize, cells: u32, most: i32, targets: usize): f64 {
  let sum: f64 = 0;
  for (const end = targets + (<usize>cells << 2); targets < end; targets += 4, expected += 8) {
    const count = max<f64>(0, load<f64>(expected));
    sum += min<f64>(2 * count, sqrt<f64>((2 / Math.PI) * count));
    store<i32>(targets, <i32>min<f64>(<f64>most, rounded(count)));
  }
  return sum;
}
