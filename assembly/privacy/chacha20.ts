// ChaCha20 as in RFC 8439, section 2.3: a 256-bit key, a 32-bit block counter and a 96-bit nonce.
import { rotateLeft, storeColumns, swapHalves } from "../lanes";

const BLOCK_BYTES: usize = 64;

// "expand 32-byte k"
const EXPA: i32 = 0x61707865;
const ND_3: i32 = 0x3320646e;
const TWO_BY: i32 = 0x79622d32;
const TE_K: i32 = 0x6b206574;

// Used only by the scalar build; zero between calls.
const STATE = memory.data(64, 16);
const WORKING = memory.data(64, 16);

/**
 * Writes `blocks` blocks of key stream (a multiple of four) to `out`, 64 bytes each, starting with block number
 * `counter`. `key` points to 32 bytes. The nonce is (purpose, item, 0), three little-endian words.
 * Source: RFC 8439, section 2.3.
 */
export function chachaBlocks(key: usize, purpose: u32, item: u32, counter: u32, blocks: u32, out: usize): void {
  if (ASC_FEATURE_SIMD) {
    for (let block: u32 = 0; block < blocks; block += 4) {
      fourBlocks(key, purpose, item, counter + block, out + <usize>block * BLOCK_BYTES);
    }
  } else {
    for (let block: u32 = 0; block < blocks; block++) {
      oneBlock(key, purpose, item, counter + block, out + <usize>block * BLOCK_BYTES);
    }
    memory.fill(STATE, 0, BLOCK_BYTES);
    memory.fill(WORKING, 0, BLOCK_BYTES);
  }
}

// Lane i of word w's vector is word w of block i. Four blocks are computed side by side and transposed when they are
// stored.
function fourBlocks(key: usize, purpose: u32, item: u32, counter: u32, out: usize): void {
  const s0 = i32x4.splat(EXPA),
    s1 = i32x4.splat(ND_3),
    s2 = i32x4.splat(TWO_BY),
    s3 = i32x4.splat(TE_K);
  const s4 = v128.load_splat<u32>(key),
    s5 = v128.load_splat<u32>(key, 4);
  const s6 = v128.load_splat<u32>(key, 8),
    s7 = v128.load_splat<u32>(key, 12);
  const s8 = v128.load_splat<u32>(key, 16),
    s9 = v128.load_splat<u32>(key, 20);
  const s10 = v128.load_splat<u32>(key, 24),
    s11 = v128.load_splat<u32>(key, 28);
  const s12 = i32x4.add(i32x4.splat(counter), i32x4(0, 1, 2, 3));
  const s13 = i32x4.splat(purpose),
    s14 = i32x4.splat(item),
    s15 = i32x4.splat(0);
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
    x0 = i32x4.add(x0, x4);
    x1 = i32x4.add(x1, x5);
    x2 = i32x4.add(x2, x6);
    x3 = i32x4.add(x3, x7);
    x12 = swapHalves(v128.xor(x12, x0));
    x13 = swapHalves(v128.xor(x13, x1));
    x14 = swapHalves(v128.xor(x14, x2));
    x15 = swapHalves(v128.xor(x15, x3));
    x8 = i32x4.add(x8, x12);
    x9 = i32x4.add(x9, x13);
    x10 = i32x4.add(x10, x14);
    x11 = i32x4.add(x11, x15);
    x4 = rotateLeft(v128.xor(x4, x8), 12);
    x5 = rotateLeft(v128.xor(x5, x9), 12);
    x6 = rotateLeft(v128.xor(x6, x10), 12);
    x7 = rotateLeft(v128.xor(x7, x11), 12);
    x0 = i32x4.add(x0, x4);
    x1 = i32x4.add(x1, x5);
    x2 = i32x4.add(x2, x6);
    x3 = i32x4.add(x3, x7);
    x12 = rotateLeft(v128.xor(x12, x0), 8);
    x13 = rotateLeft(v128.xor(x13, x1), 8);
    x14 = rotateLeft(v128.xor(x14, x2), 8);
    x15 = rotateLeft(v128.xor(x15, x3), 8);
    x8 = i32x4.add(x8, x12);
    x9 = i32x4.add(x9, x13);
    x10 = i32x4.add(x10, x14);
    x11 = i32x4.add(x11, x15);
    x4 = rotateLeft(v128.xor(x4, x8), 7);
    x5 = rotateLeft(v128.xor(x5, x9), 7);
    x6 = rotateLeft(v128.xor(x6, x10), 7);
    x7 = rotateLeft(v128.xor(x7, x11), 7);

    x0 = i32x4.add(x0, x5);
    x1 = i32x4.add(x1, x6);
    x2 = i32x4.add(x2, x7);
    x3 = i32x4.add(x3, x4);
    x15 = swapHalves(v128.xor(x15, x0));
    x12 = swapHalves(v128.xor(x12, x1));
    x13 = swapHalves(v128.xor(x13, x2));
    x14 = swapHalves(v128.xor(x14, x3));
    x10 = i32x4.add(x10, x15);
    x11 = i32x4.add(x11, x12);
    x8 = i32x4.add(x8, x13);
    x9 = i32x4.add(x9, x14);
    x5 = rotateLeft(v128.xor(x5, x10), 12);
    x6 = rotateLeft(v128.xor(x6, x11), 12);
    x7 = rotateLeft(v128.xor(x7, x8), 12);
    x4 = rotateLeft(v128.xor(x4, x9), 12);
    x0 = i32x4.add(x0, x5);
    x1 = i32x4.add(x1, x6);
    x2 = i32x4.add(x2, x7);
    x3 = i32x4.add(x3, x4);
    x15 = rotateLeft(v128.xor(x15, x0), 8);
    x12 = rotateLeft(v128.xor(x12, x1), 8);
    x13 = rotateLeft(v128.xor(x13, x2), 8);
    x14 = rotateLeft(v128.xor(x14, x3), 8);
    x10 = i32x4.add(x10, x15);
    x11 = i32x4.add(x11, x12);
    x8 = i32x4.add(x8, x13);
    x9 = i32x4.add(x9, x14);
    x5 = rotateLeft(v128.xor(x5, x10), 7);
    x6 = rotateLeft(v128.xor(x6, x11), 7);
    x7 = rotateLeft(v128.xor(x7, x8), 7);
    x4 = rotateLeft(v128.xor(x4, x9), 7);
  }
  storeColumns(out, BLOCK_BYTES, i32x4.add(x0, s0), i32x4.add(x1, s1), i32x4.add(x2, s2), i32x4.add(x3, s3));
  storeColumns(out + 16, BLOCK_BYTES, i32x4.add(x4, s4), i32x4.add(x5, s5), i32x4.add(x6, s6), i32x4.add(x7, s7));
  storeColumns(out + 32, BLOCK_BYTES, i32x4.add(x8, s8), i32x4.add(x9, s9), i32x4.add(x10, s10), i32x4.add(x11, s11));
  const last = out + 48;
  storeColumns(last, BLOCK_BYTES, i32x4.add(x12, s12), i32x4.add(x13, s13), i32x4.add(x14, s14), i32x4.add(x15, s15));
}

function oneBlock(key: usize, purpose: u32, item: u32, counter: u32, out: usize): void {
  store<u32>(STATE, EXPA);
  store<u32>(STATE, ND_3, 4);
  store<u32>(STATE, TWO_BY, 8);
  store<u32>(STATE, TE_K, 12);
  memory.copy(STATE + 16, key, 32);
  store<u32>(STATE, counter, 48);
  store<u32>(STATE, purpose, 52);
  store<u32>(STATE, item, 56);
  store<u32>(STATE, 0, 60);
  memory.copy(WORKING, STATE, BLOCK_BYTES);
  for (let round = 0; round < 20; round += 2) {
    for (let column: usize = 0; column < 4; column++) quarterRound(column, column, column, column);
    for (let column: usize = 0; column < 4; column++) quarterRound(column, column + 1, column + 2, column + 3);
  }
  for (let at: usize = 0; at < BLOCK_BYTES; at += 4)
    store<u32>(out + at, load<u32>(WORKING + at) + load<u32>(STATE + at));
}

// One quarter round on the words of rows 0…3 at the columns a, b, c, d (modulo 4).
function quarterRound(a: usize, b: usize, c: usize, d: usize): void {
  const atA = WORKING + ((a & 3) << 2),
    atB = WORKING + 16 + ((b & 3) << 2);
  const atC = WORKING + 32 + ((c & 3) << 2),
    atD = WORKING + 48 + ((d & 3) << 2);
  mix(atA, atB, atD, 16);
  mix(atC, atD, atB, 12);
  mix(atA, atB, atD, 8);
  mix(atC, atD, atB, 7);
}

function mix(sum: usize, term: usize, turned: usize, bits: u32): void {
  store<u32>(sum, load<u32>(sum) + load<u32>(term));
  store<u32>(turned, rotl<u32>(load<u32>(turned) ^ load<u32>(sum), bits));
}
