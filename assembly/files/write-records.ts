// Rows of stored codes as records of a file, in UTF-8.
import {
  SPELLED_IDS,
  SPELLED_POINTS,
  SPELLED_TEXTS,
  SPELLING_BYTES,
  SPELLING_CODES,
  SPELLING_COUNT,
  SPELLING_FORMAT,
  SPELLING_KIND,
  SPELLING_POINTS,
  SPELLING_TEXTS,
  SPELLING_WIDTH,
  TEXT_SLACK,
  WRITER_COLUMNS,
  WRITER_DELIMITER,
  WRITER_FIRST,
  WRITER_RECORD,
  WRITER_SPELLINGS,
  WRITER_WRITTEN,
} from "../layout";
import { pointBytes, writePoint } from "../notation/write-point";
import { idBytes, writeId } from "./ids";
import { copyText, quoteCell } from "./quotes";

const LF: u8 = 0x0a;

/** The most bytes that a text takes as a cell, if each of its bytes is a quote. */
@inline
function cellBytes(bytes: u32): u32 {
  return 2 * bytes + 2;
}

/** The most bytes of the longest of a column's texts. */
function textBytes(spelling: usize): u32 {
  const texts = load<usize>(spelling, SPELLING_TEXTS);
  let most: u32 = 0;
  for (let index: u32 = 0; index < load<u32>(spelling, SPELLING_COUNT); index++) {
    const bounds = texts + (<usize>index << 2);
    most = max(most, load<u32>(bounds, 4) - load<u32>(bounds));
  }
  return most;
}

/**
 * The most bytes that a record takes, and the slack after it.
 * @param writer a WRITER; its WRITER_RECORD is set
 */
export function recordBytes(writer: usize): f64 {
  let bytes: f64 = TEXT_SLACK;
  for (let column: u32 = 0; column < load<u32>(writer, WRITER_COLUMNS); column++) {
    const spelling = load<usize>(writer, WRITER_SPELLINGS) + <usize>column * SPELLING_BYTES;
    const kind = load<u32>(spelling, SPELLING_KIND);
    const format = load<usize>(spelling, SPELLING_FORMAT);
    let most = textBytes(spelling);
    if (kind == SPELLED_IDS) most = cellBytes(idBytes(format));
    else if (kind == SPELLED_POINTS) most = max(most, cellBytes(pointBytes(format)));
    bytes += <f64>most + 1;
  }
  store<f64>(writer, bytes, WRITER_RECORD);
  return bytes;
}

/** The code of a row as a whole number. */
@inline
export function codeOf(spelling: usize, row: usize, first: u32): u64 {
  const codes = load<usize>(spelling, SPELLING_CODES);
  switch (load<u32>(spelling, SPELLING_WIDTH)) {
    case 2:
      return load<u16>(codes + (row << 1));
    case 4:
      return load<u32>(codes + (row << 2));
    case 8:
      return <u64>load<f64>(codes + (row << 3));
    default:
      return <u64>first + row;
  }
}

/** The grid point of a row; −1 for a missing cell. */
@inline
export function pointOf(spelling: usize, row: u32): f64 {
  const isDouble = load<u32>(spelling, SPELLING_WIDTH) == 8;
  const codes = load<usize>(spelling, SPELLING_CODES);
  const point = isDouble ? load<f64>(codes + (<usize>row << 3)) : <f64>codeOf(spelling, row, 0);
  return point >= 0 && point < load<f64>(spelling, SPELLING_POINTS) ? point : -1;
}

/** Writes the point of a row, or the text of a missing cell. @returns the end of the cell */
function writePointCell(spelling: usize, row: u32, delimiter: u8, alone: bool, out: usize): usize {
  const point = pointOf(spelling, row);
  if (point < 0) return writeText(spelling, 0, out);
  return quoteCell(out, writePoint(load<usize>(spelling, SPELLING_FORMAT), point, out), delimiter, alone);
}

/** Writes one of a column's texts: the last one where there are fewer. @returns the end of the cell */
@inline
function writeText(spelling: usize, index: u64, out: usize): usize {
  const texts = load<usize>(spelling, SPELLING_TEXTS);
  const bounds = texts + ((<usize>min(index, <u64>load<u32>(spelling, SPELLING_COUNT) - 1)) << 2);
  const from = load<u32>(bounds);
  return copyText(texts + from, load<u32>(bounds, 4) - from, out);
}

/**
 * Writes records, as many as certainly fit.
 * @param writer a WRITER that `recordBytes` has seen; its WRITER_WRITTEN is set
 * @param row the first row to write, among those at hand
 * @param rows how many rows are at hand
 * @param out where to write; there is room up to `end`, and if it is less than `recordBytes`, none is written
 * @returns the end of the last record
 */
export function writeRecords(writer: usize, row: u32, rows: u32, out: usize, end: usize): usize {
  const columns = load<u32>(writer, WRITER_COLUMNS);
  const delimiter = <u8>load<u32>(writer, WRITER_DELIMITER);
  const first = load<u32>(writer, WRITER_FIRST);
  const spellings = load<usize>(writer, WRITER_SPELLINGS);
  const last = spellings + <usize>columns * SPELLING_BYTES;
  const most = load<f64>(writer, WRITER_RECORD);
  let written: u32 = 0;
  for (; row < rows && <f64>out + most <= <f64>end; row++, written++) {
    for (let spelling = spellings; spelling < last; spelling += SPELLING_BYTES) {
      const kind = load<u32>(spelling, SPELLING_KIND);
      if (kind == SPELLED_TEXTS) out = writeText(spelling, codeOf(spelling, row, first), out);
      else if (kind == SPELLED_POINTS) out = writePointCell(spelling, row, delimiter, columns == 1, out);
      else {
        const text = writeId(load<usize>(spelling, SPELLING_FORMAT), codeOf(spelling, row, first) + 1, out);
        out = quoteCell(out, text, delimiter, columns == 1);
      }
      store<u8>(out++, delimiter);
    }
    // A line end in place of the last delimiter.
    if (columns) out--;
    store<u8>(out++, LF);
  }
  store<u32>(writer, written, WRITER_WRITTEN);
  return out;
}

/**
 * The texts of all points of a grid, as cells, then that of a missing cell.
 * @param notation a NOTATION
 * @param missing TEXTS with the cell of a missing one
 * @param out TEXTS, with room for two times `pointBytes` and two more per point, and for the last text
 * @returns the end of the last text
 */
export function pointTexts(
  notation: usize,
  points: u32,
  missing: usize,
  delimiter: u32,
  alone: bool,
  out: usize,
): usize {
  let end = out + ((<usize>points + 2) << 2);
  for (let point: u32 = 0; point < points; point++) {
    store<u32>(out + (<usize>point << 2), <u32>(end - out));
    end = quoteCell(end, writePoint(notation, point, end), <u8>delimiter, alone);
  }
  const last = out + (<usize>points << 2);
  store<u32>(last, <u32>(end - out));
  const begin = load<u32>(missing);
  end = copyText(missing + begin, load<u32>(missing, 4) - begin, end);
  store<u32>(last, <u32>(end - out), 4);
  return end;
}
