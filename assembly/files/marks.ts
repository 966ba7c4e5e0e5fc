// Where the marks of delimited text are: delimiters, quotes and line ends.

/** The bytes that are marks whatever the delimiter. */
export const LF: u32 = 10;
export const CR: u32 = 13;
export const QUOTE: u32 = 34;

/** Bytes that one step looks at. It reads all of them, including those after the end. */
export const STEP: usize = 64;
/** Marks that are written at a time. The last ones of a step may not be marks; the next step overwrites them. */
const AT_ONCE: usize = 4;

const TOPS: u64 = 0x8080808080808080;
export const ONES: u64 = 0x0101010101010101;

/**
 * Finds the marks among the bytes from `from` up to, but not including, `end`, without a branch for each byte
 * (Langdale and Lemire, "Parsing Gigabytes of JSON per Second", The VLDB Journal 28, 2019).
 * @param from followed by STEP readable bytes after `end`
 * @param delimiter an ASCII character, neither a quote nor a line end
 * @param out usize[end − from + STEP]: receives their addresses
 * @returns how many there are
 */
export function findMarks(from: usize, end: usize, delimiter: u32, out: usize): u32 {
  let next = out;
  for (let at = from; at < end; at += STEP) {
    let bits = marksOf(at, delimiter);
    const left = end - at;
    if (left < STEP) bits &= (<u64>1 << left) - 1;
    next = writeMarks(bits, at, next);
  }
  return <u32>((next - out) >> 2);
}

/** Writes the addresses of the bytes whose bits are set, and returns the end of the last one. */
// @ts-ignore: decorator
@inline
export function writeMarks(bits: u64, at: usize, out: usize): usize {
  const end = out + (<usize>popcnt(bits) << 2);
  for (; out < end; out += AT_ONCE << 2) {
    store<u32>(out, <u32>at + <u32>ctz(bits));
    bits &= bits - 1;
    store<u32>(out, <u32>at + <u32>ctz(bits), 4);
    bits &= bits - 1;
    store<u32>(out, <u32>at + <u32>ctz(bits), 8);
    bits &= bits - 1;
    store<u32>(out, <u32>at + <u32>ctz(bits), 12);
    bits &= bits - 1;
  }
  return end;
}

/** A bit for each of STEP bytes: whether it is a mark. */
@inline
function marksOf(at: usize, delimiter: u32): u64 {
  if (ASC_FEATURE_SIMD) {
    const delimiters = i8x16.splat(<i8>delimiter);
    return (
      marksOfLanes(at, 0, delimiters) |
      marksOfLanes(at, 16, delimiters) |
      marksOfLanes(at, 32, delimiters) |
      marksOfLanes(at, 48, delimiters)
    );
  }
  const delimiters = ONES * delimiter;
  let bits: u64 = 0;
  for (let word: usize = 0; word < STEP; word += 8) bits |= marksOfWord(load<u64>(at + word), delimiters) << word;
  return bits;
}

/** The same of 16 bytes, in their place among the others. */
// @ts-ignore: decorator
@inline
function marksOfLanes(at: usize, offset: u64, delimiters: v128): u64 {
  const bytes = v128.load(at + <usize>offset);
  const ends = v128.or(i8x16.eq(bytes, i8x16.splat(<i8>LF)), i8x16.eq(bytes, i8x16.splat(<i8>CR)));
  const others = v128.or(i8x16.eq(bytes, i8x16.splat(<i8>QUOTE)), i8x16.eq(bytes, delimiters));
  return (<u64>(<u32>i8x16.bitmask(v128.or(ends, others)))) << offset;
}

/** The same of eight bytes. */
@inline
function marksOfWord(bytes: u64, delimiters: u64): u64 {
  const tops =
    zeros(bytes ^ (ONES * LF)) | zeros(bytes ^ (ONES * CR)) | zeros(bytes ^ (ONES * QUOTE)) | zeros(bytes ^ delimiters);
  return gathered(tops);
}

/** Brings the top bits of eight bytes together: the products of the bits that are wanted do not overlap. */
@inline
export function gathered(tops: u64): u64 {
  return ((tops >>> 7) * 0x0102040810204080) >>> 56;
}

/** The top bit of each byte that is zero (Warren, Hacker's Delight, 6-1). */
@inline
export function zeros(bytes: u64): u64 {
  return ~(((bytes & ~TOPS) + ~TOPS) | bytes) & TOPS;
}
