// How many levels of a tree two codes of a column share a node on.
import { TREE_LEAVES, TREE_LEVELS } from "../layout";

// i32[33][36]: the levels that two codes share, lines padded to whole vectors.
const SHARES_LINE = (TREE_LEAVES + 4) << 2;
const SHARES = memory.data(SHARES_LINE * (TREE_LEAVES + 1), 16);

/**
 * Two leaves share the levels of their common leading bits; "missing", TREE_LEAVES, shares all with itself and none
 * with a leaf.
 */
@inline
export function sharedLevels(a: u32, b: u32): i32 {
  return max<i32>(<i32>clz(a ^ b) - (32 - TREE_LEVELS), 0);
}

export function fillShares(): void {
  for (let a: u32 = 0; a <= <u32>TREE_LEAVES; a++)
    for (let b: u32 = 0; b <= <u32>TREE_LEAVES; b++)
      store<i32>(SHARES + <usize>a * SHARES_LINE + (<usize>b << 2), sharedLevels(a, b));
}

/** The line of a code: i32[33], how many levels each code shares with it; then up to three more i32. */
@inline
export function sharesOf(code: u32): usize {
  return SHARES + <usize>code * SHARES_LINE;
}

/** sums += amount·min(most, shares), `bytes` bytes of i32, a multiple of four of them. */
export function addShares(sums: usize, shares: usize, bytes: usize, amount: i32, most: i32): void {
  const end = sums + bytes;
  if (ASC_FEATURE_SIMD) {
    const amounts = i32x4.splat(amount);
    const limit = i32x4.splat(most);
    for (; sums < end; sums += 16, shares += 16) {
      const change = i32x4.mul(amounts, i32x4.min_s(limit, v128.load(shares)));
      v128.store(sums, i32x4.add(v128.load(sums), change));
    }
  } else
    for (; sums < end; sums += 4, shares += 4)
      store<i32>(sums, load<i32>(sums) + amount * min(most, load<i32>(shares)));
}
