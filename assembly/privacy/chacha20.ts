// ChaCha20 as in RFC 8439, section 2.3: a 256-bit key, a 32-bit block counter and a 96-bit nonce.
import { rotateLeft, storeColumns, swapHalves } from "../lanes";

const BLOCK_BYTES: usize = 64;

// "expand 32-byte k"
const EXPA: i32 = 0x61707865;
const ND_3: i32 = 0x3320646e;
const TWO_BY: i32 = 0x79622d32;
const TE_K: i32 = 0x6b206574;

/**
 * Writes `blocks` blocks of key stream (a multiple of four) to `out`, 64 bytes each, starting with block number
 * `counter`. `key` points to 32 bytes. The nonce is (purpose, item, 0), three little-endian words.
 * Source: RFC 8439, section 2.3.
 */
export function chachaBlocks(key: usize, purpose: u32, item: u32, counter: u32, blocks: u32, out: usize): void {
  if (ASC_FEATURE_SIMD) {
    for (let block: u32 = 0; block < blocks; block += 4)
      keyStream<v128>(key, purpose, item, counter + block, out + <usize>block * BLOCK_BYTES);
  } else {
    for (let block: u32 = 0; block < blocks; block++)
      keyStream<u32>(key, purpose, item, counter + block, out + <usize>block * BLOCK_BYTES);
  }
}

// With T = u32 one block; with T = v128 four of them side by side: lane i of word w's vector is word w of block i, and
// they are transposed when they are stored.
function keyStream<T>(key: usize, purpose: u32, item: u32, counter: u32, out: usize): void {
  const s0 = all<T>(EXPA),
    s1 = all<T>(ND_3),
    s2 = all<T>(TWO_BY),
    s3 = all<T>(TE_K);
  const s4 = all<T>(load<u32>(key)),
    s5 = all<T>(load<u32>(key, 4));
  const s6 = all<T>(load<u32>(key, 8)),
    s7 = all<T>(load<u32>(key, 12));
  const s8 = all<T>(load<u32>(key, 16)),
    s9 = all<T>(load<u32>(key, 20));
  const s10 = all<T>(load<u32>(key, 24)),
    s11 = all<T>(load<u32>(key, 28));
  const s12 = numbered<T>(counter),
    s13 = all<T>(purpose),
    s14 = all<T>(item),
    s15 = all<T>(0);
  let x0 = s0,
    x1 = s1,
    x2 = s2,
    x3 = s3;
  let x4 = s4,
    x5 = s5,
    x6 = s6,
    x7 = s7;
  let x8 = s8,
    x9 = s9,
    x10 = s10,
    x11 = s11;
  let x12 = s12,
    x13 = s13,
    x14 = s14,
    x15 = s15;
  for (let round = 0; round < 20; round += 2) {
    x0 = add<T>(x0, x4);
    x1 = add<T>(x1, x5);
    x2 = add<T>(x2, x6);
    x3 = add<T>(x3, x7);
    x12 = turn<T>(x12, x0, 16);
    x13 = turn<T>(x13, x1, 16);
    x14 = turn<T>(x14, x2, 16);
    x15 = turn<T>(x15, x3, 16);
    x8 = add<T>(x8, x12);
    x9 = add<T>(x9, x13);
    x10 = add<T>(x10, x14);
    x11 = add<T>(x11, x15);
    x4 = turn<T>(x4, x8, 12);
    x5 = turn<T>(x5, x9, 12);
    x6 = turn<T>(x6, x10, 12);
    x7 = turn<T>(x7, x11, 12);
    x0 = add<T>(x0, x4);
    x1 = add<T>(x1, x5);
    x2 = add<T>(x2, x6);
    x3 = add<T>(x3, x7);
    x12 = turn<T>(x12, x0, 8);
    x13 = turn<T>(x13, x1, 8);
    x14 = turn<T>(x14, x2, 8);
    x15 = turn<T>(x15, x3, 8);
    x8 = add<T>(x8, x12);
    x9 = add<T>(x9, x13);
    x10 = add<T>(x10, x14);
    x11 = add<T>(x11, x15);
    x4 = turn<T>(x4, x8, 7);
    x5 = turn<T>(x5, x9, 7);
    x6 = turn<T>(x6, x10, 7);
    x7 = turn<T>(x7, x11, 7);

    x0 = add<T>(x0, x5);
    x1 = add<T>(x1, x6);
    x2 = add<T>(x2, x7);
    x3 = add<T>(x3, x4);
    x15 = turn<T>(x15, x0, 16);
    x12 = turn<T>(x12, x1, 16);
    x13 = turn<T>(x13, x2, 16);
    x14 = turn<T>(x14, x3, 16);
    x10 = add<T>(x10, x15);
    x11 = add<T>(x11, x12);
    x8 = add<T>(x8, x13);
    x9 = add<T>(x9, x14);
    x5 = turn<T>(x5, x10, 12);
    x6 = turn<T>(x6, x11, 12);
    x7 = turn<T>(x7, x8, 12);
    x4 = turn<T>(x4, x9, 12);
    x0 = add<T>(x0, x5);
    x1 = add<T>(x1, x6);
    x2 = add<T>(x2, x7);
    x3 = add<T>(x3, x4);
    x15 = turn<T>(x15, x0, 8);
    x12 = turn<T>(x12, x1, 8);
    x13 = turn<T>(x13, x2, 8);
    x14 = turn<T>(x14, x3, 8);
    x10 = add<T>(x10, x15);
    x11 = add<T>(x11, x12);
    x8 = add<T>(x8, x13);
    x9 = add<T>(x9, x14);
    x5 = turn<T>(x5, x10, 7);
    x6 = turn<T>(x6, x11, 7);
    x7 = turn<T>(x7, x8, 7);
    x4 = turn<T>(x4, x9, 7);
  }
  storeWords<T>(out, add<T>(x0, s0), add<T>(x1, s1), add<T>(x2, s2), add<T>(x3, s3));
  storeWords<T>(out + 16, add<T>(x4, s4), add<T>(x5, s5), add<T>(x6, s6), add<T>(x7, s7));
  storeWords<T>(out + 32, add<T>(x8, s8), add<T>(x9, s9), add<T>(x10, s10), add<T>(x11, s11));
  storeWords<T>(out + 48, add<T>(x12, s12), add<T>(x13, s13), add<T>(x14, s14), add<T>(x15, s15));
}

@inline
function all<T>(word: u32): T {
  if (isVector<T>()) return i32x4.splat(word);
  return word;
}

/** The number of a block, or of four in a row. */
@inline
function numbered<T>(counter: u32): T {
  if (isVector<T>()) return i32x4.add(i32x4.splat(counter), i32x4(0, 1, 2, 3));
  return counter;
}

@inline
function add<T>(a: T, b: T): T {
  if (isVector<T>()) return i32x4.add(a, b);
  return <T>(a + b);
}

/** a ⊕ b, rotated to the left. */
@inline
function turn<T>(a: T, b: T, bits: i32): T {
  if (isVector<T>()) {
    const mixed = v128.xor(a, b);
    return bits == 16 ? swapHalves(mixed) : rotateLeft(mixed, bits);
  }
  return rotl<T>(<T>(a ^ b), <T>bits);
}

@inline
function storeWords<T>(out: usize, a: T, b: T, c: T, d: T): void {
  if (isVector<T>()) {
    storeColumns(out, BLOCK_BYTES, a, b, c, d);
    return;
  }
  store<T>(out, a);
  store<T>(out, b, 4);
  store<T>(out, c, 8);
  store<T>(out, d, 12);
}
