// Operations on SIMD lanes, written once. The short ones are inlined everywhere. Those that take or return lanes are
// compiled only where the build has SIMD. The others have a scalar version that does the same operations in the same
// order.

/** Rotates each 32-bit lane to the left by `bits`. */
// @ts-ignore: decorator
@inline
export function rotateLeft(lanes: v128, bits: i32): v128 {
  return v128.or(i32x4.shl(lanes, bits), i32x4.shr_u(lanes, 32 - bits));
}

/** Rotates each 32-bit lane by 16: two 16-bit shuffles, cheaper than two shifts. */
// @ts-ignore: decorator
@inline
export function swapHalves(lanes: v128): v128 {
  return i8x16.shuffle(lanes, lanes, 2, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12, 13);
}

/** Stores the columns of the 4 × 4 matrix of 32-bit lanes with rows a, b, c, d, `stride` bytes apart. */
// @ts-ignore: decorator
@inline
export function storeColumns(out: usize, stride: usize, a: v128, b: v128, c: v128, d: v128): void {
  const ab01 = v128.shuffle<i32>(a, b, 0, 4, 1, 5);
  const ab23 = v128.shuffle<i32>(a, b, 2, 6, 3, 7);
  const cd01 = v128.shuffle<i32>(c, d, 0, 4, 1, 5);
  const cd23 = v128.shuffle<i32>(c, d, 2, 6, 3, 7);
  v128.store(out, v128.shuffle<i64>(ab01, cd01, 0, 2));
  v128.store(out + stride, v128.shuffle<i64>(ab01, cd01, 1, 3));
  v128.store(out + 2 * stride, v128.shuffle<i64>(ab23, cd23, 0, 2));
  v128.store(out + 3 * stride, v128.shuffle<i64>(ab23, cd23, 1, 3));
}

/** The largest of four signed lanes. */
@inline
export function maxOfLanes(x: v128): i32 {
  const pairs = i32x4.max_s(x, v128.shuffle<i32>(x, x, 2, 3, 0, 1));
  return i32x4.extract_lane(i32x4.max_s(pairs, v128.shuffle<i32>(pairs, pairs, 1, 0, 3, 2)), 0);
}

/** The sum of four lanes of f32, in the order of every scalar twin. */
// @ts-ignore: decorator
@inline
export function sumOfLanes(x: v128): f32 {
  const pairs = f32x4.add(x, v128.shuffle<f32>(x, x, 2, 3, 0, 1));
  return f32x4.extract_lane(pairs, 0) + f32x4.extract_lane(pairs, 1);
}

/** All bits of the first `count` of four lanes. */
@inline
export function firstLanes(count: i32): v128 {
  return i32x4.lt_s(i32x4(0, 1, 2, 3), i32x4.splat(count));
}

/** Σ x·y over `count` doubles: one sum for even positions and one for odd positions, added at the end. */
export function dot(x: usize, y: usize, count: usize): f64 {
  let even: f64 = 0,
    odd: f64 = 0;
  const end = x + ((count & ~1) << 3);
  if (ASC_FEATURE_SIMD) {
    let sums = f64x2.splat(0);
    for (; x < end; x += 16, y += 16) sums = f64x2.add(sums, f64x2.mul(v128.load(x), v128.load(y)));
    even = f64x2.extract_lane(sums, 0);
    odd = f64x2.extract_lane(sums, 1);
  } else {
    for (; x < end; x += 16, y += 16) {
      even += load<f64>(x) * load<f64>(y);
      odd += load<f64>(x, 8) * load<f64>(y, 8);
    }
  }
  return even + (count & 1 ? load<f64>(x) * load<f64>(y) : 0) + odd;
}

/** y += factor·x, `count` doubles. */
export function addScaled(y: usize, x: usize, factor: f64, count: usize): void {
  const end = x + (count << 3);
  if (ASC_FEATURE_SIMD) {
    const factors = f64x2.splat(factor);
    for (const pairs = x + ((count & ~1) << 3); x < pairs; x += 16, y += 16)
      v128.store(y, f64x2.add(v128.load(y), f64x2.mul(factors, v128.load(x))));
  }
  for (; x < end; x += 8, y += 8) store<f64>(y, load<f64>(y) + factor * load<f64>(x));
}

// e^x in f32: x = n·ln 2 + r, with |r| ≤ ½ ln 2, then 2^n·(1 + r + r²·P(r)), where P is the polynomial of degree 4 that
// leaves the least relative error (3·10⁻⁹). ln 2 has two parts: n times the first is exact. Adding ROUNDER leaves n in
// the lowest bits of the sum. The constants lie in memory, since an engine may make them anew in every turn of a loop.
const EXP: usize = memory.data<f32>([
  88, -87.33, 1.44269504, 12582912, 0.693145751953125, 1.42860682e-6, 0.00138145965, 0.00836871751, 0.041668389,
  0.166665211, 0.49999994, 1,
]);
const MOST: usize = 0;
const LEAST: usize = 4;
const LOG2E: usize = 8;
const ROUNDER: usize = 12;
const LN2: usize = 16;
const LN2_REST: usize = 20;
const P4: usize = 24;
const P3: usize = 28;
const P2: usize = 32;
const P1: usize = 36;
const P0: usize = 40;
const ONE: usize = 44;

/** e^x in four lanes of f32, to 2 units in the last place: 0 below −87.33, and above 88 no more than there. */
// @ts-ignore: decorator
@inline
export function exponentialLanes(x: v128): v128 {
  const isTooSmall = f32x4.lt(x, v128.load32_splat(EXP, LEAST));
  x = f32x4.pmin(x, v128.load32_splat(EXP, MOST));
  const rounder = v128.load32_splat(EXP, ROUNDER);
  const shifted = f32x4.add(f32x4.mul(x, v128.load32_splat(EXP, LOG2E)), rounder);
  const n = f32x4.sub(shifted, rounder);
  const near = f32x4.sub(x, f32x4.mul(n, v128.load32_splat(EXP, LN2)));
  const r = f32x4.sub(near, f32x4.mul(n, v128.load32_splat(EXP, LN2_REST)));
  let p = f32x4.add(f32x4.mul(r, v128.load32_splat(EXP, P4)), v128.load32_splat(EXP, P3));
  p = f32x4.add(f32x4.mul(r, p), v128.load32_splat(EXP, P2));
  p = f32x4.add(f32x4.mul(r, p), v128.load32_splat(EXP, P1));
  p = f32x4.add(f32x4.mul(r, p), v128.load32_splat(EXP, P0));
  p = f32x4.add(f32x4.add(f32x4.mul(f32x4.mul(r, r), p), r), v128.load32_splat(EXP, ONE));
  return v128.andnot(i32x4.add(p, i32x4.shl(shifted, 23)), isTooSmall);
}

/** The same of one number, bit for bit. */
export function exponential32(x: f32): f32 {
  if (x < load<f32>(EXP, LEAST)) return 0;
  if (x > load<f32>(EXP, MOST)) x = load<f32>(EXP, MOST);
  const shifted = x * load<f32>(EXP, LOG2E) + load<f32>(EXP, ROUNDER);
  const n = shifted - load<f32>(EXP, ROUNDER);
  const r = x - n * load<f32>(EXP, LN2) - n * load<f32>(EXP, LN2_REST);
  let p = r * load<f32>(EXP, P4) + load<f32>(EXP, P3);
  p = r * p + load<f32>(EXP, P2);
  p = r * p + load<f32>(EXP, P1);
  p = r * p + load<f32>(EXP, P0);
  p = r * r * p + r + load<f32>(EXP, ONE);
  return reinterpret<f32>(reinterpret<i32>(p) + (reinterpret<i32>(shifted) << 23));
}

// e^x in f64: x = n·ln 2 + r, with |r| ≤ ½ ln 2, then 2^n times the series of e^r up to r¹³/13!, from its last term on.
// ln 2 has two parts, as above.
const EXP64: usize = memory.data<f64>([
  1.4426950408889634, 6755399441055744, 0.6931471803691238, 1.9082149292705877e-10, 1.6059043836821613e-10,
  2.08767569878681e-9, 2.505210838544172e-8, 2.755731922398589e-7, 2.7557319223985893e-6, 2.48015873015873e-5,
  0.0001984126984126984, 0.001388888888888889, 0.008333333333333333, 0.041666666666666664, 0.16666666666666666, 0.5, 1,
  1,
]);
const LOG2E_64: usize = 0;
const ROUNDER_64: usize = 8;
const LN2_64: usize = 16;
const LN2_REST_64: usize = 24;
const SERIES_64: usize = 32;
const SERIES_END_64: usize = SERIES_64 + 14 * 8;

/** e^x in two lanes of f64, to 2 units in the last place. @param x −700 … 700 */
// @ts-ignore: decorator
@inline
export function exponentialPairs(x: v128): v128 {
  const rounder = v128.load64_splat(EXP64, ROUNDER_64);
  const shifted = f64x2.add(f64x2.mul(x, v128.load64_splat(EXP64, LOG2E_64)), rounder);
  const n = f64x2.sub(shifted, rounder);
  const near = f64x2.sub(x, f64x2.mul(n, v128.load64_splat(EXP64, LN2_64)));
  const r = f64x2.sub(near, f64x2.mul(n, v128.load64_splat(EXP64, LN2_REST_64)));
  let p = v128.load64_splat(EXP64, SERIES_64);
  for (let term = SERIES_64 + 8; term < SERIES_END_64; term += 8)
    p = f64x2.add(f64x2.mul(r, p), v128.load64_splat(EXP64 + term));
  return i64x2.add(p, i64x2.shl(shifted, 52));
}

/** The same of one number, bit for bit. */
export function exponentialOf(x: f64): f64 {
  const shifted = x * load<f64>(EXP64, LOG2E_64) + load<f64>(EXP64, ROUNDER_64);
  const n = shifted - load<f64>(EXP64, ROUNDER_64);
  const r = x - n * load<f64>(EXP64, LN2_64) - n * load<f64>(EXP64, LN2_REST_64);
  let p = load<f64>(EXP64, SERIES_64);
  for (let term = SERIES_64 + 8; term < SERIES_END_64; term += 8) p = r * p + load<f64>(EXP64 + term);
  return reinterpret<f64>(reinterpret<i64>(p) + (reinterpret<i64>(shifted) << 52));
}
