// Scores that a selection compares: how far public targets are from true counts.
import { ARGUMENT_REFUSED, OK, SCORE_ABOVE, SCORE_BELOW, SCORE_L1, SCORE_MAX } from "../layout";

/**
 * Writes a candidate's score to `out` (i64), minus `bias`: weight times max|c − t|, Σ|c − t|, max(c − t) or max(t − c)
 * (`kind`: SCORE_MAX, SCORE_L1, SCORE_ABOVE, SCORE_BELOW). Returns OK, or ARGUMENT_REFUSED for another kind, a weight
 * above 2^scaleBits, or signed errors of no cell.
 * @param counts i32[cells]: the true counts c
 * @param targets i32[cells]: public integers t
 * @param weight public, in units of 2^−scaleBits
 * @param bias public, in the score's units
 *
 * Proof definition: weight ≤ 2^scaleBits, and targets, weight and bias are public. The score therefore changes by at
 * most scoreSensitivity(kind, …, scaleBits) between neighbours, because |‖c − t‖ − ‖c′ − t‖| ≤ ‖c − c′‖ in either norm,
 * and a largest signed error changes by at most max|c − c′|.
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
  let error: i64;
  if (kind == SCORE_L1) error = summedDistance(counts, targets, cells);
  else if (kind == SCORE_MAX) error = largestDistance(counts, targets, cells);
  else if (cells == 0) return ARGUMENT_REFUSED;
  else if (kind == SCORE_ABOVE) error = largestExcess(counts, targets, cells);
  else if (kind == SCORE_BELOW) error = largestExcess(targets, counts, cells);
  else return ARGUMENT_REFUSED;
  store<i64>(out, <i64>weight * error - bias);
  return OK;
}

/**
 * Writes the scores (`score`) of `count` candidates that are members of one set to `out` (i64[count]). Returns OK, or
 * ARGUMENT_REFUSED where `score` does, or where the set has no such member.
 * @param counts i32[members][cells]: the true counts of all members of the set
 * @param targets i32[members][cells]
 * @param places u32[count]: which of the members the candidates are; 0 if they are the first `count`
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
    const place = places ? load<u32>(places + (<usize>index << 2)) : index;
    if (place >= members) return ARGUMENT_REFUSED;
    const at = (<usize>place * cells) << 2;
    const status = score(counts + at, targets + at, cells, kind, weight, bias, scaleBits, out + (<usize>index << 3));
    if (status != OK) return status;
  }
  return OK;
}

@inline
function excessAt(counts: usize, targets: usize, at: usize): i64 {
  return <i64>load<i32>(counts + at) - <i64>load<i32>(targets + at);
}

function largestExcess(above: usize, below: usize, cells: u32): i64 {
  let largest = excessAt(above, below, 0);
  for (let at: usize = 4, end = <usize>cells << 2; at < end; at += 4)
    largest = max<i64>(largest, excessAt(above, below, at));
  return largest;
}

function largestDistance(counts: usize, targets: usize, cells: u32): i64 {
  let largest: i64 = 0;
  for (let at: usize = 0, end = <usize>cells << 2; at < end; at += 4)
    largest = max<i64>(largest, abs<i64>(excessAt(counts, targets, at)));
  return largest;
}

function summedDistance(counts: usize, targets: usize, cells: u32): i64 {
  let sum: i64 = 0;
  for (let at: usize = 0, end = <usize>cells << 2; at < end; at += 4) sum += abs<i64>(excessAt(counts, targets, at));
  return sum;
}
