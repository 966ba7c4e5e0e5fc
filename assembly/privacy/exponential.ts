// The exponential mechanism, with exactly the intended distribution: P(i) ∝ e^−γ_i, γ_i = (max u − u_i)·a/2^b; and
// permute-and-flip, with the same γ_i.
// Candidates are sorted by level ⌊γ_i⌋. Level numbers start at the first level with a candidate left, and the last one
// represents all levels beyond it. A pick draws a level with probability proportional to its size times e^−level, then
// a candidate of that level, which it accepts with the remaining part of the candidate's exponent. Picked candidates
// stay in the order and are skipped by rank.
import { EXP_DIGITS, EXP_LEVELS, RATE_A, RATE_B } from "../layout";
import { bernoulliExp, bernoulliExpFraction } from "./bernoulli";
import { expTable } from "./exp-table";
import { sortRecords } from "../sort";
import { below, word } from "./stream";

// A record: the level (34 bits), then the candidate's index (30 bits).
const INDEX_BITS: u32 = 30;
const LAST_LEVEL: u64 = (1 << 34) - 1;

// Numbers with one whole digit of 32 bits before EXP_DIGITS fractional ones, most significant first.
const DIGITS: usize = EXP_DIGITS + 1;
const NUMBER_BYTES: usize = DIGITS * 4;
const LEVELS: u32 = EXP_LEVELS + 1;

const RANKS_BYTES: i32 = (EXP_LEVELS + 2) * 4;
const WEIGHTS_BYTES: i32 = (EXP_LEVELS + 1) * (EXP_DIGITS + 1) * 4;
// u32[level]: the number of candidates (not picked) before it
const RANKS = memory.data(RANKS_BYTES, 4);
// number[level]: the weight of all levels up to it, each term rounded down
const WEIGHTS = memory.data(WEIGHTS_BYTES, 4);
// number: uniform between 0 and the smallest whole number above the total weight
const DRAWN = memory.data((EXP_DIGITS + 1) * 4, 4);

let a: u64 = 0;
let b: u32 = 0;
let scores: usize = 0;
let best: i64 = 0;
let records: usize = 0;
let candidates: u32 = 0;
let picked: usize = 0; // u32[]: the positions picked so far, ascending
let pickedCount: u32 = 0;

/** The bytes of scratch that `select` needs for `picks` of m candidates, by any law. */
export function selectScratch(m: u32, picks: u32): usize {
  return (<usize>m << 4) + (<usize>picks << 2);
}

/**
 * Writes to `out` (u32[picks]), in order, the picks among the m < 2^30 candidates with i64 `scores`. `rate` is a RATE.
 *
 * Proof definition: every pick has exactly the distribution P(i) ∝ exp(−min(γ_i, 2^34 − 1)) on the candidates not
 * picked yet, or on all of them if a candidate can be picked again (`replaces`), except for traps with probability
 * below 2^−128 per pick. The minimum makes it the exponential mechanism for scores that are clamped from below at a
 * public distance from the best one. Clamped scores have the same sensitivity.
 */
export function pickInOrder(
  itsScores: usize,
  m: u32,
  picks: u32,
  replaces: bool,
  rate: usize,
  scratch: usize,
  out: usize,
): void {
  takeScores(itsScores, m, rate);
  picked = scratch + (<usize>m << 4);
  pickedCount = 0;
  // Picks among all candidates need no order other than by level.
  sortByLevel(scratch, scratch + (<usize>m << 3), picks == 1 || replaces ? EXP_LEVELS - 1 : LAST_LEVEL);
  let firstLevel: u64 = 0;
  for (let pick: u32 = 0; pick < picks; pick++) {
    if (pick == 0 || !replaces) {
      firstLevel = levelAt(positionOf(0));
      findRanks(firstLevel);
      weighLevels();
    }
    const position = pickOne(firstLevel);
    store<u32>(out + (<usize>pick << 2), indexAt(position));
    if (!replaces) markPicked(position);
  }
  forgetScores();
}

/**
 * The same by permute-and-flip: the candidates that are left take turns in random order, and the first that accepts,
 * with probability e^−γ_i, is picked.
 *
 * Proof definition: every pick has exactly the distribution of permute-and-flip on the candidates not picked yet, with
 * γ_i bounded by 2^34 − 1 as above: a uniform permutation, drawn as far as it is needed, and exact trials. The best
 * candidate always accepts.
 * Source: McKenna and Sheldon, "Permute-and-Flip: A New Mechanism for Differentially Private Selection", NeurIPS 2020,
 * algorithm 1.
 */
export function flipInOrder(itsScores: usize, m: u32, picks: u32, rate: usize, scratch: usize, out: usize): void {
  takeScores(itsScores, m, rate);
  for (let i: u32 = 0; i < m; i++) store<u32>(scratch + (<usize>i << 2), i);
  for (let pick: u32 = 0; pick < picks; pick++, out += 4) {
    best = i64.MIN_VALUE;
    let at = scratch + (<usize>pick << 2);
    for (let left = at, end = scratch + (<usize>m << 2); left < end; left += 4)
      best = max(best, scoreOf(load<u32>(left)));
    let index: u32;
    for (let left = m - pick; ; left--, at += 4) {
      const drawn = at + (<usize>below(left) << 2);
      index = load<u32>(drawn);
      store<u32>(drawn, load<u32>(at));
      store<u32>(at, index);
      if (accept(index, 0)) break;
    }
    store<u32>(out, index);
    // Those that are left stand behind the picked ones.
    const first = scratch + (<usize>pick << 2);
    store<u32>(at, load<u32>(first));
    store<u32>(first, index);
  }
  forgetScores();
}

function takeScores(itsScores: usize, m: u32, rate: usize): void {
  a = load<u32>(rate, RATE_A);
  b = load<u32>(rate, RATE_B);
  scores = itsScores;
  candidates = m;
}

// Anything outside the host's scratch would survive when the arena is wiped.
function forgetScores(): void {
  best = 0;
  memory.fill(RANKS, 0, RANKS_BYTES);
  memory.fill(WEIGHTS, 0, WEIGHTS_BYTES);
  memory.fill(DRAWN, 0, NUMBER_BYTES);
}

// Leaves the candidates at `records` by increasing level. Those beyond `lastSorted` follow the others in no particular
// order.
function sortByLevel(first: usize, second: usize, lastSorted: u64): void {
  best = i64.MIN_VALUE;
  for (let i: u32 = 0; i < candidates; i++) best = max(best, scoreOf(i));
  const end = first + (<usize>candidates << 3);
  let near = first;
  let far = end;
  let occupied: u64 = 0;
  for (let i: u32 = 0; i < candidates; i++) {
    const level = levelOf(i);
    const record = (level << INDEX_BITS) | i;
    if (level <= lastSorted) {
      store<u64>(near, record);
      near += 8;
      occupied |= record;
    } else {
      far -= 8;
      store<u64>(far, record);
    }
  }
  records = sortRecords(first, second, <u32>((near - first) >> 3), INDEX_BITS, occupied);
  memory.copy(records + (near - first), near, end - near);
}

// ⌊γ⌋ of a candidate, at most LAST_LEVEL. The product gap·a has up to 96 bits, of which `upper` holds all but the last
// 32. For a gap below 2^32, which most are, the product fits in 64 bits.
function levelOf(index: u32): u64 {
  const gap = gapOf(index);
  if (gap >> 32 == 0) return min((a * gap) >> b, LAST_LEVEL);
  const lower = a * <u64>(<u32>gap);
  const upper = a * (gap >> 32) + (lower >> 32);
  if (upper >> (b + 2) != 0) return LAST_LEVEL;
  return b >= 32 ? upper >> (b - 32) : (upper << (32 - b)) | (<u64><u32>lower >> b);
}

// The position of one pick, by exact rejection sampling. A candidate of a level is proposed with weight e^−level and
// accepted with probability e^(level − γ).
function pickOne(firstLevel: u64): u32 {
  let position: u32;
  let level: u32;
  do {
    level = drawLevel();
    const rank = rankOf(level);
    position = positionOf(rank + below(rankOf(level + 1) - rank));
  } while (!accept(indexAt(position), firstLevel + level));
  return position;
}

function accept(index: u32, proposedLevel: u64): bool {
  const level = levelOf(index);
  if (!bernoulliExp(level - proposedLevel)) return false;
  if (level == LAST_LEVEL) return true;
  const fraction = (a * gapOf(index)) & ((<u64>1 << b) - 1);
  const whole = min<u32>(b, 23);
  return bernoulliExpFraction(fraction, 1 << whole, b - whole);
}

// Fills RANKS for levels counted from `firstLevel`.
function findRanks(firstLevel: u64): void {
  store<u32>(RANKS, 0);
  let position: u32 = 0;
  for (let level: u32 = 0; level < <u32>EXP_LEVELS; level++) {
    position = firstBeyond(firstLevel + level, position);
    store<u32>(RANKS + ((<usize>(level + 1)) << 2), position - pickedBefore(position));
  }
  store<u32>(RANKS + (<usize>LEVELS << 2), candidates - pickedCount);
}

// The first position, from `start` on, that is beyond the level.
function firstBeyond(level: u64, start: u32): u32 {
  let low = start;
  let high = candidates;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (levelAt(middle) <= level) low = middle + 1;
    else high = middle;
  }
  return low;
}

// Fills WEIGHTS: sums of (size of level g)·e^−g, exact in integers from the rounded e^−g.
function weighLevels(): void {
  memory.fill(WEIGHTS, 0, NUMBER_BYTES);
  store<u32>(WEIGHTS, rankOf(1));
  for (let level: u32 = 1; level < LEVELS; level++) {
    const term = expTable() + <usize>(level - 1) * (EXP_DIGITS * 4);
    addMultiple(WEIGHTS + <usize>level * NUMBER_BYTES, rankOf(level + 1) - rankOf(level), term);
  }
}

// Writes at `sum` the number stored before it plus times·e^−g.
function addMultiple(sum: usize, times: u64, exp: usize): void {
  let carry: u64 = 0;
  for (let digit = DIGITS - 1; digit > 0; digit--) {
    carry += times * load<u32>(exp + ((digit - 1) << 2)) + load<u32>(sum - NUMBER_BYTES + (digit << 2));
    store<u32>(sum + (digit << 2), <u32>carry);
    carry >>= 32;
  }
  store<u32>(sum, load<u32>(sum - NUMBER_BYTES) + <u32>carry);
}

// A level with probability ∝ its weight: a uniform number below the next whole number above the sum, redrawn until it
// is below the sum.
function drawLevel(): u32 {
  const all = WEIGHTS + <usize>EXP_LEVELS * NUMBER_BYTES;
  do {
    store<u32>(DRAWN, below(load<u32>(all) + 1));
    for (let digit: usize = 1; digit < DIGITS; digit++) store<u32>(DRAWN + (digit << 2), word());
  } while (!drawnIsBelow(all));
  let level: u32 = 0;
  while (!drawnIsBelow(WEIGHTS + <usize>level * NUMBER_BYTES)) level++;
  return level;
}

// Whether the number whose first digits are in DRAWN is below the weight of which `bound` is a lower bound, rounded
// down by less than 2^−160 (2^30 candidates, 2^−192 each). Traps if this remains undecided, which has probability below
// 2^−150.
function drawnIsBelow(bound: usize): bool {
  let borrow: i64 = 0;
  let leading: u32 = 0;
  for (let digit = DIGITS; digit > 0; digit--) {
    const at = (digit - 1) << 2;
    const difference = <i64>load<u32>(DRAWN + at) - <i64>load<u32>(bound + at) + borrow;
    borrow = difference >> 63;
    if (digit < DIGITS) leading |= <u32>difference;
  }
  if (borrow != 0) return true;
  if (leading == 0) unreachable();
  return false;
}

// The position of the candidate with this rank among those not picked. The picked ones at or before it are skipped. The
// i-th picked position minus i never decreases, so their number is found by bisection.
function positionOf(rank: u32): u32 {
  let low: u32 = 0;
  let high = pickedCount;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (pickedAt(middle) - middle <= rank) low = middle + 1;
    else high = middle;
  }
  return rank + low;
}

function pickedBefore(position: u32): u32 {
  let low: u32 = 0;
  let high = pickedCount;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (pickedAt(middle) < position) low = middle + 1;
    else high = middle;
  }
  return low;
}

function markPicked(position: u32): void {
  const before = pickedBefore(position);
  const at = picked + (<usize>before << 2);
  memory.copy(at + 4, at, (<usize>(pickedCount - before)) << 2);
  store<u32>(at, position);
  pickedCount++;
}

// @ts-ignore: decorator
@inline
function pickedAt(index: u32): u32 {
  return load<u32>(picked + (<usize>index << 2));
}

// @ts-ignore: decorator
@inline
function scoreOf(index: u32): i64 {
  return load<i64>(scores + (<usize>index << 3));
}

// @ts-ignore: decorator
@inline
function gapOf(index: u32): u64 {
  return <u64>best - <u64>scoreOf(index);
}

// @ts-ignore: decorator
@inline
function recordAt(position: u32): u64 {
  return load<u64>(records + (<usize>position << 3));
}

// @ts-ignore: decorator
@inline
function levelAt(position: u32): u64 {
  return recordAt(position) >> INDEX_BITS;
}

// @ts-ignore: decorator
@inline
function indexAt(position: u32): u32 {
  return <u32>recordAt(position) & ((1 << INDEX_BITS) - 1);
}

// @ts-ignore: decorator
@inline
function rankOf(level: u32): u32 {
  return load<u32>(RANKS + (<usize>level << 2));
}
