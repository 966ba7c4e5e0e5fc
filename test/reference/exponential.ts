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
