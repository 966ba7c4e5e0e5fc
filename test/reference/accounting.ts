/** ρ in ledger units: 2^52 of them are ρ = 1. */
export const UNITS_PER_RHO = 1n << 52n;

/**
 * δ(ρ, ε) = min over α > 1 of exp((α−1)(αρ−ε) + α·ln(1−1/α)) / (α−1) (Canonne, Kamath and Steinke 2020, corollary 13),
 * by golden section in ln(α−1).
 */
export function deltaOf(rho: number, epsilon: number): number {
  const exponent = (logX: number) => {
    const alpha = 1 + Math.exp(logX);
    return (alpha - 1) * (alpha * rho - epsilon) + alpha * Math.log1p(-1 / alpha) - logX;
  };
  const ratio = (Math.sqrt(5) - 1) / 2;
  let low = -30;
  let high = 30;
  for (let step = 0; step < 120; step++) {
    const left = high - ratio * (high - low);
    const right = low + ratio * (high - low);
    if (exponent(left) < exponent(right)) high = right;
    else low = left;
  }
  return Math.min(1, Math.exp(exponent((low + high) / 2)));
}

/** The ρ with δ(ρ, ε) = delta. */
export function rhoOf(epsilon: number, delta: number): number {
  return bisect(0, epsilon + 10, (rho) => deltaOf(rho, epsilon) > delta);
}

/** The ε with δ(ρ, ε) = delta. */
export function epsilonOf(rho: number, delta: number): number {
  return bisect(0, rho + 2 * Math.sqrt(rho * -Math.log(delta)), (epsilon) => deltaOf(rho, epsilon) < delta);
}

function bisect(low: number, high: number, isAbove: (x: number) => boolean): number {
  for (let step = 0; step < 120; step++) {
    const middle = (low + high) / 2;
    if (isAbove(middle)) high = middle;
    else low = middle;
  }
  return low;
}

export interface Sigma2 {
  p: bigint;
  k: bigint;
}

/**
 * The smallest σ² = p·2^−k ≥ delta2·2^51/units with p in [2^23, 2^24) and k ≤ 30, or p in [2^20, 2^24) and k = 30;
 * undefined if it exceeds 2^46. Found by trying every k.
 */
export function smallestSigma2(units: bigint, delta2: bigint): Sigma2 | undefined {
  if (units === 0n || delta2 << 5n > units) return undefined;
  for (let k = 30n; k >= -23n; k--) {
    const shift = 51n + k;
    const p = ceilDivide(delta2 << shift, units);
    if (p < 1n << 24n) return { p: p > 1n << 20n ? p : 1n << 20n, k };
  }
  return undefined;
}

/** ⌈delta2/(2σ²)⌉ in ledger units. */
export function chargeOf({ p, k }: Sigma2, delta2: bigint): bigint {
  return ceilDivide(delta2 << (51n + k), p);
}

export function ceilDivide(a: bigint, b: bigint): bigint {
  return (a + b - 1n) / b;
}

// Logarithms are computed with this many bits beyond those returned.
const GUARD = 64n;

/** 2^bits · ln(numerator/denominator), to within a few units in the last bit. */
export function logOf(numerator: bigint, denominator: bigint, bits: bigint): bigint {
  const one = 1n << (bits + GUARD);
  const octaves = BigInt(numerator.toString(2).length - denominator.toString(2).length);
  const [n, d] = octaves >= 0n ? [numerator, denominator << octaves] : [numerator << -octaves, denominator];
  return (2n * areaTangent(n - d, n + d, one) + octaves * 2n * areaTangent(1n, 3n, one)) >> GUARD;
}

// artanh(n/d) = Σ (n/d)^(2k+1)/(2k+1)
function areaTangent(n: bigint, d: bigint, one: bigint): bigint {
  const y = (n * one) / d;
  const square = (y * y) / one;
  let sum = 0n;
  for (let power = y, k = 1n; power !== 0n; power = (power * square) / one, k += 2n) sum += power / k;
  return sum;
}

/** A finite f64 as an exact fraction. */
export function fractionOf(value: number): [bigint, bigint] {
  let denominator = 1n;
  let scaled = value;
  while (!Number.isInteger(scaled)) {
    scaled *= 2;
    denominator *= 2n;
  }
  return [BigInt(scaled), denominator];
}
