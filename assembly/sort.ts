// Radix sort of u64 records, least significant digit first.

const DIGIT_BITS: u32 = 11;
const STARTS_BYTES: usize = 8192; // a u32 for each value of a digit
const STARTS = memory.data(8192, 16); // zero between calls: scores that they count are private

/**
 * Sorts the `count` u64 at `first` by their bits from `lowBit` up to the highest one set in `occupied` (the bitwise or
 * of the records). The sort is stable. `second` is a buffer of the same size. Returns the address of the sorted
 * records: `first` or `second`.
 */
export function sortRecords(first: usize, second: usize, count: u32, lowBit: u32, occupied: u64): usize {
  const bytes = <usize>count << 3;
  let from = first;
  let to = second;
  for (let bit = lowBit; bit < 64 && occupied >> bit != 0; bit += DIGIT_BITS) {
    countDigits(from, bytes, bit);
    for (let at = from; at < from + bytes; at += 8) {
      const record = load<u64>(at);
      const bucket = bucketOf(record, bit);
      const start = load<u32>(bucket);
      store<u32>(bucket, start + 8);
      store<u64>(to + start, record);
    }
    memory.fill(STARTS, 0, STARTS_BYTES);
    const sorted = to;
    to = from;
    from = sorted;
  }
  return from;
}

// Leaves in STARTS the byte at which the records of each digit begin in sorted order.
function countDigits(records: usize, bytes: usize, bit: u32): void {
  for (let at = records; at < records + bytes; at += 8) {
    const bucket = bucketOf(load<u64>(at), bit);
    store<u32>(bucket, load<u32>(bucket) + 8);
  }
  let start: u32 = 0;
  for (let bucket = STARTS; bucket < STARTS + STARTS_BYTES; bucket += 4) {
    const size = load<u32>(bucket);
    store<u32>(bucket, start);
    start += size;
  }
}

// @ts-ignore: decorator
@inline
function bucketOf(record: u64, bit: u32): usize {
  return STARTS + (((<usize>(record >> bit)) << 2) & (STARTS_BYTES - 4));
}
