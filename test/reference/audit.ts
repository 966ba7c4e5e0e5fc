// The arithmetic of an empirical audit: how much privacy loss do observed error rates prove? Plain and slow.

/** Φ, the standard normal distribution function, by its all-positive series (absolute error below 1e-14). */
export function normalCdf(x: number): number {
  if (x < 0) return 1 - normalCdf(-x);
  if (x > 8) return 1;
  let term = x;
  let sum = x;
  for (let odd = 3; term > 1e-18 * sum; odd += 2) {
    term *= (x * x) / odd;
    sum += term;
  }
  return 0.5 + (sum * Math.exp((-x * x) / 2)) / Math.sqrt(2 * Math.PI);
}

/** The x in [low, high] at which an increasing function reaches `value`. */
export function solve(increasing: (x: number) => number, value: number, low: number, high: number): number {
  for (let step = 0; step < 100; step++) {
    const middle = (low + high) / 2;
    if (increasing(middle) < value) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

export const normalQuantile = (p: number): number => solve(normalCdf, p, -8, 8);

/** P[X ≤ hits] for X ~ Binomial(trials, p), summed term by term in logarithms. */
function binomialCdf(hits: number, trials: number, p: number): number {
  let log = trials * Math.log1p(-p);
  const odds = Math.log(p) - Math.log1p(-p);
  let sum = 0;
  for (let k = 0; k <= hits; k++) {
    sum += Math.exp(log);
    log += odds + Math.log((trials - k) / (k + 1));
  }
  return sum;
}

/** Clopper–Pearson bounds of a rate: [lower, upper], each wrong with probability at most α. */
export function clopperPearson(hits: number, trials: number, alpha: number): [number, number] {
  const upper = hits === trials ? 1 : solve((p) => -binomialCdf(hits, trials, p), -alpha, 1e-12, 1 - 1e-12);
  const lower = hits === 0 ? 0 : solve((p) => 1 - binomialCdf(hits - 1, trials, p), alpha, 1e-12, 1 - 1e-12);
  return [lower, upper];
}

/** The ε at which a Gaussian mechanism of sensitivity μσ has exactly this δ (Balle and Wang 2018, Theorem 8). */
export function epsilonOfMu(mu: number, delta: number): number {
  const deltaAt = (epsilon: number) =>
    normalCdf(mu / 2 - epsilon / mu) - Math.exp(epsilon) * normalCdf(-mu / 2 - epsilon / mu);
  return deltaAt(0) <= delta ? 0 : solve((epsilon) => -deltaAt(epsilon), -delta, 0, 20);
}

/**
 * The ε that two samples of a statistic prove at confidence 1 − 2α: the threshold is the null's median, the rates are bounded by
 * Clopper–Pearson, μ = Φ⁻¹(TPR) − Φ⁻¹(FPR).
 */
export function provenEpsilon(without: Float64Array, withRow: Float64Array, delta: number, alpha: number): number {
  const threshold = without.slice().sort()[Math.floor(without.length / 2)];
  const above = (sample: Float64Array) => sample.reduce((hits, value) => hits + (value > threshold ? 1 : 0), 0);
  const [trueRate] = clopperPearson(above(withRow), withRow.length, alpha);
  const [, falseRate] = clopperPearson(above(without), without.length, alpha);
  return epsilonOfMu(Math.max(1e-9, normalQuantile(trueRate) - normalQuantile(falseRate)), delta);
}
