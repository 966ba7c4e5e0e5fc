// Exact Bernoulli trials with probabilities e^−x, using only uniform words and integers.
import { EXP_DIGITS } from "../layout";
import { expTable } from "./exp-table";
import { below, word } from "./stream";

// Whole exponents are processed in steps of at most this size. The first digits of e^−1 … e^−16 are all different, so
// one word can tie with only one of them.
const STEP: u32 = 16;

/**
 * True with probability e^−exponent.
 *
 * Proof definition: a product of trials U < e^−g with g ≤ 16, where U is uniform in [0, 1) and drawn digit by digit as
 * far as the decision needs. The distribution is exact except for a trap with probability 2^−192 per trial.
 */
export function bernoulliExp(exponent: u64): bool {
  let rest = exponent;
  while (rest > STEP) {
    if (!isBelowExp(word(), STEP)) return false;
    rest -= STEP;
  }
  return rest == 0 || isBelowExp(word(), <u32>rest);
}

/**
 * The number of successes of Bernoulli(e^−1) before the first failure.
 *
 * Proof definition: P(V ≥ v) = e^−v = P(U < e^−v). The distribution is memoryless, so beyond 16 the count continues
 * with a fresh U. Exact except for a trap with probability 2^−192 per comparison.
 */
export function geometric(): u64 {
  let successes: u64 = 0;
  let level: u32;
  do {
    const first = word();
    level = 0;
    while (level < STEP && isBelowExp(first, level + 1)) level++;
    successes += level;
  } while (level == STEP);
  return successes;
}

/**
 * True with probability e^−x, x = n / (p·2^e) in [0, 1); p < 2^24, e ≤ 31.
 *
 * Proof definition: the run length of successes of Bernoulli(x/k), k = 1, 2, …, is even with probability Σ (−x)^i/i! =
 * e^−x. Each of these trials compares a uniform integer in [0, p·k·2^e) with n, high part first. Exact except for a
 * trap where the run reaches 255 (probability below 1/255!).
 * Source: Canonne, Kamath and Steinke, "The Discrete Gaussian for Differential Privacy", 2020, algorithm 1.
 */
export function bernoulliExpFraction(n: u64, p: u32, e: u32): bool {
  if (n == 0) return true;
  const high = <u32>(n >> e);
  const low = <u32>n & ((<u32>1 << e) - 1);
  for (let k: u32 = 1; k < 256; k++) {
    const drawn = below(p * k);
    if (drawn > high || (drawn == high && <u32>((<u64>word() << e) >> 32) >= low)) return (k & 1) != 0;
  }
  unreachable();
  return false;
}

/**
 * Whether the uniform U whose first digit is `first` is below e^−level. Further digits are drawn as long as all digits
 * so far agree.
 */
// @ts-ignore: decorator
@inline
function isBelowExp(first: u32, level: u32): bool {
  const digit = load<u32>(digitsOf(level));
  return first != digit ? first < digit : tieIsBelow(digitsOf(level));
}

function tieIsBelow(digits: usize): bool {
  for (let at: usize = 1; at < <usize>EXP_DIGITS; at++) {
    const drawn = word();
    const digit = load<u32>(digits + (at << 2));
    if (drawn != digit) return drawn < digit;
  }
  unreachable();
  return false;
}

// @ts-ignore: decorator
@inline
function digitsOf(level: u32): usize {
  return expTable() + <usize>(level - 1) * (EXP_DIGITS * 4);
}
