// The grid point nearest to a value: ⌊(2(value − minimum) + step)/(2·step)⌋, clipped. In units of the grid's scale,
// minimum and step are integers, so of the value only ⌊2·value⌋ matters: digits beyond the scale are read for the half
// that they may add, and for values below 0 for whether there is more than that.
import {
  NO_UNIT,
  NOTATION_DECIMAL,
  NOTATION_GROUP,
  NOTATION_KIND,
  NOTATION_LIMBS,
  NOTATION_MINIMUM,
  NOTATION_POINTS,
  NOTATION_SCALE,
  NOTATION_STEP,
  PIECE_FRACTION,
  SPELLS_NUMBER,
  VALUE_COUNT,
  VALUE_NEGATIVE,
  VALUE_SCALE,
} from "../layout";
import { add, isAtLeast, isNegative, multiply, multiplyAdd, negate, subtract } from "./limbs";
import { readNumber } from "./number";
import { NO_MOMENT, readMoment } from "./pattern";
import { momentValue } from "./read-value";
import { digitAt, FRACTION_COUNT, field, fieldsOf, numberAt, powerOfTen, valueOf } from "./scratch";

const PLUS: u32 = 0x2b;
const MINUS: u32 = 0x2d;
const ZERO: u32 = 0x30;
const BLANK: u8 = 0x20;

/** In a grid of i64, no bound lies beyond ±2^62 when doubled. */
const MOST_TWICE: i64 = 1 << 62;
const MOST: u64 = 1 << 61;
const SAFE_SCALE: u32 = 5;

/** What `plainTwice` returns for texts that are longer, or written in another way. */
const NOT_PLAIN: i64 = i64.MIN_VALUE;
const PLAIN_BYTES: usize = 64;
/** Integers below 10^19 fit in 64 bits. */
const PLAIN_DIGITS: u32 = 19;
const BILLION: u32 = 1000000000;

/** The most decimals of integers whose powers of ten fit in 63 bits when doubled. */
const MOST_PLACES: u32 = 18;
/** Half of a whole number below this has at most 15 digits. No two such decimals read back as the same double. */
const MOST_BRIEF: f64 = 1e14;
const UNSURE: f64 = 1e-15;

/** The limbs below the highest one that an estimate takes: a stride may be 54 bits less than a distance. */
const ESTIMATED_LIMBS: u32 = 5;
/** Twice the most points. */
const BEYOND: u64 = 1 << 54;

/**
 * The grid point nearest to the value of the text [from, to), ties up, clipped; −1 if the text states no value.
 * @param to followed by 4 readable bytes
 */
export function readPoint(notation: usize, from: usize, to: usize): f64 {
  if (load<u32>(notation, NOTATION_KIND) == SPELLS_NUMBER) {
    const plain = readPlainPoint(notation, from, to);
    if (plain >= 0) return plain;
    if (!readNumber(notation, from, to)) return -1;
    return load<u32>(notation, NOTATION_LIMBS) ? nearestOfLimbs(notation) : nearest(notation, valueTwice(notation));
  }
  const moment = readMoment(notation, from, to);
  return moment == NO_MOMENT ? -1 : momentPoint(notation, moment);
}

/**
 * The same in a notation of numbers, for texts as most are written, all in ASCII; −1 for any other text, which may
 * state a number too.
 */
export function readPlainPoint(notation: usize, from: usize, to: usize): f64 {
  if (load<u32>(notation, NOTATION_LIMBS)) return -1;
  const twice = plainTwice(notation, from, to);
  return twice == NOT_PLAIN ? -1 : nearest(notation, twice);
}

/** The point nearest to the moment of a day or second, with the fraction that the fields have. */
export function momentPoint(notation: usize, moment: i64): f64 {
  if (!load<u32>(notation, NOTATION_LIMBS)) return nearest(notation, momentTwice(notation, moment));
  momentValue(notation, moment);
  return nearestOfLimbs(notation);
}

/** Whether numbers themselves lead to the points of a grid, as the two functions below find them. */
export function hasPlainPoints(notation: usize): bool {
  const isPlain = load<u32>(notation, NOTATION_KIND) == SPELLS_NUMBER && !load<u32>(notation, NOTATION_LIMBS);
  return isPlain && load<u32>(notation, NOTATION_SCALE) <= MOST_PLACES;
}

/** The grid point nearest to an integer, ties up, clipped. */
export function integerPoint(notation: usize, number: i64): f64 {
  const power = powerOfTen(load<u32>(notation, NOTATION_SCALE));
  return nearest(notation, twiceAt(number, power));
}

/**
 * The grid point nearest to the shortest decimal that reads back as a double; NaN where only that decimal says which.
 */
export function doublePoint(notation: usize, number: f64): f64 {
  // Exact. The product is less than 2^−53 of itself off, and the decimal no more than that.
  const stretch = <f64>(powerOfTen(load<u32>(notation, NOTATION_SCALE)) << 1);
  const twice = number * stretch;
  const whole = f64.nearest(twice);
  if (!(abs(whole) < MOST_BRIEF)) return NaN;
  if (whole / stretch != number && abs(twice - whole) <= abs(twice) * UNSURE) return NaN;
  return nearest(notation, <i64>(whole / stretch == number ? whole : floor(twice)));
}

// ⌊2·value⌋ → the point. Values beyond ±2^62 are clipped like those.
function nearest(notation: usize, twice: i64): f64 {
  const stride = load<i64>(notation, NOTATION_STEP) << 1;
  const base = (load<i64>(notation, NOTATION_MINIMUM) << 1) - (stride >> 1);
  const clipped = min<i64>(twice, MOST_TWICE);
  if (clipped <= base) return 0;
  const distance = <u64>clipped - <u64>base;
  const steps = stride == 2 ? distance >> 1 : distance / <u64>stride;
  return min<f64>(<f64>steps, load<f64>(notation, NOTATION_POINTS) - 1);
}

// ⌊2·value⌋ of magnitude `units`, the digit after it, and whether there are more digits that are not 0.
// @ts-ignore: decorator
@inline
function twiceOf(negative: bool, units: u64, next: u32, more: bool): i64 {
  const whole = (<i64>min<u64>(units, MOST)) << 1;
  if (!negative) return whole + i64(next >= 5);
  return -whole - (next > 5 || (next == 5 && more) ? 2 : i64(next != 0 || more));
}

// ⌊2·value⌋ of a text that is only a sign, digits, group marks of one byte and a decimal mark of one byte, as most are.
function plainTwice(notation: usize, from: usize, to: usize): i64 {
  if (to - from > PLAIN_BYTES || from == to) return NOT_PLAIN;
  // The decimal mark may be a blank, but a blank before a number is not a mark.
  if (load<u8>(from) <= BLANK) return NOT_PLAIN;
  const scale = load<u32>(notation, NOTATION_SCALE);
  const decimal = byteOf(load<u32>(notation, NOTATION_DECIMAL));
  const group = byteOf(load<u32>(notation, NOTATION_GROUP));
  let at = from;
  let byte: u32 = load<u8>(at);
  const negative = byte == MINUS;
  if (negative || byte == PLUS) at++;
  let units: u64 = 0;
  let whole: u32 = 0;
  for (; at < to; at++) {
    byte = load<u8>(at);
    const digit = byte - ZERO;
    if (digit < 10) {
      units = units * 10 + <u64>digit;
      whole++;
    } else if (byte != group) break;
  }
  let places: u32 = 0;
  let next: u32 = 0;
  let rest: u32 = 0;
  if (at < to) {
    if (byte != decimal) return NOT_PLAIN;
    for (at++; at < to; at++) {
      byte = load<u8>(at);
      const digit = byte - ZERO;
      if (digit < 10) {
        if (places < scale) units = units * 10 + <u64>digit;
        else if (places == scale) next = digit;
        else rest |= digit;
        places++;
      } else if (byte != group) return NOT_PLAIN;
    }
  }
  if (whole + places == 0 || whole + scale > PLAIN_DIGITS) return NOT_PLAIN;
  if (places < scale) units *= powerOfTen(scale - places);
  return twiceOf(negative, units, next, rest != 0);
}

// The byte of a mark; for marks of several bytes NO_UNIT, which equals no byte.
// @ts-ignore: decorator
@inline
function byteOf(unit: u32): u32 {
  return unit < 0x80 ? unit : NO_UNIT;
}

// ⌊2·value⌋ of the notation's VALUE.
function valueTwice(notation: usize): i64 {
  const value = valueOf(notation);
  const count = <i32>load<u32>(value, VALUE_COUNT);
  const whole = count - load<i32>(value, VALUE_SCALE) + <i32>load<u32>(notation, NOTATION_SCALE);
  let units: u64 = 0;
  for (let index = 0; index < whole; index++) {
    // One more digit might exceed MOST; such values are clipped anyway.
    if (units >= MOST >> 3) {
      units = MOST;
      break;
    }
    units = units * 10 + digitOrZero(value, index, count);
  }
  const next = whole < 0 ? 0 : <u32>digitOrZero(value, whole, count);
  return twiceOf(load<u32>(value, VALUE_NEGATIVE) != 0, units, next, hasDigitsFrom(value, max(whole + 1, 0), count));
}

// @ts-ignore: decorator
@inline
function digitOrZero(value: usize, index: i32, count: i32): u64 {
  return index < count ? <u64>digitAt(value, index) : 0;
}

function hasDigitsFrom(value: usize, index: i32, count: i32): bool {
  for (; index < count; index++) if (digitAt(value, index)) return true;
  return false;
}

// ⌊2·value⌋ of a moment in whole days or seconds, and its fraction's digits. Grids of i64 have at most 18 decimals.
function momentTwice(notation: usize, moment: i64): i64 {
  const scale = load<u32>(notation, NOTATION_SCALE);
  const power = powerOfTen(scale);
  // Moments are below 10^13, so with few decimals they are within what no bound reaches.
  const whole = scale > SAFE_SCALE ? twiceAt(moment, power) : (moment * <i64>power) << 1;
  if (abs(whole) == MOST_TWICE) return whole;
  const fields = fieldsOf(notation);
  const digits = <usize>field(fields, PIECE_FRACTION);
  const places = <u32>field(fields, FRACTION_COUNT);
  let fraction: u64 = 0;
  for (let place: u32 = 0; place < min<u32>(scale, places); place++)
    fraction = fraction * 10 + <u64>load<u8>(digits + place) - ZERO;
  if (places < scale) fraction *= powerOfTen(scale - places);
  const half = places > scale && load<u8>(digits + scale) >= ZERO + 5;
  return whole + (<i64>fraction << 1) + i64(half);
}

// Twice a whole number in units of the scale, clipped at what no bound reaches.
function twiceAt(number: i64, power: u64): i64 {
  const limit = <i64>(MOST / power);
  if (number > limit) return MOST_TWICE;
  return number < -limit - 1 ? -MOST_TWICE : (number * <i64>power) << 1;
}

// The point nearest to the notation's VALUE where integers of the grid have limbs.
function nearestOfLimbs(notation: usize): f64 {
  const limbs = load<u32>(notation, NOTATION_LIMBS);
  const last = load<f64>(notation, NOTATION_POINTS) - 1;
  const minimum = notation + load<u32>(notation, NOTATION_MINIMUM);
  const step = notation + load<u32>(notation, NOTATION_STEP);
  const value = valueOf(notation);
  const negative = load<u32>(value, VALUE_NEGATIVE) != 0;
  const count = <i32>load<u32>(value, VALUE_COUNT);
  const whole = count - load<i32>(value, VALUE_SCALE) + <i32>load<u32>(notation, NOTATION_SCALE);
  const distance = numberAt(notation, 0);
  memory.fill(distance, 0, <usize>limbs << 2);
  for (let index = 0; index < whole; ) {
    // The two highest limbs are beyond everything that the grid has.
    if (load<u64>(distance + ((<usize>(limbs - 2)) << 2))) return negative ? 0 : last;
    let factor: u32 = 1;
    let addend: u32 = 0;
    for (; factor < BILLION && index < whole; index++, factor *= 10)
      addend = addend * 10 + <u32>digitOrZero(value, index, count);
    multiplyAdd(distance, factor, addend, limbs);
  }
  const next = whole < 0 ? 0 : <u32>digitOrZero(value, whole, count);
  const more = hasDigitsFrom(value, max(whole + 1, 0), count);
  multiplyAdd(distance, 2, <u32>abs(twiceOf(negative, 0, next, more)), limbs);
  if (negative) negate(distance, limbs);
  subtract(distance, minimum, limbs);
  subtract(distance, minimum, limbs);
  add(distance, step, limbs);
  return isNegative(distance, limbs) ? 0 : min<f64>(<f64>quotient(notation, distance, step, limbs), last);
}

// ⌊distance/(2·step)⌋, or more than 2^53, the most points of a grid, if it is more. An estimate from the highest limbs
// is a few steps off at most.
function quotient(notation: usize, distance: usize, step: usize, limbs: u32): u64 {
  const stride = numberAt(notation, 1);
  memory.copy(stride, step, <usize>limbs << 2);
  add(stride, step, limbs);
  let top = limbs - 1;
  while (top && !load<u32>(distance + (<usize>top << 2))) top--;
  const from = max(top, ESTIMATED_LIMBS) - ESTIMATED_LIMBS;
  const estimate = doubleOf(distance, from, top + 1) / doubleOf(stride, from, limbs);
  if (!(estimate < <f64>BEYOND)) return BEYOND;
  let steps = <u64>estimate;
  const product = numberAt(notation, 2);
  multiply(product, stride, steps, limbs);
  subtract(distance, product, limbs);
  for (; isNegative(distance, limbs); steps--) add(distance, stride, limbs);
  for (; isAtLeast(distance, stride, limbs); steps++) subtract(distance, stride, limbs);
  return steps;
}

// The limbs of a number, the one at `from` in units of 1.
function doubleOf(number: usize, from: u32, end: u32): f64 {
  let double: f64 = 0;
  while (end > from) double = double * 4294967296 + <f64>load<u32>(number + ((<usize>--end) << 2));
  return double;
}
