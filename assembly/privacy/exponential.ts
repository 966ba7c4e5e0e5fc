// The exponential mechanism, exact in law: P(i) ∝ e^−γ_i, γ_i = (max u − u_i)·a/2^b. The candidates lie sorted by gap max u − u_i;
// level g holds those with ⌊γ⌋ = g, level 64 all beyond. A pick draws a level by its weight e^−g times its size, a candidate of
// that level, and accepts it by what is left of its exponent. Picked candidates stay in the order and are skipped by rank.
import { EXP_DIGITS, EXP_LEVELS, RATE_A, RATE_B } from "../layout";
import { bernoulliExp, bernoulliExpFraction } from "./bernoulli";
import { expTable } from "./exp-table";
import { indicesOf, keysOf, sortByGap, sortBytes } from "./sort";
import { below, word } from "./stream";

// Numbers with one whole digit of 32 bits before the EXP_DIGITS fractional ones, the most significant first.
const DIGITS: usize = EXP_DIGITS + 1;
const NUMBER_BYTES: usize = DIGITS * 4;
const LEVELS: u32 = EXP_LEVELS + 1;

const REACH = memory.data(64 * 8, 8); // u64[g]: the largest gap of level g, g < 64
const RANKS = memory.data(66 * 4, 4); // u32[g]: how many candidates (not picked) lie before level g
const WEIGHTS = memory.data(65 * 28, 4); // number[g]: the weight of levels 0…g, each term rounded down
const DRAWN = memory.data(28, 4); // number: uniform between 0 and the least whole number above all weight

let a: u64 = 0;
let b: u32 = 0;
let candidates: u32 = 0;
let keys: usize = 0;
let picked: usize = 0; // u32[]: the positions picked so far, ascending
let pickedCount: u32 = 0;

/** Bytes of scratch that `select` needs for `picks` of m candidates. */
export function selectScratch(m: u32, picks: u32): usize {
  return 2 * sortBytes(m) + (<usize>picks << 2);
}

/**
 * Writes to `out` (u32[picks]) the picks among the m candidates with i64 `scores`, in order. `rate` is a RATE.
 *
 * Proof definition: with weight e^−γ for each candidate not picked yet, every pick has exactly the law P(i) ∝ e^−γ_i, but for traps of
 * total probability below 2^−128.
 */
export function pickInOrder(scores: usize, m: u32, picks: u32, rate: usize, scratch: usize, out: usize): void {
  a = load<u32>(rate, RATE_A);
  b = load<u32>(rate, RATE_B);
  const area = sortByGap(scores, m, scratch, scratch + sortBytes(m));
  candidates = m;
  keys = keysOf(area);
  picked = scratch + 2 * sortBytes(m);
  pickedCount = 0;
  for (let level: u64 = 0; level < <u64>EXP_LEVELS; level++) {
    store<u64>(REACH + (<usize>level << 3), (((level + 1) << b) - 1) / a);
  }
  for (let pick: u32 = 0; pick < picks; pick++) {
    const position = pickOne();
    store<u32>(out + (<usize>pick << 2), load<u32>(indicesOf(area, m) + (<usize>position << 2)));
    markPicked(position);
  }
}

// The position of one pick: exact rejection. A candidate of level g is proposed with weight e^−g and accepted with e^(g − γ).
function pickOne(): u32 {
  const top = keyAt(positionOf(0));
  findLevels(top);
  weighLevels();
  let position: u32;
  let level: u32;
  do {
    level = drawLevel();
    const rank = rankOf(level);
    position = positionOf(rank + below(rankOf(level + 1) - rank));
  } while (!acceptAt(keyAt(position) - top, level));
  return position;
}

function acceptAt(gap: u64, level: u32): bool {
  if (level < <u32>EXP_LEVELS) return acceptFraction(gap);
  // Beyond 2^64 the product γ·2^b, b ≤ 54, means γ ≥ 1024.
  if (gap > u64.MAX_VALUE / a) {
    if (bernoulliExp(1024 - EXP_LEVELS)) unreachable(); // probability e^−960
    return false;
  }
  return bernoulliExp(((a * gap) >> b) - EXP_LEVELS) && acceptFraction(gap);
}

function acceptFraction(gap: u64): bool {
  const fraction = (a * gap) & ((<u64>1 << b) - 1);
  const whole = min<u32>(b, 23);
  return bernoulliExpFraction(fraction, 1 << whole, b - whole);
}

// Fills RANKS for levels that count from the gap `top` of the best candidate left.
function findLevels(top: u64): void {
  store<u32>(RANKS, 0);
  let position: u32 = 0;
  for (let level: u32 = 0; level < <u32>EXP_LEVELS; level++) {
    position = firstBeyond(load<u64>(REACH + (<usize>level << 3)), top, position);
    store<u32>(RANKS + (<usize>(level + 1) << 2), position - pickedBefore(position));
  }
  store<u32>(RANKS + (<usize>LEVELS << 2), candidates - pickedCount);
}

// The first position from `start` on whose gap exceeds top + reach.
function firstBeyond(reach: u64, top: u64, start: u32): u32 {
  let low = start;
  let high = candidates;
  while (low < high) {
    const middle = (low + high) >> 1;
    const key = keyAt(middle);
    if (key <= top || key - top <= reach) low = middle + 1;
    else high = middle;
  }
  return low;
}

// Fills WEIGHTS: sums of (size of level g)·e^−g, exact in integers from the rounded e^−g.
function weighLevels(): void {
  memory.fill(WEIGHTS, 0, NUMBER_BYTES);
  store<u32>(WEIGHTS, rankOf(1));
  for (let level: u32 = 1; level < LEVELS; level++) {
    addMultiple(WEIGHTS + <usize>level * NUMBER_BYTES, rankOf(level + 1) - rankOf(level), expTable() + <usize>(level - 1) * (EXP_DIGITS * 4));
  }
}

// Writes at `sum` the number that lies before it plus times·e^−g.
function addMultiple(sum: usize, times: u64, exp: usize): void {
  let carry: u64 = 0;
  for (let digit = DIGITS - 1; digit > 0; digit--) {
    carry += times * load<u32>(exp + ((digit - 1) << 2)) + load<u32>(sum - NUMBER_BYTES + (digit << 2));
    store<u32>(sum + (digit << 2), <u32>carry);
    carry >>= 32;
  }
  store<u32>(sum, load<u32>(sum - NUMBER_BYTES) + <u32>carry);
}

// A level with probability ∝ its weight: a uniform number below the next whole one above the sum, redrawn while it is not below the sum.
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

// Whether the number of which DRAWN holds the first digits is below the weight of which `bound` is rounded down by less than 2^−160
// (2^30 candidates, 2^−192 each). Undecided, with probability below 2^−150, it traps.
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

// Position of the candidate of this rank among those not picked: the picked ones at or before it are skipped. The i-th picked
// position less i does not fall, so that their number is found by bisection.
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
  memory.copy(at + 4, at, <usize>(pickedCount - before) << 2);
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
function keyAt(position: u32): u64 {
  return load<u64>(keys + (<usize>position << 3));
}

// @ts-ignore: decorator
@inline
function rankOf(level: u32): u32 {
  return load<u32>(RANKS + (<usize>level << 2));
}
