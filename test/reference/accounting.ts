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
