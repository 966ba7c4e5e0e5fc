// Rows of stored codes as records of a file, in UTF-8.
import {
  SPELLED_IDS,
  SPELLED_TEXTS,
  SPELLING_BYTES,
  SPELLING_CODES,
  SPELLING_COUNT,
  SPELLING_FORMAT,
  SPELLING_KIND,
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
    let most: u32 = 0;
    if (load<u32>(spelling, SPELLING_KIND) == SPELLED_IDS)
      most = cellBytes(idBytes(load<usize>(spelling, SPELLING_FORMAT)));
    else most = textBytes(spelling);
    bytes += <f64>most + 1;
  }
  store<f64>(writer, bytes, WRITER_RECORD);
  return bytes;
}

/** The code of a row as a whole number. */
@inline
function codeOf(spelling: usize, row: usize, first: u32): u64 {
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
 * @param out up to `end` is room for them; with less than `recordBytes`, none is written
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
      const code = codeOf(spelling, row, first);
      if (load<u32>(spelling, SPELLING_KIND) == SPELLED_TEXTS) out = writeText(spelling, code, out);
      else
        out = quoteCell(out, writeId(load<usize>(spelling, SPELLING_FORMAT), code + 1, out), delimiter, columns == 1);
      store<u8>(out++, delimiter);
    }
    // A line end in place of the last delimiter.
    if (columns) out--;
    store<u8>(out++, LF);
  }
  store<u32>(writer, written, WRITER_WRITTEN);
  return out;
}
