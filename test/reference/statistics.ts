// The decision rules of the statistical tests. Each test rejects with probability ALPHA if the law is right.
export const ALPHA = 1e-6;

/** P(X ≥ statistic) for X chi-square with `degrees` degrees of freedom. */
export function chiSquareTail(statistic: number, degrees: number): number {
  return upperGamma(degrees / 2, statistic / 2);
}

/** Φ(x), the standard normal distribution. */
export function normal(x: number): number {
  const tail = upperGamma(0.5, (x * x) / 2) / 2;
  return x < 0 ? tail : 1 - tail;
}

/** The smallest x in [low, high] (to 2^−60 of the range) where the rising predicate holds. */
export function firstWhere(low: number, high: number, holds: (x: number) => boolean): number {
  let [from, to] = [low, high];
  for (let step = 0; step < 60; step++) {
    const middle = (from + to) / 2;
    if (holds(middle)) to = middle;
    else from = middle;
  }
  return to;
}

/**
 * The chi-square test of counts against probabilities; cells expected less than ten times are pooled with their
 * successors.
 */
export function goodnessOfFit(observed: readonly number[], probabilities: readonly number[]): number {
  const total = observed.reduce((sum, count) => sum + count, 0);
  let [statistic, cells, seen, expected] = [0, 0, 0, 0];
  let expectedLeft = total;
  for (let i = 0; i < observed.length; i++) {
    seen += observed[i];
    expected += total * probabilities[i];
    if (i < observed.length - 1 && (expected < 10 || expectedLeft - expected < 10)) continue;
    statistic += (seen - expected) ** 2 / expected;
    expectedLeft -= expected;
    cells++;
    [seen, expected] = [0, 0];
  }
  return chiSquareTail(statistic, cells - 1);
}

/** The chi-square test that two samples with the same cells have one law. */
export function sameLaw(first: readonly number[], second: readonly number[]): number {
  const totals = [first, second].map((sample) => sample.reduce((sum, count) => sum + count, 0));
  let [statistic, cells] = [0, 0];
  for (let i = 0; i < first.length; i++) {
    const both = first[i] + second[i];
    if (both === 0) continue;
    cells++;
    for (const [sample, total] of [[first, totals[0]] as const, [second, totals[1]] as const]) {
      const expected = (both * total) / (totals[0] + totals[1]);
      statistic += (sample[i] - expected) ** 2 / expected;
    }
  }
  return chiSquareTail(statistic, cells - 1);
}

/** Pearson's correlation of two vectors times √n: standard normal for independent long ones. */
export function correlationScore(first: ArrayLike<number>, second: ArrayLike<number>): number {
  const n = first.length;
  let [sumX, sumY, sumXX, sumYY, sumXY] = [0, 0, 0, 0, 0];
  for (let i = 0; i < n; i++) {
    sumX += first[i];
    sumY += second[i];
    sumXX += first[i] ** 2;
    sumYY += second[i] ** 2;
    sumXY += first[i] * second[i];
  }
  const covariance = sumXY - (sumX * sumY) / n;
  return (Math.sqrt(n) * covariance) / Math.sqrt((sumXX - sumX ** 2 / n) * (sumYY - sumY ** 2 / n));
}

/**
 * Clopper–Pearson: bounds on a probability of which `hits` in `trials` were seen, each wrong with probability alpha.
 */
export function binomialBounds(hits: number, trials: number, alpha: number): [number, number] {
  const atLeast = (p: number) => incompleteBeta(p, hits, trials - hits + 1);
  const atMost = (p: number) => 1 - incompleteBeta(p, hits + 1, trials - hits);
  return [
    hits === 0 ? 0 : firstWhere(0, 1, (p) => atLeast(p) >= alpha),
    hits === trials ? 1 : firstWhere(0, 1, (p) => atMost(p) <= alpha),
  ];
}

/** A generator of uniform numbers in [0, 1) from a seed (splitmix32), for the tests' own choices. */
export function uniforms(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x9e3779b9) | 0;
    let word = state ^ (state >>> 16);
    word = Math.imul(word, 0x21f0aaad);
    word = Math.imul(word ^ (word >>> 15), 0x735a2d97);
    return ((word ^ (word >>> 15)) >>> 0) / 2 ** 32;
  };
}

// Q(a, x) = Γ(a, x)/Γ(a): the series below a + 1, Lentz's continued fraction above.
function upperGamma(a: number, x: number): number {
  if (x <= 0) return 1;
  const front = Math.exp(a * Math.log(x) - x - logGamma(a));
  if (x < a + 1) {
    let [term, sum] = [1 / a, 1 / a];
    for (let k = 1; term > sum * 1e-16; k++) {
      term *= x / (a + k);
      sum += term;
    }
    return 1 - front * sum;
  }
  let b = x + 1 - a;
  let [c, d] = [1e300, 1 / b];
  let fraction = d;
  for (let k = 1, change = 2; Math.abs(change - 1) > 1e-15 && k < 100_000; k++) {
    b += 2;
    const an = -k * (k - a);
    d = 1 / (an * d + b);
    c = b + an / c;
    change = c * d;
    fraction *= change;
  }
  return front * fraction;
}

// I_x(a, b) by the continued fraction.
function incompleteBeta(x: number, a: number, b: number): number {
  if (x <= 0 || x >= 1) return x <= 0 ? 0 : 1;
  if (x > (a + 1) / (a + b + 2)) return 1 - incompleteBeta(1 - x, b, a);
  const front = Math.exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log1p(-x)) / a;
  let [c, d] = [1, 1 / (1 - ((a + b) * x) / (a + 1))];
  let fraction = d;
  for (let m = 1, change = 2; Math.abs(change - 1) > 1e-15 && m < 100_000; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / (1 + even * d);
    c = 1 + even / c;
    fraction *= c * d;
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / (1 + odd * d);
    c = 1 + odd / c;
    change = c * d;
    fraction *= change;
  }
  return front * fraction;
}

// Stirling's series, after raising the argument above 20.
function logGamma(x: number): number {
  let [lift, y] = [0, x];
  for (; y < 20; y++) lift -= Math.log(y);
  return (
    lift +
    (y - 0.5) * Math.log(y) -
    y +
    Math.log(2 * Math.PI) / 2 +
    1 / (12 * y) -
    1 / (360 * y ** 3) +
    1 / (1260 * y ** 5)
  );
}
