// Dates and times as texts.
import {
  NOTATION_KIND,
  NOTATION_OFFSET,
  NOTATION_OFFSET_TEXT,
  NOTATION_PIECE_COUNT,
  NOTATION_PIECES,
  NOTATION_SCALE,
  PIECE_BYTES,
  PIECE_DATA,
  PIECE_DAY,
  PIECE_FRACTION,
  PIECE_HALF,
  PIECE_HOUR,
  PIECE_KIND,
  PIECE_LITERAL,
  PIECE_MINUTE,
  PIECE_MONTH,
  PIECE_MONTH_NAME,
  PIECE_OFFSET,
  PIECE_POINT,
  PIECE_SECOND,
  PIECE_SHORT_YEAR,
  PIECE_TEXT,
  PIECE_TWELVE,
  PIECE_WIDTH,
  PIECE_YEAR,
  PIECE_YEAR_DAY,
  SPELLS_DAYS,
} from "../layout";
import { civilDate, dayNumber } from "./calendar";
import { digitCount, writePadded } from "./digits";
import { WORD_BYTES } from "./pattern";
import { field, fieldsOf, setField } from "./scratch";
import { writeText } from "./write-number";

const SECONDS_A_DAY: i64 = 86400;
const POINT: u8 = 0x2e;
const ZERO: u8 = 0x30;
/** The digits of a fraction without a point: microseconds. */
const FRACTION_DIGITS: u32 = 6;

/**
 * Writes the text of a day or second. Returns its end.
 * @param fraction u8[scale], the digits after the second's decimal point
 */
export function writeMoment(notation: usize, whole: i64, fraction: usize, out: usize): usize {
  const fields = splitMoment(notation, whole);
  let piece = notation + load<u32>(notation, NOTATION_PIECES);
  for (let left = load<u32>(notation, NOTATION_PIECE_COUNT); left; left--, piece += PIECE_BYTES) {
    const kind = load<i32>(piece, PIECE_KIND);
    if (kind <= PIECE_SECOND) {
      const number = <u64>field(fields, kind);
      const width = max<u32>(digitCount(number), load<u32>(piece, PIECE_WIDTH));
      writePadded(number, out, width);
      out += width;
    } else if (kind == PIECE_LITERAL) out = writeText(notation, piece - notation + PIECE_TEXT, out);
    else if (kind <= PIECE_HALF) out = writeWord(notation + load<u32>(piece, PIECE_DATA), field(fields, kind), out);
    else if (kind == PIECE_OFFSET) out = writeText(notation, NOTATION_OFFSET_TEXT, out);
    else out = writeFraction(notation, kind == PIECE_POINT, fraction, out);
  }
  return out;
}

// Sets the fields of a day or second.
function splitMoment(notation: usize, whole: i64): usize {
  const fields = fieldsOf(notation);
  let days = <i32>whole;
  let second = 0;
  if (load<u32>(notation, NOTATION_KIND) != SPELLS_DAYS) {
    const local = whole + <i64>load<i32>(notation, NOTATION_OFFSET);
    days = <i32>(local / SECONDS_A_DAY - i64(local % SECONDS_A_DAY < 0));
    second = <i32>(local - <i64>days * SECONDS_A_DAY);
  }
  const date = civilDate(days);
  const year = date >> 9;
  const month = (date >> 5) & 15;
  const hour = second / 3600;
  setField(fields, PIECE_YEAR, year);
  setField(fields, PIECE_SHORT_YEAR, year % 100);
  setField(fields, PIECE_MONTH, month);
  setField(fields, PIECE_MONTH_NAME, month - 1);
  setField(fields, PIECE_DAY, date & 31);
  setField(fields, PIECE_YEAR_DAY, days - dayNumber(year, 1, 1) + 1);
  setField(fields, PIECE_HOUR, hour);
  setField(fields, PIECE_TWELVE, ((hour + 11) % 12) + 1);
  setField(fields, PIECE_HALF, i32(hour >= 12));
  setField(fields, PIECE_MINUTE, (second / 60) % 60);
  setField(fields, PIECE_SECOND, second % 60);
  return fields;
}

function writeWord(words: usize, index: i32, out: usize): usize {
  let at = words + <usize>index * WORD_BYTES;
  for (const end = at + 1 + load<u8>(at); ++at < end; ) store<u8>(out++, load<u8>(at));
  return out;
}

// Writes all digits of the scale: after a point if there are any; or without a point, padded to FRACTION_DIGITS.
function writeFraction(notation: usize, pointed: bool, fraction: usize, out: usize): usize {
  const scale = load<u32>(notation, NOTATION_SCALE);
  if (pointed && scale) store<u8>(out++, POINT);
  for (let place: u32 = 0; place < scale; place++) store<u8>(out++, load<u8>(fraction + place));
  if (!pointed) for (let place = scale; place < FRACTION_DIGITS; place++) store<u8>(out++, ZERO);
  return out;
}
