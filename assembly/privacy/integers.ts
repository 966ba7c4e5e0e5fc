// Integer arithmetic for the ledger and for sensitivities: exact, rounded in a stated direction, or saturating.

/** min(a·b, 2^64 − 1). A saturated value is later refused as too large. */
export function saturatingProduct(a: u64, b: u64): u64 {
  return b != 0 && a > u64.MAX_VALUE / b ? u64.MAX_VALUE : a * b;
}

/** ⌈a·2^shift / b⌉, which must be below 2^64; b ≥ 1. */
export function scaledCeiling(a: u64, shift: u32, b: u64): u64 {
  let quotient = a / b;
  let rest = a % b;
  for (let bit: u32 = 0; bit < shift; bit++) {
    const carries = rest >= b - rest;
    quotient = (quotient << 1) + u64(carries);
    rest = carries ? rest - (b - rest) : rest << 1;
  }
  return quotient + u64(rest != 0);
}

/** ⌊√square⌋. */
export function floorRoot(square: u64): u64 {
  let root = min<u64>(<u64>Math.sqrt(<f64>square), u32.MAX_VALUE);
  while (root * root > square) root--;
  while (root < u32.MAX_VALUE && (root + 1) * (root + 1) <= square) root++;
  return root;
}

/** ⌈√square⌉. */
export function ceilingRoot(square: u64): u64 {
  const root = floorRoot(square);
  return root + u64(root * root < square);
}
