// Zero-concentrated differential privacy (zCDP): ρ ↔ (ε, δ), and ρ ↔ the ledger's integers. Every result is rounded to
// the safe side.
import { NOISE_TOO_LARGE, OK, RATE_A, RATE_B, SIGMA2_CHARGE, SIGMA2_K, SIGMA2_P } from "../layout";
import { floorRoot, scaledCeiling } from "./integers";

const MAX_RHO: f64 = 4095;
const UNITS: f64 = 4503599627370496; // 2^52 ledger units are ρ = 1
const MARGIN: f64 = 1 - 1 / 1099511627776.0; // 1 − 2^−40
const ROUNDING: f64 = 1 / 562949953421312.0; // 2^−49: sixteen roundings of f64

/**
 * The δ for which ρ-zCDP implies (ε, δ)-DP; rho ≥ 0, epsilon ≥ 0, result in [0, 1], rounded up.
 *
 * Proof definition: every ρ-zCDP mechanism is (ε, δ)-DP for this δ.
 * Source: Canonne, Kamath and Steinke, "The Discrete Gaussian for Differential Privacy", 2020, corollary 13: δ = min
 * over α > 1 of exp((α−1)(αρ−ε)) (1−1/α)^α / (α−1), where every α is valid.
 */
export function cksDelta(rho: f64, epsilon: f64): f64 {
  if (rho <= 0) return 0;
  const delta = Math.exp(logDelta(rho, epsilon)) * (1 + ROUNDING);
  return Math.min(1, Math.max(f64.MIN_NORMAL_VALUE, delta));
}

/**
 * The smallest ε for which ρ-zCDP implies (ε, δ)-DP; rho ≥ 0, delta in (0, 1), rounded up. Proof definition: as for
 * `cksDelta`.
 */
export function cksEpsilon(rho: f64, delta: f64): f64 {
  const target = logDown(delta);
  if (rho <= 0 || logDelta(rho, 0) <= target) return 0;
  let low: f64 = 0;
  let high = (rho + 2 * Math.sqrt(-rho * target)) * (1 + ROUNDING);
  for (let step = 0; step < 100; step++) {
    const middle = (low + high) / 2;
    if (logDelta(rho, middle) <= target) high = middle;
    else low = middle;
  }
  return high;
}

/**
 * The largest ρ, up to 4096, for which ρ-zCDP implies (ε, δ)-DP; epsilon ≥ 0, delta in (0, 1), rounded down. Proof
 * definition: as for `cksDelta`.
 */
export function cksRho(epsilon: f64, delta: f64): f64 {
  const target = logDown(delta);
  let low: f64 = 0;
  let high: f64 = 4096;
  for (let step = 0; step < 160; step++) {
    const middle = (low + high) / 2;
    if (logDelta(middle, epsilon) <= target) low = middle;
    else high = middle;
  }
  return low;
}

/** ln δ, rounded to below the true value. */
function logDown(delta: f64): f64 {
  return Math.log(delta) * (1 + ROUNDING);
}

/**
 * ln δ(ρ, ε), exceeding the true value by a bound on its rounding errors. With α = 1 + x, the logarithm is x((1+x)ρ −
 * ε) − x·ln(1 + 1/x) − ln(1 + x), which has no cancellation at either end. Its derivative in x is increasing, so the
 * root of the derivative is found by bisection, in ln x.
 */
function logDelta(rho: f64, epsilon: f64): f64 {
  let low: f64 = -690;
  let high: f64 = 690;
  for (let step = 0; step < 48; step++) {
    const middle = (low + high) / 2;
    const x = Math.exp(middle);
    if ((1 + 2 * x) * rho - epsilon - Math.log1p(1 / x) > 0) high = middle;
    else low = middle;
  }
  const x = Math.exp(low);
  const gain = x * (1 + x) * rho;
  const loss = x * epsilon + x * Math.log1p(1 / x) + Math.log1p(x);
  return gain - loss + (gain + loss) * ROUNDING;
}

/**
 * ρ in ledger units of 2^−52, rounded down by at least a fraction of 2^−40. ρ is clamped to 4095; the result is 0 for
 * anything that is not a budget.
 */
export function rhoUnits(rho: f64): u64 {
  return <u64>(Math.min(rho, MAX_RHO) * MARGIN * UNITS);
}

/**
 * Writes to `out` (SIGMA2) the smallest representable σ² = p·2^−k with Δ²/2σ² ≤ units·2^−52, and its charge
 * ⌈Δ²·2^(51+k)/p⌉ ≤ units. `delta2` is Δ², the squared L2 sensitivity. Returns OK, or NOISE_TOO_LARGE where σ would
 * exceed 2^23 or there is no budget.
 *
 * Proof definition: discrete Gaussian noise with this σ² on integers of L2 sensitivity Δ is ρ-zCDP with ρ =
 * charge·2^−52.
 * Source: Canonne, Kamath and Steinke, "The Discrete Gaussian for Differential Privacy", 2020, theorem 14.
 */
export function calibrate(units: u64, delta2: u64, out: usize): i32 {
  if (delta2 == 0 || delta2 > units >> 5) return NOISE_TOO_LARGE;
  // Δ²/units lies strictly between 2^(−lead−1) and 2^(1−lead), so p = ⌈2^shift·Δ²/units⌉ has 24 or 25 bits.
  const lead = <i32>clz<u64>(delta2) - <i32>clz<u64>(units);
  let shift = min<i32>(24 + lead, 81);
  let p = scaledCeiling(delta2, shift, units);
  if (p > 1 << 24) p = scaledCeiling(delta2, --shift, units);
  if (p == 1 << 24) {
    p = 1 << 23;
    shift--;
  }
  p = max<u64>(p, 1 << 20);
  store<u32>(out, <u32>p, SIGMA2_P);
  store<i32>(out, shift - 51, SIGMA2_K);
  store<u64>(out, scaledCeiling(delta2, shift, p), SIGMA2_CHARGE);
  return OK;
}

/**
 * Writes to `out` (RATE) the exponent a·2^−b for one step of an integer score of sensitivity `delta`. It is rounded
 * down, so that the exponential mechanism that uses it is charged at most `units`. Returns OK, or NOISE_TOO_LARGE where
 * a would be 0.
 *
 * Proof definition: P(i) ∝ exp(u_i·a/2^b) has a range bounded by ε₀ = 2Δa/2^b and is ε₀²/8-zCDP; Δ²a²·2^(51−2b) ≤
 * units.
 * Source: Cesar and Rogers, "Bounding, Concentrating, and Truncating: Unifying Privacy Loss Composition for Data
 * Analytics", 2021.
 */
export function selectionRate(units: u64, delta: u64, out: usize): i32 {
  if (units == 0 || delta == 0) return NOISE_TOO_LARGE;
  // ⌊√(units·2^scale)⌋ with odd scale has 32 bits; the rate is this root / (Δ·2^half).
  const zeros = <i32>clz<u64>(units);
  const scale = (zeros & 1) != 0 ? zeros : zeros - 1;
  const root = floorRoot(scale < 0 ? units >> 1 : units << scale);
  const half = (51 + scale) / 2;
  const bits = min<i32>(63 - <i32>clz<u64>(delta), 54 - half);
  const a = (bits < 0 ? root >> -bits : root << bits) / delta;
  if (a == 0) return NOISE_TOO_LARGE;
  store<u32>(out, <u32>a, RATE_A);
  store<u32>(out, <u32>(half + bits), RATE_B);
  return OK;
}
