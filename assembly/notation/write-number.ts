// Numbers as texts: digits with the marks of a notation around and between them.
import {
  NOTATION_DECIMAL_TEXT,
  NOTATION_EXPONENT_WIDTH,
  NOTATION_GROUP_TEXT,
  NOTATION_LETTER,
  NOTATION_PLACES,
  NOTATION_PLUS,
  NOTATION_PREFIX,
  NOTATION_SCALE,
  NOTATION_SUFFIX,
  NOTATION_WIDTH,
} from "../layout";
import { digitCount, writePadded } from "./digits";

const PLUS: u8 = 0x2b;
const MINUS: u8 = 0x2d;
const ZERO: u8 = 0x30;
/** Digits between two group marks. */
const GROUP: u32 = 3;

/** Writes a text of the notation, given where its offset and length are in the struct. Returns its end. */
// @ts-ignore: decorator
@inline
export function writeText(notation: usize, place: usize, out: usize): usize {
  let at = notation + load<u32>(notation + place);
  for (const end = at + load<u32>(notation + place, 4); at < end; at++) store<u8>(out++, load<u8>(at));
  return out;
}

// @ts-ignore: decorator
@inline
function writeSign(negative: bool, out: usize): usize {
  store<u8>(out, MINUS);
  return out + usize(negative);
}

/** Writes `digits`, u8[count], in units of the notation's scale. */
export function writePlain(notation: usize, negative: bool, digits: usize, count: u32, out: usize): usize {
  const scale = load<u32>(notation, NOTATION_SCALE);
  const all = max<u32>(count, scale + load<u32>(notation, NOTATION_WIDTH));
  const grouped = load<u32>(notation, NOTATION_GROUP_TEXT + 4) != 0;
  out = writeText(notation, NOTATION_PREFIX, writeSign(negative, out));
  const zeros = all - count;
  for (let left = all; left; left--) {
    if (left == scale) out = writeText(notation, NOTATION_DECIMAL_TEXT, out);
    else if (grouped && left > scale && left != all && (left - scale) % GROUP == 0)
      out = writeText(notation, NOTATION_GROUP_TEXT, out);
    const index = all - left;
    store<u8>(out++, index < zeros ? ZERO : load<u8>(digits + index - zeros));
  }
  return writeText(notation, NOTATION_SUFFIX, out);
}

/** The same with an exponent: one digit before the point, then all but trailing zeros. */
export function writeExponent(notation: usize, negative: bool, digits: usize, count: u32, out: usize): usize {
  const order = load<u8>(digits) == ZERO ? 0 : <i32>(count - 1) - <i32>load<u32>(notation, NOTATION_SCALE);
  out = writeText(notation, NOTATION_PREFIX, writeSign(negative, out));
  store<u8>(out++, load<u8>(digits));
  let kept = count;
  while (kept > 1 && load<u8>(digits + kept - 1) == ZERO) kept--;
  const places = max<u32>(kept - 1, load<u32>(notation, NOTATION_PLACES));
  if (places) out = writeText(notation, NOTATION_DECIMAL_TEXT, out);
  for (let place: u32 = 1; place <= places; place++) store<u8>(out++, place < kept ? load<u8>(digits + place) : ZERO);
  store<u8>(out++, load<u8>(notation, NOTATION_LETTER));
  if (order < 0 || load<u32>(notation, NOTATION_PLUS)) store<u8>(out++, order < 0 ? MINUS : PLUS);
  const size = <u64>abs(order);
  const width = max<u32>(digitCount(size), load<u32>(notation, NOTATION_EXPONENT_WIDTH));
  writePadded(size, out, width);
  return writeText(notation, NOTATION_SUFFIX, out + width);
}
