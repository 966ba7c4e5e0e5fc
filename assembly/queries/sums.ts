// Arithmetic on the answers of a query: sums, distances, scales.
import { rounded } from "../elementary";

/** Adds counts to others. @param counts i32[cells] @param into i32[cells] */
export function addCounts(counts: usize, into: usize, cells: u32): void {
  const end = into + (<usize>cells << 2);
  if (ASC_FEATURE_SIMD)
    for (const fours = into + ((<usize>(cells & ~3)) << 2); into < fours; into += 16, counts += 16)
      v128.store(into, i32x4.add(v128.load(into), v128.load(counts)));
  for (; into < end; into += 4, counts += 4) store<i32>(into, load<i32>(into) + load<i32>(counts));
}

/** Σ counts, exactly while it stays below 2^53. @param counts i32[cells] */
export function sumCounts(counts: usize, cells: u32): f64 {
  let sum: i64 = 0;
  for (const end = counts + (<usize>cells << 2); counts < end; counts += 4) sum += <i64>load<i32>(counts);
  return <f64>sum;
}

/** Σ |count − other|, exactly while it stays below 2^53. @param counts i32[cells] @param others i32[cells] */
export function countDistance(counts: usize, others: usize, cells: u32): f64 {
  let sum: i64 = 0;
  for (const end = counts + (<usize>cells << 2); counts < end; counts += 4, others += 4)
    sum += abs<i64>(<i64>load<i32>(counts) - <i64>load<i32>(others));
  return <f64>sum;
}

/**
 * Adds to a sum the squared differences between scaled counts and noisy answers.
 * @param counts i32[cells]
 * @param answers i32[cells]
 * @param into f64: the sum
 */
export function addSquares(counts: usize, answers: usize, cells: u32, scale: f64, into: usize): void {
  let sum = load<f64>(into);
  for (const end = counts + (<usize>cells << 2); counts < end; counts += 4, answers += 4) {
    const difference = scale * <f64>load<i32>(counts) - <f64>load<i32>(answers);
    sum += difference * difference;
  }
  store<f64>(into, sum);
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
