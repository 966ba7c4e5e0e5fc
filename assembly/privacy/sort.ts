// Sorting candidates by score: radix sort, least digit first, over as many digits as the scores' range has.

const DIGIT_BITS: u32 = 11;
const BUCKETS: u32 = 2048;
const STARTS = memory.data(8192, 16);

/** Bytes of one of the two areas that `sortByGap` works in: a key (u64) and an index (u32) for each candidate. */
export function sortBytes(m: u32): usize {
  return ((<usize>m * 12) + 15) & ~15;
}

/** The sorted keys of an area. */
export function keysOf(area: usize): usize {
  return area;
}

/** The candidates' indices of an area, in the order of its keys. */
export function indicesOf(area: usize, m: u32): usize {
  return area + (<usize>m << 3);
}

/**
 * Sorts the m candidates by max(scores) − score (u64), ties by index, in the two areas at `first` and `second`. Returns the area that
 * the result lies in.
 */
export function sortByGap(scores: usize, m: u32, first: usize, second: usize): usize {
  const largestGap = writeGaps(scores, m, first);
  let from = first;
  let to = second;
  for (let bit: u32 = 0; bit < 64 && largestGap >> bit != 0; bit += DIGIT_BITS) {
    distribute(from, to, m, bit);
    const sorted = to;
    to = from;
    from = sorted;
  }
  return from;
}

function writeGaps(scores: usize, m: u32, area: usize): u64 {
  let high = i64.MIN_VALUE;
  let low = i64.MAX_VALUE;
  for (let i: u32 = 0; i < m; i++) {
    const score = load<i64>(scores + (<usize>i << 3));
    high = max(high, score);
    low = min(low, score);
  }
  const indices = indicesOf(area, m);
  for (let i: u32 = 0; i < m; i++) {
    store<u64>(area + (<usize>i << 3), <u64>high - load<u64>(scores + (<usize>i << 3)));
    store<u32>(indices + (<usize>i << 2), i);
  }
  return <u64>high - <u64>low;
}

function distribute(from: usize, to: usize, m: u32, bit: u32): void {
  countDigits(from, m, bit);
  const indicesFrom = indicesOf(from, m);
  const indicesTo = indicesOf(to, m);
  for (let i: u32 = 0; i < m; i++) {
    const key = load<u64>(from + (<usize>i << 3));
    const bucket = bucketOf(key, bit);
    const at = load<u32>(bucket);
    store<u32>(bucket, at + 1);
    store<u64>(to + (<usize>at << 3), key);
    store<u32>(indicesTo + (<usize>at << 2), load<u32>(indicesFrom + (<usize>i << 2)));
  }
}

// Leaves in STARTS where each digit's candidates begin.
function countDigits(area: usize, m: u32, bit: u32): void {
  memory.fill(STARTS, 0, <usize>BUCKETS << 2);
  for (let i: u32 = 0; i < m; i++) {
    const bucket = bucketOf(load<u64>(area + (<usize>i << 3)), bit);
    store<u32>(bucket, load<u32>(bucket) + 1);
  }
  let start: u32 = 0;
  for (let bucket = STARTS, end = STARTS + (<usize>BUCKETS << 2); bucket < end; bucket += 4) {
    const count = load<u32>(bucket);
    store<u32>(bucket, start);
    start += count;
  }
}

// @ts-ignore: decorator
@inline
function bucketOf(key: u64, bit: u32): usize {
  return STARTS + ((<usize>(key >> bit) & (BUCKETS - 1)) << 2);
}
