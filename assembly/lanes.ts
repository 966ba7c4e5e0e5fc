// What SIMD lanes do beyond plain arithmetic.

/** The largest of four signed lanes. */
@inline
export function maxOfLanes(x: v128): i32 {
  const pairs = i32x4.max_s(x, v128.shuffle<i32>(x, x, 2, 3, 0, 1));
  return i32x4.extract_lane(i32x4.max_s(pairs, v128.shuffle<i32>(pairs, pairs, 1, 0, 3, 2)), 0);
}

/** All bits of the first `count` lanes of four. */
@inline
export function firstLanes(count: i32): v128 {
  return i32x4.lt_s(i32x4(0, 1, 2, 3), i32x4.splat(count));
}
