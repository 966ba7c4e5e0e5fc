// Scores that a selection compares: how far public targets are from true counts.
import { ARGUMENT_REFUSED, OK, SCORE_L1, SCORE_MAX } from "../layout";

/**
 * Writes a candidate's score to `out` (i64): weight · max|c − t| or weight · Σ|c − t| (`kind`: SCORE_MAX, SCORE_L1),
 * minus `bias`. Returns OK, or ARGUMENT_REFUSED for another kind or a weight above 2^scaleBits.
 * @param counts i32[cells]: the true counts c
 * @param targets i32[cells]: public integers t
 * @param weight public, in units of 2^−scaleBits
 * @param bias public, in the score's units
 *
 * Proof definition: weight ≤ 2^scaleBits, and targets, weight and bias are public. The score therefore changes by at
 * most scoreSensitivity(kind, …, scaleBits) between neighbours, because |‖c − t‖ − ‖c′ − t‖| ≤ ‖c − c′‖ in either norm.
 */
export function score(
  counts: usize,
  targets: usize,
  cells: u32,
  kind: i32,
  weight: u32,
  bias: i64,
  scaleBits: u32,
  out: usize,
): i32 {
  if (scaleBits > 31 || weight > <u32>1 << scaleBits) return ARGUMENT_REFUSED;
  if (kind != SCORE_MAX && kind != SCORE_L1) return ARGUMENT_REFUSED;
  const distance = kind == SCORE_MAX ? largestDistance(counts, targets, cells) : summedDistance(counts, targets, cells);
  store<i64>(out, <i64>weight * distance - bias);
  return OK;
}

@inline
function distanceAt(counts: usize, targets: usize, at: usize): i64 {
  return abs<i64>(<i64>load<i32>(counts + at) - <i64>load<i32>(targets + at));
}

function largestDistance(counts: usize, targets: usize, cells: u32): i64 {
  let largest: i64 = 0;
  for (let at: usize = 0, end = <usize>cells << 2; at < end; at += 4)
    largest = max<i64>(largest, distanceAt(counts, targets, at));
  return largest;
}

function summedDistance(counts: usize, targets: usize, cells: u32): i64 {
  let sum: i64 = 0;
  for (let at: usize = 0, end = <usize>cells << 2; at < end; at += 4) sum += distanceAt(counts, targets, at);
  return sum;
}
