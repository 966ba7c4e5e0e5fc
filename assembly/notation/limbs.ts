// Integers of many bits: u32[count] in two's complement, least significant first.

export function isNegative(number: usize, count: u32): bool {
  return load<i32>(number + ((<usize>(count - 1)) << 2)) < 0;
}

/** number = −number. */
export function negate(number: usize, count: u32): void {
  let carry: u64 = 1;
  for (const end = number + (<usize>count << 2); number < end; number += 4) {
    carry += <u64>u32.MAX_VALUE - <u64>load<u32>(number);
    store<u32>(number, <u32>carry);
    carry >>= 32;
  }
}

/** number += other. */
export function add(number: usize, other: usize, count: u32): void {
  let carry: u64 = 0;
  for (const end = number + (<usize>count << 2); number < end; number += 4, other += 4) {
    carry += <u64>load<u32>(number) + <u64>load<u32>(other);
    store<u32>(number, <u32>carry);
    carry >>= 32;
  }
}

/** number −= other. */
export function subtract(number: usize, other: usize, count: u32): void {
  let borrow: i64 = 0;
  for (const end = number + (<usize>count << 2); number < end; number += 4, other += 4) {
    borrow += <i64>load<u32>(number) - <i64>load<u32>(other);
    store<u32>(number, <u32>borrow);
    borrow >>= 32;
  }
}

/** number = number·factor + addend. The product may be of either sign if it fits. */
export function multiplyAdd(number: usize, factor: u32, addend: u32, count: u32): void {
  let carry: u64 = addend;
  for (const end = number + (<usize>count << 2); number < end; number += 4) {
    carry += <u64>load<u32>(number) * <u64>factor;
    store<u32>(number, <u32>carry);
    carry >>= 32;
  }
}

/** product = number·factor, which has to fit. */
export function multiply(product: usize, number: usize, factor: u64, count: u32): void {
  memory.copy(product, number, <usize>count << 2);
  multiplyAdd(product, <u32>factor, 0, count);
  let carry: u64 = 0;
  for (let at: usize = 4, end = <usize>count << 2; at < end; at += 4) {
    carry += <u64>load<u32>(product + at) + <u64>load<u32>(number + at - 4) * (factor >> 32);
    store<u32>(product + at, <u32>carry);
    carry >>= 32;
  }
}

/** number ≥ other, for numbers from 0 up. */
export function isAtLeast(number: usize, other: usize, count: u32): bool {
  for (let at = <usize>count << 2; at; ) {
    at -= 4;
    const one = load<u32>(number + at);
    const two = load<u32>(other + at);
    if (one != two) return one > two;
  }
  return true;
}

/** Divides a number from 0 up, rounding down, and returns the rest. */
export function divide(number: usize, divisor: u32, count: u32): u32 {
  let rest: u64 = 0;
  for (let at = number + (<usize>count << 2); at > number; ) {
    at -= 4;
    rest = (rest << 32) | <u64>load<u32>(at);
    store<u32>(at, <u32>(rest / divisor));
    rest %= divisor;
  }
  return <u32>rest;
}
