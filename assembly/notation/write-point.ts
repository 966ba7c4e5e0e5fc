// Grid points as texts.
import {
  DIGITS_A_LIMB,
  EXPONENT_ALWAYS,
  EXPONENT_OUTSIDE,
  MOST_DIGITS,
  NOTATION_EXPONENT,
  NOTATION_KIND,
  NOTATION_LIMBS,
  NOTATION_MINIMUM,
  NOTATION_PLAIN_BELOW,
  NOTATION_PLAIN_FROM,
  NOTATION_SCALE,
  NOTATION_STEP,
  NOTATION_WIDEST,
  SPELLS_NUMBER,
  VALUE_DIGITS,
} from "../layout";
import { complement, hasDigits, writeDigits, writePadded } from "./digits";
import { add, divide, isAtLeast, isNegative, multiply, negate } from "./limbs";
import { numberAt, powerOfTen, valueOf } from "./scratch";
import { writeMoment } from "./write-moment";
import { writeExponent, writePlain } from "./write-number";

const ZERO: u8 = 0x30;
const BILLION: u32 = 1000000000;
/** The digits below it. */
const BILLION_DIGITS: u32 = 9;

/** The most bytes that `writePoint` writes. */
export function pointBytes(notation: usize): u32 {
  return load<u32>(notation, NOTATION_WIDEST);
}

/** Writes the text of a grid point. Returns its end. */
export function writePoint(notation: usize, point: f64, out: usize): usize {
  const wide = load<u32>(notation, NOTATION_LIMBS) != 0;
  if (load<u32>(notation, NOTATION_KIND) == SPELLS_NUMBER)
    return wide ? writeLimbs(notation, point, out) : writeNumber(notation, unitsAt(notation, point), out);
  if (wide) return writeLongMoment(notation, point, out);
  const power = <i64>powerOfTen(load<u32>(notation, NOTATION_SCALE));
  const units = unitsAt(notation, point);
  const whole = units / power - i64(units % power < 0);
  const fraction = valueOf(notation) + VALUE_DIGITS;
  writePadded(<u64>(units - whole * power), fraction, load<u32>(notation, NOTATION_SCALE));
  return writeMoment(notation, whole, fraction, out);
}

// @ts-ignore: decorator
@inline
function unitsAt(notation: usize, point: f64): i64 {
  return load<i64>(notation, NOTATION_MINIMUM) + <i64>point * load<i64>(notation, NOTATION_STEP);
}

function writeNumber(notation: usize, units: i64, out: usize): usize {
  const size = <u64>abs(units);
  const digits = valueOf(notation) + VALUE_DIGITS;
  const count = writeDigits(size, digits);
  const outside =
    size != 0 && (size < load<u64>(notation, NOTATION_PLAIN_FROM) || size >= load<u64>(notation, NOTATION_PLAIN_BELOW));
  return writeEither(notation, outside, units < 0, digits, count, out);
}

// @ts-ignore: decorator
@inline
function writeEither(notation: usize, outside: bool, negative: bool, digits: usize, count: u32, out: usize): usize {
  const exponent = load<u32>(notation, NOTATION_EXPONENT);
  if (exponent == EXPONENT_ALWAYS || (exponent == EXPONENT_OUTSIDE && outside))
    return writeExponent(notation, negative, digits, count, out);
  return writePlain(notation, negative, digits, count, out);
}

// Where integers of the grid have limbs.
function writeLimbs(notation: usize, point: f64, out: usize): usize {
  const negative = placeSize(notation, point);
  const limbs = load<u32>(notation, NOTATION_LIMBS);
  const size = numberAt(notation, 0);
  const outside =
    !isAtLeast(size, notation + load<u32>(notation, NOTATION_PLAIN_FROM), limbs) ||
    isAtLeast(size, notation + load<u32>(notation, NOTATION_PLAIN_BELOW), limbs);
  const end = digitsEnd(notation);
  const count = writeDown(size, limbs, end, 1);
  const isZero = count == 1 && load<u8>(end - 1) == ZERO;
  return writeEither(notation, outside && !isZero, negative, end - count, count, out);
}

function writeLongMoment(notation: usize, point: f64, out: usize): usize {
  const negative = placeSize(notation, point);
  const scale = load<u32>(notation, NOTATION_SCALE);
  const end = digitsEnd(notation);
  const count = writeDown(numberAt(notation, 0), load<u32>(notation, NOTATION_LIMBS), end, scale + 1);
  const fraction = end - scale;
  let whole: i64 = 0;
  for (let at = end - count; at < fraction; at++) whole = whole * 10 + <i64>(load<u8>(at) - ZERO);
  if (!negative) return writeMoment(notation, whole, fraction, out);
  if (!hasDigits(fraction, scale)) return writeMoment(notation, -whole, fraction, out);
  complement(fraction, scale);
  return writeMoment(notation, -whole - 1, fraction, out);
}

// Leaves the magnitude of a point's value in the first number of the scratch. Returns whether the value is below 0.
function placeSize(notation: usize, point: f64): bool {
  const limbs = load<u32>(notation, NOTATION_LIMBS);
  const step = notation + load<u32>(notation, NOTATION_STEP);
  const size = numberAt(notation, 0);
  multiply(size, step, <u64>point, limbs);
  add(size, notation + load<u32>(notation, NOTATION_MINIMUM), limbs);
  if (!isNegative(size, limbs)) return false;
  negate(size, limbs);
  return true;
}

function digitsEnd(notation: usize): usize {
  return valueOf(notation) + VALUE_DIGITS + MOST_DIGITS + DIGITS_A_LIMB * load<u32>(notation, NOTATION_LIMBS);
}

// Writes the digits of a number, at least `least`, so that they end at `end`. Destroys it. Returns their count.
function writeDown(number: usize, limbs: u32, end: usize, least: u32): u32 {
  let at = end;
  while (limbs) {
    // Limbs that have become 0 stay 0.
    if (load<u32>(number + ((<usize>(limbs - 1)) << 2)) == 0) {
      limbs--;
      continue;
    }
    at -= BILLION_DIGITS;
    writePadded(divide(number, BILLION, limbs), at, BILLION_DIGITS);
  }
  while (at < end && load<u8>(at) == ZERO) at++;
  while (<u32>(end - at) < least) store<u8>(--at, ZERO);
  return <u32>(end - at);
}
