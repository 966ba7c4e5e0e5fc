// Answers as targets of a search: in units of a row of the searched table.
import { rounded } from "../elementary";

/**
 * Adds to a sum the squares of answers, each a fraction of the rows that it counts.
 * @param answers f64[cells]
 * @param total the rows that they count
 * @param least the smallest fraction allowed, −1 to 0
 * @param into f64: the sum
 */
export function addShares(answers: usize, cells: u32, total: f64, least: f64, into: usize): void {
  let sum = load<f64>(into);
  for (const end = answers + (<usize>cells << 3); answers < end; answers += 8) {
    const share = shareOf(load<f64>(answers), total, least);
    sum += share * share;
  }
  store<f64>(into, sum);
}

/**
 * Answers for a table of `rows` rows, rounded to whole units of 2^−shift row.
 * @param answers f64[cells]
 * @param total the rows that they count
 * @param least the smallest fraction allowed, −1 to 0
 * @param targets i32[cells], replaced; it may begin where the answers do
 */
export function targetUnits(
  answers: usize,
  cells: u32,
  total: f64,
  least: f64,
  rows: u32,
  shift: u32,
  targets: usize,
): void {
  const unit = <f64>(<u64>1 << shift);
  for (const end = targets + (<usize>cells << 2); targets < end; targets += 4, answers += 8)
    store<i32>(targets, <i32>rounded(shareOf(load<f64>(answers), total, least) * <f64>rows * unit));
}

/** An answer as a fraction of the rows that it counts. Noise beyond the whole table, or below `least`, is cut off. */
// @ts-ignore: decorator
@inline
function shareOf(answer: f64, total: f64, least: f64): f64 {
  return max<f64>(least, min<f64>(1, answer / max<f64>(1, total)));
}
