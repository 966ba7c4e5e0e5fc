import type { Stream } from "./stream.js";

/** P(0), P(1), … of the discrete Gaussian, P(y) ∝ exp(−y²/2σ²), up to twelve σ (at least 12). */
export function discreteGaussian(sigma2: number): Float64Array {
  const law = new Float64Array(Math.ceil(12 * Math.max(1, Math.sqrt(sigma2))) + 1);
  let total = 0;
  for (let y = law.length - 1; y >= 0; y--) {
    law[y] = Math.exp(-(y * y) / (2 * sigma2));
    total += y === 0 ? law[y] : 2 * law[y];
  }
  return law.map((weight) => weight / total);
}

/** The variance of the discrete Gaussian: almost σ², and less if σ² is small. */
export function varianceOf(sigma2: number): number {
  return discreteGaussian(sigma2).reduce((sum, probability, y) => sum + 2 * y * y * probability, 0);
}

/**
 * Probabilities of the cells in which `cellOf` counts draws: one cell below −bins·width, then 2·bins cells of `width`,
 * then one above.
 */
export function binnedLaw(sigma2: number, width: number, bins: number): number[] {
  const cells = new Array<number>(2 * bins + 2).fill(0);
  const law = discreteGaussian(sigma2);
  for (let y = 0; y < law.length; y++) {
    cells[cellOf(y, width, bins)] += law[y];
    if (y > 0) cells[cellOf(-y, width, bins)] += law[y];
  }
  return cells;
}

export function cellOf(y: number, width: number, bins: number): number {
  return Math.min(2 * bins + 1, Math.max(0, Math.floor(y / width) + bins + 1));
}

/** log₂ of the proposal's scale: round(log₂ σ), at least 0. */
export function proposalBitsOf(p: number, k: number): number {
  return Math.max(0, Math.round(Math.log2(p * 2 ** -k) / 2));
}

/** The exponent (|y| − σ²/2^j)²/(2σ²) by which a proposal of this magnitude is accepted, as an exact fraction. */
export function exponentOf(magnitude: bigint, p: bigint, k: bigint): [bigint, bigint] {
  const j = BigInt(proposalBitsOf(Number(p), Number(k)));
  const distance = (magnitude << (j + k)) - p;
  return [distance * distance, p << (1n + 2n * j + k)];
}

/** One draw with σ² = p·2^−k from the stream: a discrete Laplace proposal of scale 2^j, accepted with e^−exponent. */
export function sample(stream: Stream, p: bigint, k: bigint): bigint {
  const j = BigInt(proposalBitsOf(Number(p), Number(k)));
  for (;;) {
    const bits = stream.word();
    const fraction = bits % 2n ** j;
    if (!stream.bernoulliExpFraction(fraction, 2n ** j, 0n)) continue;
    const magnitude = fraction + (stream.geometric() << j);
    const negative = bits >= 2n ** 31n;
    if (negative && magnitude === 0n) continue;
    if (accepts(stream, magnitude, p, k)) return negative ? -magnitude : magnitude;
  }
}

function accepts(stream: Stream, magnitude: bigint, p: bigint, k: bigint): boolean {
  const [n, d] = exponentOf(magnitude, p, k);
  // The engine does not form squares beyond 64 bits: it only tries e^−500, which fails.
  const j = BigInt(proposalBitsOf(Number(p), Number(k)));
  if (magnitude << (j + k) >= 2n ** 32n) return stream.bernoulliExp(500n) && stream.bernoulliExp(n / d - 500n);
  return stream.bernoulliExp(n / d) && stream.bernoulliExpFraction(n % d, p, 1n + 2n * j + k);
}
