// Computed with this many bits beyond those returned.
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
