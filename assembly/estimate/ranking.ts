// The order of doubles, by a stable radix sort: first by the lower half of their bits, then by the upper half.
import { sortRecords } from "../sort";

/**
 * Ranks values from the largest down; equal values keep their order.
 * @param values f64[count], none of them NaN
 * @param order u32[count], replaced: the index of the largest value first
 * @param scratch u64[2·count]
 */
export function rankValues(values: usize, count: u32, order: usize, scratch: usize): void {
  const bytes = <usize>count << 3;
  let occupied: u64 = 0;
  for (let at: usize = 0; at < bytes; at += 8) {
    const record = (descendingKey(load<f64>(values + at)) << 32) | <u64>(at >> 3);
    store<u64>(scratch + at, record);
    occupied |= record;
  }
  const half = sortRecords(scratch, scratch + bytes, count, 32, occupied);
  occupied = 0;
  for (let at: usize = 0; at < bytes; at += 8) {
    const index = load<u32>(half + at);
    const record = (descendingKey(load<f64>(values + (<usize>index << 3))) & 0xffffffff00000000) | <u64>index;
    store<u64>(half + at, record);
    occupied |= record;
  }
  const sorted = sortRecords(half, half == scratch ? scratch + bytes : scratch, count, 32, occupied);
  for (let at: usize = 0; at < bytes; at += 8) store<u32>(order + (at >> 1), load<u32>(sorted + at));
}

/**
 * Writes values from the smallest up, then the sums of the first 0, 1, …, `count` of them.
 * @param values f64[count], none of them NaN
 * @param out f64[2·count + 1]
 * @param order u32[count], scratch
 * @param scratch u64[2·count]
 */
export function sumAscending(values: usize, count: u32, out: usize, order: usize, scratch: usize): void {
  rankValues(values, count, order, scratch);
  const sums = out + (<usize>count << 3);
  let sum: f64 = 0;
  store<f64>(sums, sum);
  for (let place: u32 = 0; place < count; place++) {
    const index = load<u32>(order + ((<usize>(count - 1 - place)) << 2));
    const value = load<f64>(values + (<usize>index << 3));
    store<f64>(out + (<usize>place << 3), value);
    sum += value;
    store<f64>(sums + ((<usize>(place + 1)) << 3), sum);
  }
}

/** A double's bits, changed so that larger values have smaller keys, and both zeros the same. */
// @ts-ignore: decorator
@inline
function descendingKey(value: f64): u64 {
  const bits = reinterpret<i64>(value == 0 ? 0 : value);
  return ~(<u64>bits ^ (<u64>(bits >> 63) | 0x8000000000000000));
}
