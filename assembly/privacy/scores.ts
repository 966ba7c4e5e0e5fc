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

/**
 * Writes the scores (`score`) of `count` candidates that are members of one set to `out` (i64[count]). Returns OK, or
 * ARGUMENT_REFUSED where `score` does, or where the set has no such member.
 * @param counts i32[members][cells]: the true counts of all members of the set
 * @param targets i32[members][cells]
 * @param places u32[count]: which of the members the candidates are
 *
 * Proof definition: each score is that of `score` for the member's own counts and targets, and which members are
 * compared is public. It therefore changes by at most scoreSensitivity of a member's structure, not of the set's.
 */
export function scoreMembers(
  counts: usize,
  targets: usize,
  cells: u32,
  members: u32,
  places: usize,
  count: u32,
  kind: i32,
  weight: u32,
  bias: i64,
  scaleBits: u32,
  out: usize,
): i32 {
  for (let index: u32 = 0; index < count; index++) {
    const place = load<u32>(places + (<usize>index << 2));
    if (place >= members) return ARGUMENT_REFUSED;
    const at = (<usize>place * cells) << 2;
    const status = score(counts + at, targets + at, cells, kind, weight, bias, scaleBits, out + (<usize>index << 3));
    if (status != OK) return status;
  }
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
