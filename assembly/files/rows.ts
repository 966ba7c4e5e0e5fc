// Tables: records as rows, in blocks of columns.
import { alloc } from "../arena";
import { ARGUMENT_REFUSED, BLOCK_ROWS, OK, OUT_OF_MEMORY } from "../layout";
import { codeAbsent, codeCells } from "./cell-codes";
import { Column, Desk, columnBegin } from "./column";
import {
  Parser,
  beginAfterReturn,
  parserEnd,
  parserInRecord,
  parserOpen,
  parserText,
  reserve,
  split,
  splitPlain,
} from "./parser";

/** Bytes that are split in one go. The cells found in them stay in the processor's cache. */
const SLICE: usize = 32768;

/** A table that is read. */
@unmanaged
export class Reader {
  parser: Parser;
  desk: Desk;
  /** usize[width]: Column by place in the header, 0 where it is not read. */
  columns: usize;
  width: u32;
  /** Cells so far of the incomplete record. */
  begun: u32;
  rows: u32;
  short: u32;
  long: u32;
  blank: u32;
  /** usize[most]: the blocks of rows, each usize[width]: its columns' codes, BLOCK_ROWS of each. */
  blocks: usize;
  most: u32;
  made: u32;
  /** The powers of ten by which doubles are written down, once they are needed. */
  powers: usize;
}

/**
 * Begins a table whose header had `width` ≥ 1 cells.
 * @param delimiter an ASCII character, neither a quote nor a line end
 * @param afterReturn whether the header ended in a CR, to which an LF may belong
 * @returns 0 where the memory does not suffice
 */
export function readerOpen(delimiter: u32, width: u32, afterReturn: bool): usize {
  const pointer = alloc(offsetof<Reader>());
  const parser = parserOpen(delimiter);
  const desk = alloc(offsetof<Desk>());
  const columns = alloc(<usize>width << 2);
  if (!pointer || !parser || !desk || !columns) return 0;
  const reader = changetype<Reader>(pointer);
  reader.parser = changetype<Parser>(parser);
  if (afterReturn) beginAfterReturn(reader.parser);
  reader.desk = changetype<Desk>(desk);
  reader.columns = columns;
  reader.width = width;
  return pointer;
}

/**
 * Reads the column at a place in the header; columns without this are ignored.
 * @param kind CELLS_…
 * @param bytes of a stored code: 2 (u16), 4 (u32) or 8 (f64)
 * @param missing the code of missing spellings
 * @param absent the code of a cell that its record lacks; NaN for that of an empty cell
 * @param otherwise the code of a text that is no value
 * @param notation NOTATION of numbers, dates and times; 0 for other columns
 * @param limit the largest number of texts to remember; 0 for none
 * @returns the column, for `columnDeclare` before any row is read; 0 where the memory does not suffice
 */
export function readerColumn(
  pointer: usize,
  place: u32,
  kind: u32,
  bytes: u32,
  missing: f64,
  absent: f64,
  otherwise: f64,
  notation: usize,
  limit: u32,
): usize {
  const reader = changetype<Reader>(pointer);
  const column = columnBegin(reader.desk, kind, bytes, missing, absent, otherwise, notation, limit);
  store<usize>(reader.columns + (<usize>place << 2), column);
  return column;
}

/** Where the host writes the next bytes: `length` of them, at most LONGEST_CELL. 0 if there is no room. */
export function readerText(reader: usize, length: u32): usize {
  return parserText(changetype<usize>(changetype<Reader>(reader).parser), length);
}

/**
 * Reads the bytes that the host has written, which come after the header, as `parserPush` splits them. If a record has
 * too few cells, the rest are missing; if it has too many, the extra ones are dropped. A blank line is not a record,
 * except in a table of one column, where it is a missing cell.
 * @returns a status
 */
export function readerPush(pointer: usize, length: u32): i32 {
  const reader = changetype<Reader>(pointer);
  const parser = reader.parser;
  const end = parser.end + length;
  if (end > parser.text + parser.room) return ARGUMENT_REFUSED;
  if (!reserve(parser, min(length, SLICE))) return OUT_OF_MEMORY;
  parser.end = end;
  while (parser.from < end) {
    const to = min(parser.from + SLICE, end);
    splitPlain(parser, to);
    take(reader);
    if (parser.from == to) continue;
    split(parser, to);
    take(reader);
  }
  return reader.desk.failed ? OUT_OF_MEMORY : OK;
}

/** Ends the last record, if the text does not end in a line end. Bytes that follow begin a record. */
export function readerEnd(pointer: usize): i32 {
  const reader = changetype<Reader>(pointer);
  const status = parserEnd(changetype<usize>(reader.parser));
  if (status != OK) return status;
  take(reader);
  return reader.desk.failed ? OUT_OF_MEMORY : OK;
}

/** Whether a record has begun and not ended. */
export function readerInRecord(reader: usize): bool {
  return parserInRecord(changetype<usize>(changetype<Reader>(reader).parser));
}

export function readerRows(reader: usize): u32 {
  return changetype<Reader>(reader).rows;
}

/** How many records had too few cells. */
export function readerShort(reader: usize): u32 {
  return changetype<Reader>(reader).short;
}

/** How many records had too many cells. */
export function readerLong(reader: usize): u32 {
  return changetype<Reader>(reader).long;
}

/** How many blank lines were no records. */
export function readerBlank(reader: usize): u32 {
  return changetype<Reader>(reader).blank;
}

/** The block of rows with this number: usize[width], for each column that is read the codes of BLOCK_ROWS rows. */
export function readerBlock(reader: usize, block: u32): usize {
  return load<usize>(changetype<Reader>(reader).blocks + (<usize>block << 2));
}

/** Forgets the complete rows; the next ones take their place. */
export function readerRestart(pointer: usize): void {
  const reader = changetype<Reader>(pointer);
  const rows = reader.rows;
  for (let place: u32 = 0; place < min(reader.begun, reader.width); place++) {
    const from = codeAt(reader, place);
    if (!from) continue;
    reader.rows = 0;
    memory.copy(codeAt(reader, place), from, changetype<Column>(columnAt(reader, place)).bytes);
    reader.rows = rows;
  }
  reader.rows = 0;
}

/** Adds rows, whose codes the host provides. Returns a status. */
export function readerExtend(pointer: usize, rows: u32): i32 {
  const reader = changetype<Reader>(pointer);
  if (!hold(reader, <u64>reader.rows + rows)) return OUT_OF_MEMORY;
  reader.rows += rows;
  return OK;
}

/** Makes blocks for this many rows in total. */
function hold(reader: Reader, rows: u64): bool {
  while (<u64>reader.made * BLOCK_ROWS < rows) if (!addBlock(reader)) return false;
  return true;
}

function addBlock(reader: Reader): bool {
  if (reader.made == reader.most) {
    const most = max<u32>(16, 2 * reader.most);
    const blocks = alloc(<usize>most << 2);
    if (!blocks) return false;
    memory.copy(blocks, reader.blocks, (<usize>reader.made) << 2);
    reader.blocks = blocks;
    reader.most = most;
  }
  const places = (<usize>reader.width) << 2;
  const columns = alloc(places);
  if (!columns) return false;
  for (let place: usize = 0; place < places; place += 4) {
    const column = load<usize>(reader.columns + place);
    if (!column) continue;
    const codes = alloc(<usize>BLOCK_ROWS * changetype<Column>(column).bytes);
    if (!codes) return false;
    store<usize>(columns + place, codes);
  }
  store<usize>(reader.blocks + ((<usize>reader.made) << 2), columns);
  reader.made++;
  return true;
}

/** Takes the cells that were found last. */
function take(reader: Reader): void {
  const parser = reader.parser;
  const ends = parser.ends;
  const records = parser.records;
  let cell: u32 = 0;
  let record: u32 = 0;
  while (record < records && !reader.desk.failed) {
    const even = evenRecords(reader, record, cell);
    if (even > 0) {
      takeRows(reader, cell, even);
      record += even;
      cell += even * reader.width;
    } else {
      const end = load<u32>(ends + (<usize>record << 2));
      takeCells(reader, cell, end);
      endRecord(reader);
      record++;
      cell = end;
    }
  }
  if (!reader.desk.failed) takeCells(reader, cell, parser.cells);
}

/**
 * How many whole records from this one on, the first of which starts at this cell, have exactly one cell per column.
 */
function evenRecords(reader: Reader, first: u32, cell: u32): u32 {
  if (reader.begun > 0) return 0;
  const width = reader.width;
  const records = reader.parser.records;
  const ends = reader.parser.ends;
  let record = first;
  for (let end = cell + width; record < records && load<u32>(ends + (<usize>record << 2)) == end; end += width)
    record++;
  return record - first;
}

/** Takes whole rows, one column at a time, so that the column's memory stays in the cache. */
function takeRows(reader: Reader, cell: u32, count: u32): void {
  if (!hold(reader, <u64>reader.rows + count)) {
    reader.desk.failed = true;
    return;
  }
  const width = reader.width;
  const parser = reader.parser;
  const stride = parser.stride;
  const gap = parser.gap;
  while (count > 0) {
    const first = reader.rows & (BLOCK_ROWS - 1);
    const rows = min<u32>(count, BLOCK_ROWS - first);
    const block = readerBlock(changetype<usize>(reader), reader.rows / BLOCK_ROWS);
    const pairs = parser.pairs + <usize>cell * stride;
    for (let place: usize = 0; place < width; place++) {
      const column = changetype<Column>(load<usize>(reader.columns + (place << 2)));
      if (!changetype<usize>(column)) continue;
      const codes = load<usize>(block + (place << 2)) + <usize>first * column.bytes;
      codeCells(column, pairs + place * stride, width * stride, rows, codes, gap);
    }
    reader.rows += rows;
    cell += rows * width;
    count -= rows;
  }
}

/** The column at a place in the header; 0 if it is not read. */
@inline
function columnAt(reader: Reader, place: u32): usize {
  return load<usize>(reader.columns + (<usize>place << 2));
}

/** Where the code of the incomplete row's cell at a place goes; 0 if it is not read. */
function codeAt(reader: Reader, place: u32): usize {
  const column = columnAt(reader, place);
  if (!column) return 0;
  const block = readerBlock(changetype<usize>(reader), reader.rows / BLOCK_ROWS);
  const codes = load<usize>(block + (<usize>place << 2));
  return codes + <usize>(reader.rows & (BLOCK_ROWS - 1)) * changetype<Column>(column).bytes;
}

/** Takes cells of one record. */
function takeCells(reader: Reader, from: u32, to: u32): void {
  if (!hold(reader, <u64>reader.rows + 1)) {
    reader.desk.failed = true;
    return;
  }
  const parser = reader.parser;
  for (let cell = from; cell < to; cell++, reader.begun++) {
    if (reader.begun >= reader.width) continue;
    const out = codeAt(reader, reader.begun);
    const column = changetype<Column>(columnAt(reader, reader.begun));
    if (out) codeCells(column, parser.pairs + <usize>cell * parser.stride, 0, 1, out, parser.gap);
  }
}

function endRecord(reader: Reader): void {
  if (reader.desk.failed) return;
  const width = reader.width;
  const cells = reader.begun;
  reader.begun = 0;
  if (cells == 0 && width > 1) {
    reader.blank++;
    return;
  }
  if (cells < width) {
    reader.short++;
    const empty = reader.parser.text;
    for (let place = cells; place < width; place++) {
      const out = codeAt(reader, place);
      const column = changetype<Column>(columnAt(reader, place));
      if (out) codeAbsent(column, empty, out);
    }
  } else if (cells > width) reader.long++;
  reader.rows++;
}
