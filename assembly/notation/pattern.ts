// Dates and times: a text into the fields that its pattern states. Texts match as they do for a regular expression that
// ignores case: every piece takes as much as it can, and less where the rest would not match otherwise.
import {
  NOTATION_BLANKS,
  NOTATION_KIND,
  NOTATION_OFFSET,
  NOTATION_PIECE_COUNT,
  NOTATION_PIECES,
  PIECE_BYTES,
  PIECE_DATA,
  PIECE_DAY,
  PIECE_FRACTION,
  PIECE_HALF,
  PIECE_HOUR,
  PIECE_KIND,
  PIECE_LEAST,
  PIECE_LITERAL,
  PIECE_MINUTE,
  PIECE_MONTH,
  PIECE_MONTH_NAME,
  PIECE_MOST,
  PIECE_OFFSET,
  PIECE_POINT,
  PIECE_SECOND,
  PIECE_SHORT_YEAR,
  PIECE_SURE,
  PIECE_TWELVE,
  PIECE_YEAR,
  PIECE_YEAR_DAY,
  SPELLS_DAYS,
} from "../layout";
import { dayNumber, daysInMonth, isLeap } from "./calendar";
import { clearFields, FRACTION_COUNT, field, fieldsOf, NOT_STATED, setField } from "./scratch";
import { characterAt, trimmedEnd, trimmedStart } from "./utf8";

const PLUS: u32 = 0x2b;
const MINUS: u32 = 0x2d;
const POINT: u32 = 0x2e;
const ZERO: u32 = 0x30;
const ZEROS: u32 = 0x30303030;
const COLON: u32 = 0x3a;
const LETTER_Z: u32 = 0x7a;
/** The bit that is set in small letters and not in capitals. */
const SMALL: u32 = 0x20;

/** The bytes of a word in a list: its length, and its letters. */
export const WORD_BYTES: usize = 10;

/** What `readMoment` returns where there is none. */
export const NO_MOMENT: i64 = i64.MIN_VALUE;
const NO_DAY: i32 = i32.MIN_VALUE;
const SECONDS_A_DAY: i64 = 86400;

/**
 * Reads a date as its day, or a time as its second, rounded down: the digits of its fraction are in the fields. Returns
 * NO_MOMENT if the text does not match the pattern, or there is no such day or time. No other way to match is tried
 * then.
 * @param to followed by 4 readable bytes
 */
export function readMoment(notation: usize, from: usize, to: usize): i64 {
  let at = trimmedStart(from, to);
  const end = trimmedEnd(at, to);
  // Blanks around a moment are allowed, but those that belong to the pattern have to be there.
  for (let blanks = load<u32>(notation, NOTATION_BLANKS); blanks; blanks--) {
    if (at == from) return NO_MOMENT;
    do at--;
    while ((load<u8>(at) & 0xc0) == 0x80);
  }
  const fields = clearFields(notation);
  const piece = notation + load<u32>(notation, NOTATION_PIECES);
  const last = piece + <usize>load<u32>(notation, NOTATION_PIECE_COUNT) * PIECE_BYTES;
  if (!matches(notation, piece, last, at, to, end)) return NO_MOMENT;
  const day = dayOf(fields);
  const second = secondOf(fields);
  if (day == NO_DAY || second < 0) return NO_MOMENT;
  if (load<u32>(notation, NOTATION_KIND) == SPELLS_DAYS) return day;
  return <i64>day * SECONDS_A_DAY + <i64>(second - field(fields, PIECE_OFFSET));
}

// Whether the text from `at` on matches the pieces up to `last`, with nothing but blanks after it: then it reaches
// `end`.
function matches(notation: usize, piece: usize, last: usize, at: usize, to: usize, end: usize): bool {
  const fields = fieldsOf(notation);
  for (; piece < last; piece += PIECE_BYTES) {
    const kind = load<i32>(piece, PIECE_KIND);
    const most = load<u32>(piece, PIECE_MOST);
    if (kind == PIECE_LITERAL) {
      const spellings = notation + load<u32>(piece, PIECE_DATA);
      // Most are one character of ASCII, spelled in the first way.
      const byte: u32 = load<u8>(at);
      if (most == 1 && at < to && byte < 0x80 && byte == load<u32>(spellings, 4)) at++;
      else {
        at = afterLiteral(spellings, most, at, to);
        if (!at) return false;
      }
    } else if (kind <= PIECE_SECOND) {
      const least = load<u32>(piece, PIECE_LEAST);
      const digits = load<u32>(at) ^ ZEROS;
      let count = min(min(digitsIn(digits), most), <u32>(to - at));
      if (!load<u32>(piece, PIECE_SURE))
        for (; count > least; count--) {
          setField(fields, kind, numberIn(digits, count));
          if (matches(notation, piece + PIECE_BYTES, last, at + count, to, end)) return true;
        }
      if (count < least) return false;
      setField(fields, kind, numberIn(digits, count));
      at += count;
    } else if (kind <= PIECE_HALF) {
      const words = notation + load<u32>(piece, PIECE_DATA);
      const word = wordAt(words, most, at, to);
      if (word == most) return false;
      setField(fields, kind, word);
      at += load<u8>(words + <usize>word * WORD_BYTES);
    } else if (at == to && kind != PIECE_FRACTION && !(kind == PIECE_OFFSET && load<u32>(piece, PIECE_LEAST))) {
      // The text ends before a fraction or an offset that it need not have.
      if (kind == PIECE_POINT) setField(fields, FRACTION_COUNT, 0);
      else setField(fields, PIECE_OFFSET, load<i32>(notation, NOTATION_OFFSET));
    } else return matchesChoices(notation, piece, last, at, to, end);
  }
  return at >= end;
}

// The same for a fraction or an offset, which are rarely followed by much.
function matchesChoices(notation: usize, piece: usize, last: usize, at: usize, to: usize, end: usize): bool {
  const fields = fieldsOf(notation);
  const kind = load<i32>(piece, PIECE_KIND);
  const least = load<u32>(piece, PIECE_LEAST);
  const next = piece + PIECE_BYTES;
  if (kind == PIECE_OFFSET) {
    const hours = afterHours(at, to);
    const minutes = hours == at + 3 ? afterMinutes(hours, to) : 0;
    if (minutes) {
      setField(fields, PIECE_OFFSET, secondsEast(at, twoDigits(minutes - 2)));
      if (matches(notation, next, last, minutes, to, end)) return true;
    }
    if (hours) {
      setField(fields, PIECE_OFFSET, secondsEast(at, 0));
      if (matches(notation, next, last, hours, to, end)) return true;
    }
    if (least) return false;
    setField(fields, PIECE_OFFSET, load<i32>(notation, NOTATION_OFFSET));
    return matches(notation, next, last, at, to, end);
  }
  const pointed = kind == PIECE_POINT;
  const start = at + usize(pointed);
  setField(fields, PIECE_FRACTION, <i32>start);
  if (!pointed || byteAt(at, to) == POINT)
    for (let count = digitsAt(start, to, load<u32>(piece, PIECE_MOST)); count >= least; count--) {
      setField(fields, FRACTION_COUNT, count);
      if (matches(notation, next, last, start + count, to, end)) return true;
    }
  if (!pointed) return false;
  setField(fields, FRACTION_COUNT, 0);
  return matches(notation, next, last, at, to, end);
}

// The byte at a place; at the end of the text 0, which matches nothing here.
// @ts-ignore: decorator
@inline
function byteAt(at: usize, to: usize): u32 {
  return at < to ? <u32>load<u8>(at) : 0;
}

// How many of four bytes, each changed by ZEROS, are digits before one that is not.
// @ts-ignore: decorator
@inline
function digitsIn(bytes: u32): u32 {
  return ctz((bytes | (bytes + 0x06060606)) & 0xf0f0f0f0) >> 3;
}

// The number of the first one to four of these digits.
// @ts-ignore: decorator
@inline
function numberIn(digits: u32, count: u32): i32 {
  digits <<= 32 - (count << 3);
  const pairs = digits * 10 + (digits >> 8);
  return (pairs & 0xff) * 100 + ((pairs >> 16) & 0xff);
}

// @ts-ignore: decorator
@inline
function digitsAt(at: usize, to: usize, most: u32): u32 {
  let count: u32 = 0;
  while (count < most && byteAt(at + count, to) - ZERO < 10) count++;
  return count;
}

// The end of a literal of `characters` characters; 0 if the text does not have it here.
function afterLiteral(spellings: usize, characters: u32, at: usize, to: usize): usize {
  for (; characters; characters--) {
    if (at >= to) return 0;
    const next = characterAt(at, to);
    let left = load<u32>(spellings);
    spellings += 4;
    let found = false;
    for (; left; left--, spellings += 4) found = found || load<u32>(spellings) == <u32>next;
    if (!found) return 0;
    at = <usize>(next >> 32);
  }
  return at;
}

// The index of the word that the text has here, in capitals or small letters; `count` if it has none of them.
function wordAt(words: usize, count: u32, at: usize, to: usize): u32 {
  for (let word: u32 = 0; word < count; word++, words += WORD_BYTES) {
    const length = <usize>load<u8>(words);
    let same: usize = 0;
    while (same < length && (byteAt(at + same, to) | SMALL) == (<u32>load<u8>(words + same, 1) | SMALL)) same++;
    if (same == length) return word;
  }
  return count;
}

// The end of an offset's sign and hours, or of the letter Z; 0 if the text has neither here.
function afterHours(at: usize, to: usize): usize {
  const sign = byteAt(at, to);
  if ((sign | SMALL) == LETTER_Z) return at + 1;
  if (sign != PLUS && sign != MINUS) return 0;
  const tens = byteAt(at + 1, to) - ZERO;
  const ones = byteAt(at + 2, to) - ZERO;
  return (tens < 2 && ones < 10) || (tens == 2 && ones < 4) ? at + 3 : 0;
}

// The end of an offset's minutes, with or without a colon before them; 0 if the text has none here.
function afterMinutes(at: usize, to: usize): usize {
  if (byteAt(at, to) == COLON) at++;
  return byteAt(at, to) - ZERO < 6 && byteAt(at + 1, to) - ZERO < 10 ? at + 2 : 0;
}

// @ts-ignore: decorator
@inline
function twoDigits(at: usize): i32 {
  return numberIn(load<u16>(at) ^ ZEROS, 2);
}

// The seconds of an offset. @param minutes those after its hours
function secondsEast(at: usize, minutes: i32): i32 {
  const sign = <u32>load<u8>(at);
  if ((sign | SMALL) == LETTER_Z) return 0;
  const seconds = (twoDigits(at + 1) * 60 + minutes) * 60;
  return sign == MINUS ? -seconds : seconds;
}

// What the fields say, or NO_DAY if there is no such day.
function dayOf(fields: usize): i32 {
  const short = field(fields, PIECE_SHORT_YEAR);
  // As in POSIX: 69 … 99 are years of the twentieth century.
  const year = short == NOT_STATED ? field(fields, PIECE_YEAR) : short + (short < 69 ? 2000 : 1900);
  const ofYear = field(fields, PIECE_YEAR_DAY);
  if (ofYear != NOT_STATED)
    return ofYear >= 1 && ofYear <= 365 + i32(isLeap(year)) ? dayNumber(year, 1, 1) + ofYear - 1 : NO_DAY;
  const name = field(fields, PIECE_MONTH_NAME);
  const month = name == NOT_STATED ? field(fields, PIECE_MONTH) : name + 1;
  const day = field(fields, PIECE_DAY);
  if (month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month)) return NO_DAY;
  return dayNumber(year, month, day);
}

// What the fields say, or −1 if there is no such second of a day.
function secondOf(fields: usize): i32 {
  const twelve = field(fields, PIECE_TWELVE);
  if (twelve == 0 || twelve > 12) return -1;
  const hour = twelve == NOT_STATED ? field(fields, PIECE_HOUR) : (twelve % 12) + 12 * field(fields, PIECE_HALF);
  const minute = field(fields, PIECE_MINUTE);
  const second = field(fields, PIECE_SECOND);
  return hour <= 23 && minute <= 59 && second <= 59 ? (hour * 60 + minute) * 60 + second : -1;
}
