// Numbers: reads a text into digits. Its marks are UTF-16 code units, as in JavaScript's strings.
import { MOST_DIGITS, NO_UNIT, NOTATION_BARE, NOTATION_DECIMAL, NOTATION_GROUP, VALUE_DIGITS } from "../layout";
import { setValue, valueOf } from "./scratch";
import { characterAt, trimmedEnd, trimmedStart } from "./utf8";

const PLUS: u32 = 0x2b;
const COMMA: u32 = 0x2c;
const MINUS: u32 = 0x2d;
const POINT: u32 = 0x2e;
const ZERO: u32 = 0x30;
const LETTER_E: u32 = 0x65;
const LETTER_X: u32 = 0x78;
/** A group mark, which is skipped. */
const NOTHING: u32 = 0;
/** Any other character. */
const OTHER: u32 = 1;

// The parts of a number, in order.
const BEFORE = 0;
const SIGNED = 1;
const WHOLE = 2;
const FRACTION = 3;
const EXPONENT = 4;
const EXPONENT_SIGNED = 5;
const EXPONENT_DIGITS = 6;

/** The most digits of an exponent. */
const EXPONENT_MOST: u32 = 4;

/**
 * Reads a number, such as `-12.50`, `.5` or `1e-7` between its marks, into the notation's VALUE. Returns false if the
 * text is not one, or has more digits or a larger scale than a VALUE holds.
 */
export function readNumber(notation: usize, from: usize, to: usize): bool {
  let at = trimmedStart(from, to);
  const end = trimmedEnd(at, to);
  const bare = load<u32>(notation, NOTATION_BARE) != 0;
  const decimal = load<u32>(notation, NOTATION_DECIMAL);
  const group = load<u32>(notation, NOTATION_GROUP);
  const value = valueOf(notation);
  let units = bare ? <u32>(end - at) : unitsKept(decimal, group, at, end);
  let second: u32 = 0; // the second code unit of a character, until its turn comes
  let part = BEFORE;
  let negative = false;
  let count: u32 = 0;
  let scale: i32 = 0;
  let exponent: i32 = 0;
  let exponentNegative = false;
  let exponentDigits: u32 = 0;
  for (; units && (second || at < end); units--) {
    let unit = second;
    second = 0;
    if (!unit) {
      unit = load<u8>(at);
      if (unit < 0x80) at++;
      else {
        const next = characterAt(at, end);
        at = <usize>(next >> 32);
        unit = <u32>next;
        if (unit > 0xffff) {
          second = secondUnit(unit);
          unit = firstUnit(unit);
        }
      }
    }
    const sign = plain(decimal, group, unit);
    if (sign == NOTHING) continue;
    const digit = sign - ZERO;
    if (digit < 10) {
      if (part >= EXPONENT) {
        if (exponentDigits++ == EXPONENT_MOST) return false;
        exponent = exponent * 10 + <i32>digit;
        part = EXPONENT_DIGITS;
      } else {
        if (count == MOST_DIGITS) return false;
        store<u8>(value + count++, <u8>sign, VALUE_DIGITS);
        if (part == FRACTION) scale++;
        else part = WHOLE;
      }
    } else if (sign == POINT) {
      if (part >= FRACTION) return false;
      part = FRACTION;
    } else if (part == BEFORE && (sign == PLUS || sign == MINUS)) {
      negative = sign == MINUS;
      part = SIGNED;
    } else if (!bare && part <= SIGNED && sign != COMMA) {
      continue; // text before the digits
    } else if (part == EXPONENT && (sign == PLUS || sign == MINUS)) {
      exponentNegative = sign == MINUS;
      part = EXPONENT_SIGNED;
    } else if (part <= FRACTION && sign == LETTER_E) {
      part = EXPONENT;
    } else return false;
  }
  if (!count || part == EXPONENT || part == EXPONENT_SIGNED) return false;
  scale -= exponentNegative ? -exponent : exponent;
  if (abs(scale) > MOST_DIGITS) return false;
  setValue(value, negative, scale, count);
  return true;
}

// How many code units of a text there are up to its last digit, point or comma.
function unitsKept(decimal: u32, group: u32, at: usize, end: usize): u32 {
  let units: u32 = 0;
  let kept: u32 = 0;
  while (at < end) {
    const next = characterAt(at, end);
    at = <usize>(next >> 32);
    const character = <u32>next;
    units++;
    if (character > 0xffff) {
      if (isKept(plain(decimal, group, firstUnit(character)))) kept = units;
      units++;
      if (isKept(plain(decimal, group, secondUnit(character)))) kept = units;
    } else if (isKept(plain(decimal, group, character))) kept = units;
  }
  return kept;
}

// @ts-ignore: decorator
@inline
function isKept(sign: u32): bool {
  return sign - ZERO < 10 || sign == POINT || sign == COMMA;
}

// The sign that a code unit stands for, with the decimal mark as a point.
// @ts-ignore: decorator
@inline
function plain(decimal: u32, group: u32, unit: u32): u32 {
  if (unit - ZERO < 10) return unit;
  if (unit == group) return NOTHING;
  if (unit == decimal) return POINT;
  // A point that is not the decimal mark is read as the letter x, so where x is the mark, a point is one too.
  if (unit == POINT) return decimal == LETTER_X ? POINT : OTHER;
  if (unit == 0x45) return LETTER_E;
  if (unit == LETTER_E || unit == PLUS || unit == MINUS || unit == COMMA) return unit;
  return OTHER;
}

// @ts-ignore: decorator
@inline
function firstUnit(character: u32): u32 {
  return 0xd800 + ((character - 0x10000) >> 10);
}

// @ts-ignore: decorator
@inline
function secondUnit(character: u32): u32 {
  return 0xdc00 + (character & 0x3ff);
}
