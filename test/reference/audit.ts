// How much privacy loss do observed error rates prove?
import { binomialBounds, firstWhere, normal } from "./statistics.js";

/**
 * The largest ε that a Gaussian shift of mu refutes at δ: δ(ε) = Φ(μ/2 − ε/μ) − e^ε Φ(−μ/2 − ε/μ) (Balle and Wang 2018,
 * theorem 8).
 */
export function epsilonOf(mu: number, delta: number): number {
  const deltaAt = (epsilon: number) =>
    normal(mu / 2 - epsilon / mu) - Math.exp(epsilon) * normal(-mu / 2 - epsilon / mu);
  return firstWhere(0, 20, (epsilon) => deltaAt(epsilon) <= delta);
}

/**
 * The ε that an attacker proves by saying "one row more" in `hits` of `runs` runs with the row and in `alarms` without
 * it; wrong with probability at most alpha.
 */
export function provenEpsilon(hits: number, alarms: number, runs: number, delta: number, alpha: number): number {
  const [truePositives] = binomialBounds(hits, runs, alpha / 2);
  const [, falsePositives] = binomialBounds(alarms, runs, alpha / 2);
  const quantile = (probability: number) => firstWhere(-10, 10, (x) => normal(x) >= probability);
  return epsilonOf(quantile(truePositives) - quantile(falsePositives), delta);
}
