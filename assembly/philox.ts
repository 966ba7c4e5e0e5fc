// Philox 4x32-10, a counter-based generator (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", SC 2011).
// Every word of every stream is a function of its position alone, so slices, workers and languages cannot change the
// result of a search. For post-processing and public query sets only: the privacy code has its own generator.

// Blocks are generated four at a time: one per lane, or one after the other where the build has no SIMD.

const MULTIPLIER_0: u32 = 0xd2511f53;
const MULTIPLIER_1: u32 = 0xcd9e8d57;
const WEYL_0: u32 = 0x9e3779b9;
const WEYL_1: u32 = 0xbb67ae85;

// The last sixteen words drawn, u32[4][4]: the first words of four blocks, then their second words, and so on.
const WORDS = memory.data(64, 16);

@inline
function lowHalves(low: v128, high: v128): v128 {
  return v128.shuffle<i32>(low, high, 0, 2, 4, 6);
}

@inline
function highHalves(low: v128, high: v128): v128 {
  return v128.shuffle<i32>(low, high, 1, 3, 5, 7);
}

function fourBlocks(c0: v128, c1: v128, c2: v128, c3: v128, k0: u32, k1: u32): void {
  const m0 = i32x4.splat(MULTIPLIER_0);
  const m1 = i32x4.splat(MULTIPLIER_1);
  for (let round = 0; round < 10; round++) {
    const low0 = i64x2.extmul_low_i32x4_u(c0, m0);
    const high0 = i64x2.extmul_high_i32x4_u(c0, m0);
    const low1 = i64x2.extmul_low_i32x4_u(c2, m1);
    const high1 = i64x2.extmul_high_i32x4_u(c2, m1);
    c0 = v128.xor(v128.xor(highHalves(low1, high1), c1), i32x4.splat(k0));
    c1 = lowHalves(low1, high1);
    c2 = v128.xor(v128.xor(highHalves(low0, high0), c3), i32x4.splat(k1));
    c3 = lowHalves(low0, high0);
    k0 += WEYL_0;
    k1 += WEYL_1;
  }
  v128.store(WORDS, c0);
  v128.store(WORDS, c1, 16);
  v128.store(WORDS, c2, 32);
  v128.store(WORDS, c3, 48);
}

/** Generates one of the four blocks, with the same result as the lanes. */
function oneBlock(lane: usize, c0: u32, c1: u32, c2: u32, c3: u32, k0: u32, k1: u32): void {
  for (let round = 0; round < 10; round++) {
    const product0 = <u64>c0 * MULTIPLIER_0;
    const product1 = <u64>c2 * MULTIPLIER_1;
    c0 = u32(product1 >> 32) ^ c1 ^ k0;
    c1 = u32(product1);
    c2 = u32(product0 >> 32) ^ c3 ^ k1;
    c3 = u32(product0);
    k0 += WEYL_0;
    k1 += WEYL_1;
  }
  const words = WORDS + (lane << 2);
  store<u32>(words, c0);
  store<u32>(words, c1, 16);
  store<u32>(words, c2, 32);
  store<u32>(words, c3, 48);
}

/** Generates the four blocks with first counter words c0, c0 + 1, c0 + 2 and c0 + 3. */
function philox(c0: u32, c1: u32, c2: u32, c3: u32, k0: u32, k1: u32): void {
  if (ASC_FEATURE_SIMD) {
    const first = i32x4.add(i32x4.splat(c0), i32x4(0, 1, 2, 3));
    fourBlocks(first, i32x4.splat(c1), i32x4.splat(c2), i32x4.splat(c3), k0, k1);
  } else for (let lane: u32 = 0; lane < 4; lane++) oneBlock(lane, c0 + lane, c1, c2, c3, k0, k1);
}

/**
 * Draws sixteen words of a stream, 16·index … 16·index + 15, for `word` to return. Block b of a stream has the counter
 * (b mod 2^32, ⌊b / 2^32⌋, purpose, id) and the key (seed, 0).
 */
export function drawWords(seed: u32, purpose: u32, id: u32, index: u64): void {
  const block = index << 2;
  philox(u32(block), u32(block >> 32), purpose, id, seed, 0);
}

/** A word of the last stream drawn from, by its index in the stream, which must be among the sixteen drawn. */
@inline
export function word(index: u32): u32 {
  return load<u32>(WORDS + (((index & 3) << 4) | (index & 12)));
}

/** Maps a word to an integer below `bound`: the high half of the product, with a bias below bound / 2^32. */
@inline
export function below(bound: u32, random: u32): u32 {
  return u32((<u64>random * bound) >> 32);
}

/**
 * The first words of a stream.
 * @param out u32[count]
 */
export function philoxWords(out: usize, count: u32, seed: u32, purpose: u32, id: u32): void {
  for (let index: u32 = 0; index < count; index++) {
    if (!(index & 15)) drawWords(seed, purpose, id, index >> 4);
    store<u32>(out + (<usize>index << 2), word(index));
  }
}

/**
 * One block of the bare generator, for tests with known answers.
 * @param counter u32[4]
 * @param key u32[2]
 * @param out u32[4]
 */
export function philoxBlock(counter: usize, key: usize, out: usize): void {
  const second = load<u32>(counter, 4),
    third = load<u32>(counter, 8),
    fourth = load<u32>(counter, 12);
  philox(load<u32>(counter), second, third, fourth, load<u32>(key), load<u32>(key, 4));
  for (let index: u32 = 0; index < 4; index++) store<u32>(out + (<usize>index << 2), word(index));
}
