import { expOfMinus } from "./exp-table.js";
import type { Stream } from "./stream.js";

/** The exponential mechanism's law P(i) ∝ exp(epsilon·u_i/(2·delta)). */
export function exponentialLaw(scores: readonly number[], epsilon: number, delta: number): number[] {
  const best = Math.max(...scores);
  const weights = scores.map((score) => Math.exp((epsilon * (score - best)) / (2 * delta)));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return weights.map((weight) => weight / total);
}

/** All ordered choices of `picks` out of m candidates, lexicographically. */
export function orderedChoices(m: number, picks: number): number[][] {
  if (picks === 0) return [[]];
  return orderedChoices(m, picks - 1).flatMap((choice) =>
    Array.from({ length: m }, (_, i) => i)
      .filter((i) => !choice.includes(i))
      .map((i) => [...choice, i]),
  );
}

/** The probability of an ordered choice in which each pick is the exponential mechanism on the remaining candidates. */
export function peelingProbability(
  choice: readonly number[],
  scores: readonly number[],
  epsilon: number,
  delta: number,
): number {
  const left = [...scores];
  return choice.reduce((probability, pick) => {
    const law = exponentialLaw(left, epsilon, delta);
    left[pick] = Number.NEGATIVE_INFINITY;
    return probability * law[pick];
  }, 1);
}

/** One-shot top-K: the indices of the largest scores after Gumbel noise of scale 2·delta/epsilon, in order. */
export function gumbelTop(
  scores: readonly number[],
  picks: number,
  epsilon: number,
  delta: number,
  uniform: () => number,
): number[] {
  const scale = (2 * delta) / epsilon;
  const noisy = scores.map((score) => score - scale * Math.log(-Math.log(uniform() || Number.MIN_VALUE)));
  return noisy
    .map((_, i) => i)
    .sort((i, j) => noisy[j] - noisy[i])
    .slice(0, picks);
}

const BITS = 192n;
const MOST_LEVEL = 2n ** 34n - 1n;
const EXPS = Array.from({ length: 65 }, (_, level) => expOfMinus(BigInt(level), 1n, BITS));

/**
 * The law of permute-and-flip: candidates take turns in random order, and the first that accepts, with probability
 * exp(epsilon·(u_i − max u)/(2·delta)), is picked. By all orders.
 */
export function flippedLaw(scores: readonly number[], epsilon: number, delta: number): number[] {
  const best = Math.max(...scores);
  const accepting = scores.map((score) => Math.exp((epsilon * (score - best)) / (2 * delta)));
  const orders = orderedChoices(scores.length, scores.length);
  const law = scores.map(() => 0);
  for (const order of orders) {
    let reached = 1 / orders.length;
    for (const i of order) {
      law[i] += reached * accepting[i];
      reached *= 1 - accepting[i];
    }
  }
  return law;
}

/** Ordered picks by permute-and-flip, drawn from the stream word by word, with γ_i as in `drawnPicks`. */
export function drawnFlips(stream: Stream, scores: readonly bigint[], picks: number, a: bigint, b: bigint): number[] {
  const left = [...scores.keys()];
  return Array.from({ length: picks }, (_, pick) => {
    const exponents = exponentsOf(
      left.slice(pick).map((i) => scores[i]),
      a,
    );
    const exponentOf = new Map(left.slice(pick).map((i, at) => [i, exponents[at]]));
    for (let at = pick; ; at++) {
      const drawn = at + Number(stream.below(BigInt(left.length - at)));
      [left[at], left[drawn]] = [left[drawn], left[at]];
      if (!accepts(stream, exponentOf.get(left[at])!, 0n, b)) continue;
      [left[at], left[pick]] = [left[pick], left[at]];
      return left[pick];
    }
  });
}

/** (max u − u_i)·a of each candidate. */
function exponentsOf(scores: readonly bigint[], a: bigint): bigint[] {
  let best = scores[0];
  for (const score of scores) if (score > best) best = score;
  return scores.map((score) => (best - score) * a);
}

const levelOf = (exponent: bigint, b: bigint) => (exponent >> b < MOST_LEVEL ? exponent >> b : MOST_LEVEL);

/** Bernoulli(e^(level − exponent/2^b)), where exponents count up to MOST_LEVEL. */
function accepts(stream: Stream, exponent: bigint, level: bigint, b: bigint): boolean {
  // How many bits of a fraction its first word is compared with.
  const whole = b < 23n ? b : 23n;
  const own = levelOf(exponent, b);
  if (!stream.bernoulliExp(own - level)) return false;
  return own === MOST_LEVEL || stream.bernoulliExpFraction(exponent % 2n ** b, 2n ** whole, b - whole);
}

/**
 * Ordered picks with P(i) ∝ e^−γ_i, γ_i = (max u − u_i)·a/2^b, of the candidates left, or of all of them if they can
 * be picked again (`replaces`), drawn from the stream word by word: a level g = ⌊γ⌋ by its size times e^−g (65 of them
 * from the first one left; the last stands for all beyond), a uniform candidate of it, accepted with e^(g − γ).
 */
export function drawnPicks(
  stream: Stream,
  scores: readonly bigint[],
  picks: number,
  a: bigint,
  b: bigint,
  replaces = false,
): number[] {
  const exponents = exponentsOf(scores, a);
  const levels = exponents.map((exponent) => levelOf(exponent, b));
  const left = [...scores.keys()].sort((i, j) => Number(levels[i] - levels[j]) || i - j);
  return Array.from({ length: picks }, () => {
    const first = levels[left[0]];
    const members = EXPS.map((_, at) =>
      left.filter((i) => (at < 64 ? levels[i] - first === BigInt(at) : levels[i] - first >= 64n)),
    );
    for (;;) {
      const at = drawnLevel(
        stream,
        members.map(({ length }, level) => BigInt(length) * EXPS[level]),
      );
      const pick = members[at][Number(stream.below(BigInt(members[at].length)))];
      if (!accepts(stream, exponents[pick], first + BigInt(at), b)) continue;
      if (!replaces) left.splice(left.indexOf(pick), 1);
      return pick;
    }
  });
}

/** The level in whose part of the sum of all weights a uniform number lies. */
function drawnLevel(stream: Stream, weights: readonly bigint[]): number {
  const total = weights.reduce((sum, weight) => sum + weight, 0n);
  for (;;) {
    let drawn = stream.below((total >> BITS) + 1n);
    for (let digit = 0; digit < 6; digit++) drawn = (drawn << 32n) + stream.word();
    let sum = 0n;
    for (const [level, weight] of weights.entries()) {
      sum += weight;
      if (drawn < sum) return level;
    }
  }
}
