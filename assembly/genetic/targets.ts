// Answers as targets of a search: in units of a row of the searched table.
import { rounded } from "../elementary";

/**
 * Adds to a sum the squares of answers, each a fraction of the rows that it counts.
 * @param answers f64[cells]
 * @param total the rows that they count
 */
export function addShares(answers: usize, cells: u32, total: f64, sum: f64): f64 {
  for (const end = answers + (<usize>cells << 3); answers < end; answers += 8) {
    const share = shareOf(load<f64>(answers), total);
    sum += share * share;
  }
  return sum;
}

/**
 * Answers for a table of `rows` rows, rounded to whole units of 2^−shift row.
 * @param answers f64[cells]
 * @param total the rows that they count
 * @param targets i32[cells], replaced
 */
export function targetUnits(answers: usize, cells: u32, total: f64, rows: u32, shift: u32, targets: usize): void {
  const unit = <f64>(<u64>1 << shift);
  for (const end = targets + (<usize>cells << 2); targets < end; targets += 4, answers += 8)
    store<i32>(targets, <i32>rounded(shareOf(load<f64>(answers), total) * <f64>rows * unit));
}

/**
 * Counts of one table as counts of a table of another size, rounded, at most 2^30.
 * @param counts i32[cells], 0 or more; replaced
 */
export function scaleCounts(counts: usize, cells: u32, scale: f64): void {
  for (const end = counts + (<usize>cells << 2); counts < end; counts += 4) {
    const count = load<i32>(counts);
    if (count) store<i32>(counts, <i32>min<f64>(1073741824, rounded(<f64>count * scale)));
  }
}

/** An answer as a fraction of the rows that it counts. Noise beyond the whole table is cut off. */
// @ts-ignore: decorator
@inline
function shareOf(answer: f64, total: f64): f64 {
  return max<f64>(-1, min<f64>(1, answer / max<f64>(1, total)));
}
