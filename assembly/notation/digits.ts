// Integers as ASCII digits.

const ZERO: u32 = 0x30;
const NINE: u32 = 0x39;
// @ts-ignore: decorator
@inline
const HUNDRED_MILLIONS: u64 = 100000000;
const GROUP: u32 = 8;

/** How many digits a number has; 1 for 0. */
export function digitCount(number: u64): u32 {
  let count: u32 = 1;
  for (; number >= HUNDRED_MILLIONS; count += GROUP) number /= HUNDRED_MILLIONS;
  for (let rest = <u32>number; rest >= 10; count++) rest /= 10;
  return count;
}

/** Writes a number, and returns how many digits it has. */
export function writeDigits(number: u64, out: usize): u32 {
  const count = digitCount(number);
  writePadded(number, out, count);
  return count;
}

/** Writes the last `count` digits of a number. */
export function writePadded(number: u64, out: usize, count: u32): void {
  // Divisions of 32 bits cost less.
  for (; count > GROUP; count -= GROUP) {
    writeGroup(<u32>(number % HUNDRED_MILLIONS), out + count - GROUP, GROUP);
    number /= HUNDRED_MILLIONS;
  }
  writeGroup(<u32>(number % HUNDRED_MILLIONS), out, count);
}

// @ts-ignore: decorator
@inline
function writeGroup(number: u32, out: usize, count: u32): void {
  for (let at = out + count; at > out; number /= 10) store<u8>(--at, <u8>(ZERO + (number % 10)));
}

/** Writes zeros, none if `count` is below 1. Returns their end. */
export function writeZeros(out: usize, count: i32): usize {
  for (; count > 0; count--) store<u8>(out++, ZERO);
  return out;
}

/** Whether any of `count` digits is not 0. */
export function hasDigits(digits: usize, count: u32): bool {
  for (const end = digits + count; digits < end; digits++) if (load<u8>(digits) != ZERO) return true;
  return false;
}

/** Replaces the digits of a fraction, which is not 0, with what is missing from it to 1. */
export function complement(digits: usize, count: u32): void {
  let last = digits + count - 1;
  while (load<u8>(last) == ZERO) last--;
  for (let at = digits; at < last; at++) store<u8>(at, <u8>(ZERO + NINE - load<u8>(at)));
  store<u8>(last, <u8>(ZERO + NINE + 1 - load<u8>(last)));
}
