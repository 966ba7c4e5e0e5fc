// Ids that are made from the rows' numbers.
import { ID_BASE, ID_LENGTH, ID_PLACES, ID_TEXT } from "../layout";

const PLACE: u8 = 0x23;
const ZERO: u8 = 0x30;
/** The most digits of a number. */
const MOST_DIGITS = 20;

/** The digits of the number at hand, the last one at the end. */
const DIGITS = memory.data(MOST_DIGITS);

/** The most bytes that an id takes. */
export function idBytes(id: usize): u32 {
  return load<u32>(id, ID_LENGTH) + MOST_DIGITS;
}

/**
 * The id of a number.
 * @param id an ID
 * @param out room for `idBytes`
 * @returns the end of the text
 */
export function writeId(id: usize, number: u64, out: usize): usize {
  const base = load<u32>(id, ID_BASE);
  const last = DIGITS + MOST_DIGITS;
  let first = last;
  do {
    const rest = base == 10 ? number / 10 : number >> 4;
    const digit = <u8>(number - rest * base);
    store<u8>(--first, digit < 10 ? ZERO + digit : 0x57 + digit);
    number = rest;
  } while (number);
  let places = load<u32>(id, ID_PLACES);
  const text = id + ID_TEXT;
  const end = text + load<u32>(id, ID_LENGTH);
  for (let at = text; at < end; at++) {
    const byte = load<u8>(at);
    if (byte != PLACE) {
      store<u8>(out++, byte);
      continue;
    }
    while (<u32>(last - first) > places) store<u8>(out++, load<u8>(first++));
    store<u8>(out++, <u32>(last - first) < places-- ? ZERO : load<u8>(first++));
  }
  return out;
}
