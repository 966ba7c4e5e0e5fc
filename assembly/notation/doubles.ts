// Doubles as the shortest decimal texts that read back as them: of several the closest, of two such the even one. The
// method is Raffaello Giulietti's (The Schubfach way to render doubles, 2021): among the multiples of the largest power
// of ten below the gap to the next double, only the two next to the number, or a multiple of ten times that power, can
// be its text. Powers of ten come with 126 bits. The paper proves that these are enough.
import { NOTATION_DECIMAL_TEXT, NOTATION_KIND, POWERS_BYTES, SPELLS_NUMBER } from "../layout";
import { digitCount, writeDigits, writePadded, writeZeros } from "./digits";
import { divide, multiplyAdd } from "./limbs";
import { powerOfTen } from "./scratch";
import { writeText } from "./write-number";

const MINUS: u8 = 0x2d;
const POINT: u8 = 0x2e;
const ZERO: u8 = 0x30;
const INF: u32 = 0x666e69;

const FRACTION_BITS: u64 = 52;
const HIDDEN: u64 = 1 << 52;
/** Whole numbers below this have no shorter text than their digits. */
const MOST_WHOLE: f64 = 9007199254740992;
/** What the last bit of the smallest doubles is worth, as a power of two. */
const LEAST_EXPONENT: i32 = -1074;

// The powers of ten that doubles need.
const LEAST_POWER: i32 = -292;
const MOST_POWER: i32 = 324;
/** A power's upper and lower bits, as u64 each. */
const POWER_BYTES: usize = 16;
const HALF_BITS: i32 = 63;
const LOWER: u64 = 0x7fffffffffffffff;

/** Limbs for 5^324, and for 2^896, which leaves more than 126 bits when it is divided by 5^292. */
const LIMBS: u32 = 29;
const HIGHEST: usize = 28 << 2;

/** Places the powers of ten for `writeDouble`. @param powers u8[POWERS_BYTES], zeroed */
export function placePowers(powers: usize): void {
  const number = powers + POWERS_BYTES - (<usize>LIMBS << 2);
  store<u32>(number, 1);
  for (let power = 0; power <= MOST_POWER; power++) {
    placePower(powerAt(powers, power), number);
    multiplyAdd(number, 5, 0, LIMBS);
  }
  memory.fill(number, 0, HIGHEST);
  store<u32>(number, 1, HIGHEST);
  for (let power = -1; power >= LEAST_POWER; power--) {
    divide(number, 5, LIMBS);
    placePower(powerAt(powers, power), number);
  }
}

// @ts-ignore: decorator
@inline
function powerAt(powers: usize, power: i32): usize {
  return powers + <usize>(power - LEAST_POWER) * POWER_BYTES;
}

// The highest 126 bits of a number, plus 1.
function placePower(out: usize, number: usize): void {
  let top: i32 = (HIGHEST << 3) + 31;
  while (!bitAt(number, top)) top--;
  const lower = bitsFrom(number, top - HALF_BITS) + 1;
  store<u64>(out, bitsFrom(number, top) + (lower >> HALF_BITS));
  store<u64>(out, lower & LOWER, 8);
}

// A bit of a number and those below it, HALF_BITS in all.
function bitsFrom(number: usize, top: i32): u64 {
  let bits: u64 = 0;
  for (let at = top; at > top - HALF_BITS; at--) bits = (bits << 1) | (at < 0 ? 0 : bitAt(number, at));
  return bits;
}

function bitAt(number: usize, at: i32): u64 {
  return (load<u32>(number + ((at >> 5) << 2)) >> (at & 31)) & 1;
}

/**
 * Writes a double that is not NaN, without an exponent, in at most DOUBLE_BYTES. An infinite one is `inf` or `-inf`.
 * @param powers what `placePowers` has placed
 * @param notation the NOTATION with the decimal mark, if it is one of numbers; otherwise, or if it is 0, it is a point
 * @returns the end of the text
 */
export function writeDouble(powers: usize, number: f64, notation: usize, out: usize): usize {
  if (number < 0) store<u8>(out++, MINUS);
  const size = abs(number);
  if (size < MOST_WHOLE && floor(size) == size) return out + writeDigits(<u64>size, out);
  if (size == Infinity) {
    store<u32>(out, INF);
    return out + 3;
  }
  const bits = reinterpret<u64>(size);
  const fraction = bits & (HIDDEN - 1);
  const above = <i32>(bits >> FRACTION_BITS);
  const exponent = max(above, 1) - 1 + LEAST_EXPONENT;
  // The gap below a power of two is half as wide as the one above it.
  const isPower = fraction == 0 && above > 1;
  // ⌊log₁₀ 2^exponent⌋, or of ¾ of it.
  let order = (exponent * 1262611 - (isPower ? 524031 : 0)) >> 22;
  // ⌊log₂ 10^−order⌋ and 2 more.
  const shift = exponent + ((-order * 1741647) >> 19) + 2;
  let digits = shortest(powerAt(powers, -order), above ? fraction | HIDDEN : fraction, shift, isPower);
  for (; order < 0 && digits % 10 == 0; order++) digits /= 10;
  const count = digitCount(digits);
  if (order >= 0) {
    writePadded(digits, out, count);
    return writeZeros(out + count, order);
  }
  const whole = <i32>count + order;
  if (whole <= 0) {
    store<u8>(out++, ZERO);
    out = writeZeros(writeMark(notation, out), -whole);
    writePadded(digits, out, count);
    return out + count;
  }
  const one = powerOfTen(-order);
  writePadded(digits / one, out, whole);
  out = writeMark(notation, out + whole);
  writePadded(digits % one, out, -order);
  return out - order;
}

function writeMark(notation: usize, out: usize): usize {
  if (notation && load<u32>(notation, NOTATION_KIND) == SPELLS_NUMBER)
    return writeText(notation, NOTATION_DECIMAL_TEXT, out);
  store<u8>(out, POINT);
  return out + 1;
}

// The multiple of the power of ten that stands for a number. All that is compared is taken four times, in units of the
// power.
function shortest(power: usize, mantissa: u64, shift: i32, isPower: bool): u64 {
  // Of the ends, those of even numbers read back as them.
  const odd = mantissa & 1;
  const value = scaled(power, mantissa << 2, shift);
  const least = scaled(power, (mantissa << 2) - 2 + u64(isPower), shift) + odd;
  const most = scaled(power, (mantissa << 2) + 2, shift) - odd;
  const below = value >> 2;
  if (below >= 10) {
    const tens = (below / 10) * 10;
    const down = least <= tens << 2;
    const up = (tens + 10) << 2 <= most;
    if (down != up) return up ? tens + 10 : tens;
  }
  const down = least <= below << 2;
  const up = (below + 1) << 2 <= most;
  if (down != up) return below + u64(up);
  const rest = value & 3;
  return below + u64(rest + (below & 1) > 2);
}

// size·2^shift times a power of ten. The lowest bit is set if the product has more bits than that.
function scaled(power: usize, size: u64, shift: i32): u64 {
  const factor = size << shift;
  const upper = load<u64>(power);
  const middle = ((upper * factor) >> 1) + upperBits(load<u64>(power, 8), factor);
  return (upperBits(upper, factor) + (middle >> 63)) | (((middle & LOWER) + LOWER) >> 63);
}

// The upper 64 bits of a product.
function upperBits(a: u64, b: u64): u64 {
  const aLow = a & u32.MAX_VALUE;
  const bLow = b & u32.MAX_VALUE;
  const aHigh = a >> 32;
  const bHigh = b >> 32;
  const one = aHigh * bLow + ((aLow * bLow) >> 32);
  const other = aLow * bHigh + (one & u32.MAX_VALUE);
  return aHigh * bHigh + (one >> 32) + (other >> 32);
}
