// What a cell's text states, exactly.
import {
  NOTATION_KIND,
  PIECE_FRACTION,
  SPELLS_NUMBER,
  VALUE_COUNT,
  VALUE_DIGITS,
  VALUE_NEGATIVE,
  VALUE_SCALE,
} from "../layout";
import { complement, hasDigits, writeDigits, writeZeros } from "./digits";
import { readNumber } from "./number";
import { NO_MOMENT, readMoment } from "./pattern";
import { digitAt, FRACTION_COUNT, field, fieldsOf, setValue, valueOf } from "./scratch";

const MINUS: u8 = 0x2d;
const POINT: u8 = 0x2e;
const ZERO: u8 = 0x30;

/**
 * Reads the text [from, to) in any spelling that the notation has. Returns its VALUE, which the next text overwrites; 0
 * if the text states none.
 * @param to followed by 4 readable bytes
 */
export function readValue(notation: usize, from: usize, to: usize): usize {
  if (load<u32>(notation, NOTATION_KIND) == SPELLS_NUMBER)
    return readNumber(notation, from, to) ? valueOf(notation) : 0;
  const moment = readMoment(notation, from, to);
  return moment == NO_MOMENT ? 0 : momentValue(notation, moment);
}

/** The VALUE of days or seconds with the fraction that the fields have. */
export function momentValue(notation: usize, moment: i64): usize {
  const value = valueOf(notation);
  const fields = fieldsOf(notation);
  const places = <u32>field(fields, FRACTION_COUNT);
  const negative = moment < 0;
  // Fractions count upwards, also before 1970: −1 second and .25 are −0.75.
  const borrows = negative && hasDigits(<usize>field(fields, PIECE_FRACTION), places);
  const count = writeDigits(<u64>(negative ? -moment - i64(borrows) : moment), value + VALUE_DIGITS);
  const out = value + VALUE_DIGITS + count;
  memory.copy(out, <usize>field(fields, PIECE_FRACTION), places);
  if (borrows) complement(out, places);
  setValue(value, negative, places, count + places);
  return value;
}

/**
 * Writes the canonical text of the value that [from, to) states: no leading or trailing zeros, no plus sign, no
 * exponent. Returns its length, at most CANONICAL_BYTES; −1 if the text states no value.
 */
export function readCanonical(notation: usize, from: usize, to: usize, out: usize): i32 {
  const value = readValue(notation, from, to);
  return value ? writeCanonical(value, out) : -1;
}

/** Writes the canonical text of a VALUE. Returns its length. */
export function writeCanonical(value: usize, out: usize): i32 {
  let first: u32 = 0;
  let end = load<u32>(value, VALUE_COUNT);
  let scale = load<i32>(value, VALUE_SCALE);
  while (first < end && digitAt(value, first) == 0) first++;
  if (first == end) {
    store<u8>(out, ZERO);
    return 1;
  }
  for (; scale > 0 && digitAt(value, end - 1) == 0; scale--) end--;
  let at = out;
  if (load<u32>(value, VALUE_NEGATIVE)) store<u8>(at++, MINUS);
  const digits = <i32>(end - first);
  if (digits <= scale) {
    store<u8>(at++, ZERO);
    store<u8>(at++, POINT);
    at = writeZeros(at, scale - digits);
  }
  for (let index = 0; index < digits; index++) {
    if (index && digits - index == scale) store<u8>(at++, POINT);
    store<u8>(at++, load<u8>(value + first + index, VALUE_DIGITS));
  }
  return <i32>(writeZeros(at, -scale) - out);
}
