// Exponentials and logarithms in BigInt fixed point, with 64 guard bits, for checking the engine's constants and
// roundings.
const GUARD = 64n;

/**
 * ⌊2^bits · e^(−numerator/denominator)⌋ (up to one unit in the last of the guard bits, far below the last bit
 * returned).
 */
export function expOfMinus(numerator: bigint, denominator: bigint, bits: bigint): bigint {
  const one = 1n << (bits + GUARD);
  const halvings = BigInt((numerator / denominator).toString(2).length);
  const x = (numerator * one) / (denominator << halvings);
  let sum = 0n;
  for (let term = one, k = 1n; term !== 0n; term = (-term * x) / one / k, k++) sum += term;
  for (let k = 0n; k < halvings; k++) sum = (sum * sum) / one;
  return sum >> GUARD;
}

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
