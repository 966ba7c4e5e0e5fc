// The discrete Gaussian on the integers, P(y) ∝ exp(−y²/2σ²), sampled exactly with u64 arithmetic; σ² = p·2^−k.
import { OK, PURPOSE_NOISE } from "../layout";
import { bernoulliExp, bernoulliExpFraction, geometric } from "./bernoulli";
import { itemRefusal, openItem, word } from "./stream";

// Beyond this exponent, a proposal is refused without computing its exact probability. It would be accepted with
// probability below e^−500. A trial with probability e^−500 stands for that; its success traps.
const HOPELESS: u64 = 500;

let p: u32 = 0;
let j: u32 = 0; // proposals are discrete Laplace of scale 2^j
let shift: u32 = 0; // j + k
let spread: u32 = 0; // 1 + 2j + k

/** log₂ of the proposal's scale for σ² = p·2^−k: max(0, round(log₂ σ)). */
export function proposalBits(p: u32, k: i32): u32 {
  const octave = 31 - <i32>clz<u32>(p) - k; // ⌊log₂ σ²⌋
  return octave < 0 ? 0 : (octave + 1) >> 1;
}

/**
 * Prepares `gaussian` for σ² = p·2^−k: p in [2^23, 2^24) with k in [−23, 30], or p in [2^20, 2^23) with k = 30; σ² ≤
 * 2^46.
 */
export function prepareGaussian(itsP: u32, k: i32): void {
  p = itsP;
  j = proposalBits(itsP, k);
  shift = <u32>(<i32>j + k);
  spread = <u32>(1 + 2 * <i32>j + k);
}

/**
 * One draw from the discrete Gaussian that `prepareGaussian` chose.
 *
 * Proof definition: for uniform words, P(y) = exp(−y²/2σ²) / Σ_z exp(−z²/2σ²) for every integer y, except for traps
 * with a total probability below 2^−100 per draw. Proposals y = ±(U + V·2^j), with P(U) ∝ exp(−U/2^j), V
 * geometric(e^−1) and one of the two zeros refused, are discrete Laplace of scale t = 2^j. Each is accepted with
 * probability exp(−(|y| − σ²/t)²/2σ²).
 * Source: Canonne, Kamath and Steinke, "The Discrete Gaussian for Differential Privacy", 2020, algorithms 2 and 3.
 */
export function gaussian(): i64 {
  const scale = <u32>1 << j;
  let magnitude: u64;
  let negative: bool;
  do {
    let bits: u32;
    do bits = word();
    while (!bernoulliExpFraction(bits & (scale - 1), scale, 0));
    negative = bits >> 31 != 0;
    magnitude = <u64>(bits & (scale - 1)) + (geometric() << j);
  } while ((negative && magnitude == 0) || !accept(magnitude));
  return negative ? -(<i64>magnitude) : <i64>magnitude;
}

// Bernoulli(exp(−A²/D)), A = |y|·2^shift − p and D = p·2^spread. Where |y|·2^shift < 2^32, A² fits in 64 bits. Beyond
// that, the exponent exceeds (2^32 − 2^24)²/2^55 > 500.
function accept(magnitude: u64): bool {
  if (magnitude >> (32 - shift) != 0) {
    if (bernoulliExp(HOPELESS)) unreachable();
    return false;
  }
  const distance = <i64>(magnitude << shift) - <i64>p;
  const square = <u64>distance * <u64>distance;
  const whole = (square >> spread) / p;
  return bernoulliExp(whole) && bernoulliExpFraction(square - ((whole * p) << spread), p, spread);
}

/** Adds one draw to each of the `count` i32 at `values`, saturating. */
export function addGaussians(values: usize, count: u32): void {
  for (let at = values, end = values + (<usize>count << 2); at < end; at += 4) {
    const sum = <i64>load<i32>(at) + gaussian();
    store<i32>(at, <i32>min<i64>(max<i64>(sum, i32.MIN_VALUE), i32.MAX_VALUE));
  }
}

/**
 * For tests and benches: writes `count` draws with σ² = p·2^−k to i32 at `out`. They are not the noise of any
 * measurement, and they use up the item number. Returns OK, NO_KEY, or ITEM_REFUSED.
 */
export function drawGaussians(out: usize, count: u32, p: u32, k: i32, item: u32): i32 {
  const refusal = itemRefusal(item);
  if (refusal != OK) return refusal;
  openItem(PURPOSE_NOISE, item);
  prepareGaussian(p, k);
  memory.fill(out, 0, <usize>count << 2);
  addGaussians(out, count);
  return OK;
}

/**
 * For tests: how many of `trials` proposals of this magnitude are accepted with σ² = p·2^−k. Uses up the item number.
 * Returns −1 where the item is refused.
 */
export function countAccepted(magnitude: u64, trials: u32, p: u32, k: i32, item: u32): i32 {
  if (itemRefusal(item) != OK) return -1;
  openItem(PURPOSE_NOISE, item);
  prepareGaussian(p, k);
  let accepted = 0;
  for (let trial: u32 = 0; trial < trials; trial++) accepted += i32(accept(magnitude));
  return accepted;
}
