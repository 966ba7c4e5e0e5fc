// Philox 4x32-10, a counter-based generator (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", SC 2011): any word of
// any stream is a function of its position alone, so that slices, workers and languages cannot change what a search does.
// For post-processing and public query sets only; privacy has its own generator.

const MULTIPLIER_0: u64 = 0xd2511f53;
const MULTIPLIER_1: u64 = 0xcd9e8d57;
const WEYL_0: u32 = 0x9e3779b9;
const WEYL_1: u32 = 0xbb67ae85;

// The four words of the block drawn last.
let word0: u32 = 0;
let word1: u32 = 0;
let word2: u32 = 0;
let word3: u32 = 0;

function philox(c0: u32, c1: u32, c2: u32, c3: u32, k0: u32, k1: u32): void {
  for (let round = 0; round < 10; round++) {
    const p0 = MULTIPLIER_0 * c0;
    const p1 = MULTIPLIER_1 * c2;
    c0 = u32(p1 >> 32) ^ c1 ^ k0;
    c1 = u32(p1);
    c2 = u32(p0 >> 32) ^ c3 ^ k1;
    c3 = u32(p0);
    k0 += WEYL_0;
    k1 += WEYL_1;
  }
  word0 = c0;
  word1 = c1;
  word2 = c2;
  word3 = c3;
}

/**
 * One block of the bare generator, for its known answers.
 * @param counter u32[4]
 * @param key u32[2]
 * @param out u32[4]
 */
export function philoxBlock(counter: usize, key: usize, out: usize): void {
  philox(
    load<u32>(counter),
    load<u32>(counter, 4),
    load<u32>(counter, 8),
    load<u32>(counter, 12),
    load<u32>(key),
    load<u32>(key, 4),
  );
  store<u32>(out, word0);
  store<u32>(out, word1, 4);
  store<u32>(out, word2, 8);
  store<u32>(out, word3, 12);
}

/**
 * The first words of a stream.
 * @param out u32[count]
 */
export function philoxWords(out: usize, count: u32, seed: u32, purpose: u32, id: u32): void {
  for (let index: u32 = 0; index < count; index++) {
    if (!(index & 3)) drawBlock(seed, purpose, id, index >> 2);
    store<u32>(out + (<usize>index << 2), word(index & 3));
  }
}

/** Draws a block of a stream: its words 4·block … 4·block + 3, which `word` then gives. */
export function drawBlock(seed: u32, purpose: u32, id: u32, block: u64): void {
  philox(u32(block), u32(block >> 32), purpose, id, seed, 0);
}

/** One of the four words of the block drawn last. */
// @ts-ignore: decorator
@inline
export function word(lane: u32): u32 {
  return lane < 2 ? (lane ? word1 : word0) : lane == 2 ? word2 : word3;
}

/** A word as an integer below `bound`: the high half of the product, its bias below bound / 2^32. */
// @ts-ignore: decorator
@inline
export function below(bound: u32, random: u32): u32 {
  return u32((<u64>random * bound) >> 32);
}
