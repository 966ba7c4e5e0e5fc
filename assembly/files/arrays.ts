// Columns whose cells arrive in arrays, not inside records: as texts, numbers, places in a dictionary, or moments. All
// but moments have the codes that their texts would have in a file. Of most numbers the text is never written.
import { alloc } from "../arena";
import {
  ARGUMENT_REFUSED,
  ARRAY_DICTIONARY,
  ARRAY_ENTRIES,
  ARRAY_F64,
  ARRAY_GAPS,
  ARRAY_GAP_COUNT,
  ARRAY_I64,
  ARRAY_MOMENT,
  ARRAY_OFFSETS,
  ARRAY_TEXTS,
  ARRAY_TEXT_BYTES,
  ARRAY_TYPE,
  ARRAY_VALIDITY,
  ARRAY_VALUES,
  BLOCK_ROWS,
  CELLS_GRID,
  DOUBLE_BYTES,
  LONGEST_CELL,
  NOTATION_KIND,
  OK,
  OUT_OF_MEMORY,
  POWERS_BYTES,
  SPELLS_DAYS,
  SPELLS_NUMBER,
} from "../layout";
import { writeDigits } from "../notation/digits";
import { placePowers, writeDouble } from "../notation/doubles";
import { doublePoint, hasPlainPoints, integerPoint } from "../notation/read-point";
import { setMicroseconds } from "../notation/scratch";
import { codeCells, codeOfMoment, storeCode } from "./cell-codes";
import { Column } from "./column";
import { parserText, reserve } from "./parser";
import { Reader, readerBlock } from "./rows";

/** Cells that are written down in one go, and room for the texts of as many numbers, unless they are long. */
const AT_ONCE: usize = 1024;
const ROOM: usize = 32 * AT_ONCE;

const MINUS: u8 = 0x2d;
const MICROSECONDS_A_SECOND: i64 = 1000000;
const MICROSECONDS_A_DAY: i64 = 86400000000;

/**
 * Codes one column of rows that `readerExtend` has added.
 * @param place the column's place in the header
 * @param row the first of the rows
 * @param array an ARRAY of `rows` cells, none of which is an error
 * @returns a status
 */
export function codeArray(pointer: usize, place: u32, row: u32, rows: u32, array: usize): i32 {
  const reader = changetype<Reader>(pointer);
  if (row + rows > reader.rows || row + rows < row || place >= reader.width) return ARGUMENT_REFUSED;
  const column = changetype<Column>(load<usize>(reader.columns + (<usize>place << 2)));
  const type = load<u32>(array, ARRAY_TYPE);
  if (!changetype<usize>(column) || !column.bytes) return ARGUMENT_REFUSED;
  if (type == ARRAY_MOMENT && !hasMoments(column)) return ARGUMENT_REFUSED;
  const scratch = parserText(changetype<usize>(reader.parser), ROOM);
  if (type == ARRAY_F64 && !reader.powers) {
    reader.powers = alloc(POWERS_BYTES);
    if (reader.powers) placePowers(reader.powers);
    else return OUT_OF_MEMORY;
  }
  if (!scratch || !reserve(reader.parser, AT_ONCE)) return OUT_OF_MEMORY;
  const bounds = reader.parser.bounds;
  const isDirect = hasDirectCodes(column, type);
  for (let done: u32 = 0; done < rows; ) {
    const first = (row + done) & (BLOCK_ROWS - 1);
    const codes = load<usize>(readerBlock(pointer, (row + done) / BLOCK_ROWS) + (<usize>place << 2));
    const out = codes + <usize>first * column.bytes;
    let most = min(min(rows - done, BLOCK_ROWS - first), <u32>AT_ONCE);
    if (isDirect) {
      const count = codeValues(column, array, done, most, out);
      done += count;
      if (count) continue;
      most = 1;
    }
    let count: u32 = 0;
    let text = scratch;
    for (; count < most && text <= scratch + ROOM - DOUBLE_BYTES; count++) {
      const next = placeCell(reader, column, array, done + count, text, bounds + (<usize>count << 3));
      if (!next) break;
      text = next;
    }
    if (count) codeCells(column, bounds, 8, count, out);
    else storeCode(column, column.missing, out);
    done += max<u32>(count, 1);
  }
  return reader.desk.failed ? OUT_OF_MEMORY : OK;
}

@inline
function hasMoments(column: Column): bool {
  return column.notation && load<u32>(column.notation, NOTATION_KIND) != SPELLS_NUMBER;
}

/** Whether values lead to codes without their text: all moments, and numbers that cannot be a missing spelling. */
function hasDirectCodes(column: Column, type: u32): bool {
  if (type == ARRAY_MOMENT) return true;
  if (column.kind != CELLS_GRID || column.hasNumericGaps || !hasPlainPoints(column.notation)) return false;
  return type == ARRAY_I64 || type == ARRAY_F64;
}

/**
 * Writes down where the text of a cell begins and ends.
 * @param out where the text is written if it has to be
 * @returns where the next one may be written; 0 for a missing cell
 */
function placeCell(reader: Reader, column: Column, array: usize, row: u32, out: usize, bound: usize): usize {
  if (!isValid(array, row)) return 0;
  const type = load<u32>(array, ARRAY_TYPE);
  const values = load<usize>(array, ARRAY_VALUES);
  let from = out;
  let to = out;
  if (type == ARRAY_I64) {
    const number = load<i64>(values + (<usize>row << 3));
    store<u8>(to, MINUS);
    to += usize(number < 0);
    to += writeDigits(<u64>abs(number), to);
    out = to;
  } else if (type == ARRAY_F64) {
    const number = load<f64>(values + (<usize>row << 3));
    if (number != number) return 0;
    to = out = writeDouble(reader.powers, number, column.notation, to);
  } else {
    let place = row;
    if (type == ARRAY_DICTIONARY) {
      place = load<u32>(values + (<usize>row << 2));
      if (place >= load<u32>(array, ARRAY_ENTRIES)) return 0;
    }
    const offset = load<usize>(array, ARRAY_OFFSETS) + (<usize>place << 2);
    const texts = load<usize>(array, ARRAY_TEXTS);
    const bytes = load<u32>(array, ARRAY_TEXT_BYTES);
    const begin = min(load<u32>(offset), bytes);
    const length = max(min(load<u32>(offset, 4), bytes), begin) - begin;
    from = texts + begin;
    to = from + min<u32>(length, LONGEST_CELL);
  }
  store<usize>(bound, from);
  store<usize>(bound, to, 4);
  return out;
}

function isValid(array: usize, row: u32): bool {
  const validity = load<usize>(array, ARRAY_VALIDITY);
  return !validity || ((load<u8>(validity + (row >> 3)) >> (row & 7)) & 1) != 0;
}

/** Codes cells from one on by their values, up to one that needs its text. @returns how many */
function codeValues(column: Column, array: usize, row: u32, most: u32, out: usize): u32 {
  const type = load<u32>(array, ARRAY_TYPE);
  const notation = column.notation;
  let value = load<usize>(array, ARRAY_VALUES) + (<usize>row << 3);
  for (let count: u32 = 0; count < most; count++, value += 8, out += column.bytes) {
    let code = column.missing;
    if (isValid(array, row + count)) {
      if (type == ARRAY_MOMENT) code = codeOfMicroseconds(column, array, load<i64>(value));
      else if (type == ARRAY_I64) code = integerPoint(notation, load<i64>(value));
      else {
        code = doublePoint(notation, load<f64>(value));
        if (code != code) return count;
      }
    }
    storeCode(column, code, out);
  }
  return most;
}

/** The code of a moment as the value that it is: no text is as exact as it may be. */
function codeOfMicroseconds(column: Column, array: usize, moment: i64): f64 {
  const isDay = load<u32>(column.notation, NOTATION_KIND) == SPELLS_DAYS;
  const unit = isDay ? MICROSECONDS_A_DAY : MICROSECONDS_A_SECOND;
  const whole = moment / unit - i64(moment % unit < 0);
  // Of a date, only its day.
  const rest = isDay ? 0 : moment - whole * unit;
  if (isGap(array, whole * unit + rest)) return column.missing;
  setMicroseconds(column.notation, <u32>rest);
  return codeOfMoment(column, whole);
}

function isGap(array: usize, moment: i64): bool {
  let gap = load<usize>(array, ARRAY_GAPS);
  for (const end = gap + (load<usize>(array, ARRAY_GAP_COUNT) << 3); gap < end; gap += 8)
    if (load<i64>(gap) == moment) return true;
  return false;
}
