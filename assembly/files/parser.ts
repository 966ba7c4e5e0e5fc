// Records and cells of delimited text.
import { alloc } from "../arena";
import { ARGUMENT_REFUSED, LONGEST_CELL, OK, OUT_OF_MEMORY } from "../layout";
import { CR, LF, ONES, QUOTE, STEP, findMarks, gathered, writeMarks, zeros } from "./marks";

// Where the next byte falls. Up to CELL, a quote opens the cell. Up to RETURN, the record has no content yet.
const RECORD: u32 = 0;
/** At the start of a record, after a CR: an LF belongs to the CR. */
const RETURN: u32 = 1;
const CELL: u32 = 2;
/** In text outside quotes, or in a cell of which a part was taken before. */
const PLAIN: u32 = 3;
/** After a quote inside quotes: it closed them, unless another quote follows. */
const CLOSED: u32 = 4;
const QUOTED: u32 = 5;

/** Bytes around the text that may be read and, before it, written: texts are read in words. */
export const MARGIN: usize = 16;

/** Splits one text. What it found last is overwritten by the next call. */
@unmanaged
export class Parser {
  delimiter: u32;
  state: u32;
  /** Where the bytes lie, and how many fit there. */
  text: usize;
  room: usize;
  /**
   * The incomplete cell: its text so far lies from `start` up to `to`. The run of bytes that continues it begins at
   * `from`, which is later than `to` if quotes were left out. All bytes before `from` are split.
   */
  start: usize;
  to: usize;
  from: usize;
  /** The end of the bytes that the host has written. */
  end: usize;
  /** How many cells there is room for. */
  most: usize;
  /** usize[1 + most + STEP]: a place for what lies before the first mark, and the marks. */
  marks: usize;
  /** usize[most][2]: where the text of each cell begins and ends; quotes are resolved. */
  bounds: usize;
  /**
   * usize[cells][2]: the same, `stride` bytes apart, for what was split last: each cell begins `gap` bytes after the
   * first number. Where cells are as they stand in the text, these are the marks around them.
   */
  pairs: usize;
  stride: usize;
  gap: usize;
  cells: u32;
  /** u32[most]: the number of cells before the end of each record. A blank line adds none. */
  ends: usize;
  records: u32;
}

/**
 * Begins a text. It is split into cells as `parserPush` says.
 * @param delimiter an ASCII character, neither a quote nor a line end
 * @returns 0 where the memory does not suffice
 */
export function parserOpen(delimiter: u32): usize {
  const pointer = alloc(offsetof<Parser>());
  if (pointer) changetype<Parser>(pointer).delimiter = delimiter;
  return pointer;
}

/** Where the host writes the next bytes: `length` of them, at most LONGEST_CELL. 0 if there is no room. */
export function parserText(pointer: usize, length: u32): usize {
  const parser = changetype<Parser>(pointer);
  if (length > <u32>LONGEST_CELL) return 0;
  const kept = min<usize>(parser.to - parser.start, LONGEST_CELL);
  let text = parser.text;
  if (kept + length > parser.room) {
    const room = max<usize>(kept + length, 2 * parser.room);
    text = alloc(MARGIN + room + STEP);
    if (!text) return 0;
    text += MARGIN;
    parser.room = room;
  }
  memory.copy(text, parser.start, kept);
  parser.text = parser.start = text;
  parser.to = parser.from = parser.end = text + kept;
  return parser.end;
}

/**
 * Splits the bytes that the host has written. Every text can be read; none is an error. CR, LF and CRLF each end a
 * record, and may be mixed. A quote opens a cell only at its start. Inside quotes a doubled quote is one quote. Text
 * after the closing quote is kept. A quote that is still open at the end closes there. A cell longer than LONGEST_CELL
 * is cut to that length. The bytes may come in pieces of any size.
 * @returns a status
 */
export function parserPush(pointer: usize, length: u32): i32 {
  const parser = changetype<Parser>(pointer);
  if (parser.end + length > parser.text + parser.room) return ARGUMENT_REFUSED;
  parser.end += length;
  if (!reserve(parser, length)) return OUT_OF_MEMORY;
  split(parser, parser.end);
  return OK;
}

/** Ends the last record, if the text does not end in a line end. Anything that follows is another text. */
export function parserEnd(pointer: usize): i32 {
  const parser = changetype<Parser>(pointer);
  if (!reserve(parser, 1)) return OUT_OF_MEMORY;
  const last = <u32>isInRecord(parser);
  store<usize>(parser.bounds, parser.start);
  store<usize>(parser.bounds, min(parser.to, parser.start + LONGEST_CELL), 4);
  store<u32>(parser.ends, 1);
  parser.cells = parser.records = last;
  setPairs(parser, parser.bounds, 8, 0);
  parser.state = RECORD;
  parser.start = parser.to = parser.from;
  return OK;
}

/** The cells that ended in the last push; the first ones may continue a record that began earlier. */
export function parserCells(parser: usize): u32 {
  return changetype<Parser>(parser).cells;
}

/** usize[cells][2]: where the text of each cell begins and ends. */
export function parserBounds(parser: usize): usize {
  return changetype<Parser>(parser).bounds;
}

/** The records that ended in the last push. */
export function parserRecords(parser: usize): u32 {
  return changetype<Parser>(parser).records;
}

/** u32[records]: the number of cells before the end of each record; for a blank line the same as above it. */
export function parserEnds(parser: usize): usize {
  return changetype<Parser>(parser).ends;
}

/** Whether a record has begun and not ended. */
export function parserInRecord(parser: usize): bool {
  return isInRecord(changetype<Parser>(parser));
}

/** The text so far of the incomplete cell. */
export function parserBegun(parser: usize): usize {
  return changetype<Parser>(parser).start;
}

export function parserBegunBytes(parser: usize): usize {
  return changetype<Parser>(parser).to - changetype<Parser>(parser).start;
}

/** Whether a quote is open. */
export function parserInQuotes(parser: usize): bool {
  return changetype<Parser>(parser).state == QUOTED;
}

/** Begins a text as if it came after a CR. */
export function beginAfterReturn(parser: Parser): void {
  parser.state = RETURN;
}

@inline
export function isInRecord(parser: Parser): bool {
  return parser.state > RETURN;
}

/**
 * Makes room for all cells and records that `bytes` bytes can hold: each ends in a byte of its own, except for the
 * last one.
 */
export function reserve(parser: Parser, bytes: usize): bool {
  if (bytes + 1 <= parser.most) return true;
  const most = max(bytes + 1, parser.most * 2);
  const marks = alloc((1 + most + STEP) << 2);
  const bounds = alloc(most << 3);
  const ends = alloc(most << 2);
  if (!marks || !bounds || !ends) return false;
  parser.most = most;
  parser.marks = marks;
  parser.bounds = bounds;
  parser.ends = ends;
  return true;
}

// @ts-ignore: decorator
@inline
function setPairs(parser: Parser, pairs: usize, stride: usize, gap: usize): void {
  parser.pairs = pairs;
  parser.stride = stride;
  parser.gap = gap;
}

/**
 * Splits bytes as `split` does, without a look at each mark, up to the first step that has a quote, a CR or a blank
 * line. Some states allow no bytes at all.
 */
export function splitPlain(parser: Parser, end: usize): void {
  const marks = parser.marks;
  let next = marks + 4;
  let recordEnd = parser.ends;
  let at = parser.from;
  let start = parser.start;
  let state = parser.state;
  if (state != RETURN && state <= PLAIN && parser.to == at && end - start <= <usize>LONGEST_CELL) {
    store<usize>(marks, start - 1);
    const delimiter = parser.delimiter;
    // Whether the byte before the step is a line end, so that another one would make a blank line.
    let before = u64(state == RECORD);
    for (; at < end; at += STEP) {
      let lines: u64 = 0;
      let bits: u64 = 0;
      if (ASC_FEATURE_SIMD) {
        let others = i64x2.splat(0);
        for (let lane: usize = 0; lane < STEP; lane += 16) {
          const bytes = v128.load(at + lane);
          const ends = i8x16.eq(bytes, i8x16.splat(<i8>LF));
          const delimiters = i8x16.eq(bytes, i8x16.splat(<i8>delimiter));
          const quotes = i8x16.eq(bytes, i8x16.splat(<i8>QUOTE));
          others = v128.or(others, v128.or(quotes, i8x16.eq(bytes, i8x16.splat(<i8>CR))));
          lines |= (<u64>(<u32>i8x16.bitmask(ends))) << lane;
          bits |= (<u64>(<u32>i8x16.bitmask(v128.or(ends, delimiters)))) << lane;
        }
        if (v128.any_true(others)) break;
      } else {
        let others: u64 = 0;
        for (let word: usize = 0; word < STEP; word += 8) {
          const bytes = load<u64>(at + word);
          const ends = zeros(bytes ^ (ONES * LF));
          others |= zeros(bytes ^ (ONES * QUOTE)) | zeros(bytes ^ (ONES * CR));
          lines |= gathered(ends) << word;
          bits |= gathered(ends | zeros(bytes ^ (ONES * delimiter))) << word;
        }
        if (others) break;
      }
      if (end - at < STEP) {
        const inside = (<u64>1 << (end - at)) - 1;
        lines &= inside;
        bits &= inside;
      }
      if (lines & ((lines << 1) | before)) break;
      before = lines >>> 63;
      const cells = (next - marks - 4) >> 2;
      for (; lines; lines &= lines - 1) {
        store<u32>(recordEnd, <u32>(cells + <usize>popcnt(bits & (lines ^ (lines - 1)))));
        recordEnd += 4;
      }
      next = writeMarks(bits, at, next);
    }
    at = min(at, end);
    if (next > marks + 4) {
      start = load<usize>(next - 4) + 1;
      state = load<u8>(start - 1) == LF ? RECORD : CELL;
    }
    if (at > parser.from && at > start) state = PLAIN;
    parser.start = start;
    parser.to = parser.from = at;
    parser.state = state;
  }
  parser.cells = <u32>((next - marks - 4) >> 2);
  parser.records = <u32>((recordEnd - parser.ends) >> 2);
  setPairs(parser, marks, 4, 1);
}

/** Splits the bytes up to a place. There must be room for their cells. */
export function split(parser: Parser, end: usize): void {
  const delimiter = parser.delimiter;
  const bounds = parser.bounds;
  let bound = bounds;
  let recordEnd = parser.ends;
  let state = parser.state;
  let start = parser.start;
  let to = parser.to;
  let from = parser.from;
  let mark = parser.marks + 4;
  const last = mark + (<usize>findMarks(from, end, delimiter, mark) << 2);
  for (; mark < last; mark += 4) {
    const at = load<usize>(mark);
    const byte: u32 = load<u8>(at);
    if (state <= CELL) {
      // The cell is one run without quotes so far.
      if (byte == delimiter) {
        store<usize>(bound, from);
        store<usize>(bound, at, 4);
        bound += 8;
        start = to = from = at + 1;
        state = CELL;
      } else if (byte != QUOTE) {
        if (at > from || state == CELL) {
          store<usize>(bound, from);
          store<usize>(bound, at, 4);
          bound += 8;
        } else if (byte == LF && state == RETURN) {
          start = to = from = at + 1;
          state = RECORD;
          continue;
        }
        store<u32>(recordEnd, <u32>((bound - bounds) >> 3));
        recordEnd += 4;
        start = to = from = at + 1;
        state = byte == CR ? RETURN : RECORD;
      } else if (at > from) {
        state = PLAIN;
        to = from = at + 1;
      } else {
        start = to = from = at + 1;
        // Most quoted cells have no other marks inside.
        const close = load<usize>(mark, 4);
        if (mark + 8 < last && load<u8>(close) == QUOTE && load<usize>(mark, 8) == close + 1) {
          if (load<u8>(close, 1) == delimiter) {
            store<usize>(bound, from);
            store<usize>(bound, close, 4);
            bound += 8;
            start = to = from = close + 2;
            state = CELL;
            mark += 8;
            continue;
          }
        }
        state = QUOTED;
      }
      continue;
    }
    if (state == QUOTED && byte != QUOTE) continue;
    if (at > from) {
      if (to != from) memory.copy(to, from, at - from);
      to += at - from;
      if (state != QUOTED) state = PLAIN;
    }
    from = at + 1;
    if (byte == QUOTE) {
      if (state == QUOTED) state = CLOSED;
      else {
        state = state == CLOSED ? QUOTED : PLAIN;
        store<u8>(to, QUOTE);
        to++;
      }
      continue;
    }
    store<usize>(bound, start);
    store<usize>(bound, min(to, start + LONGEST_CELL), 4);
    bound += 8;
    start = to = from;
    if (byte == delimiter) state = CELL;
    else {
      store<u32>(recordEnd, <u32>((bound - bounds) >> 3));
      recordEnd += 4;
      state = byte == CR ? RETURN : RECORD;
    }
  }
  if (end > from) {
    if (to != from) memory.copy(to, from, end - from);
    to += end - from;
    from = end;
    if (state != QUOTED) state = PLAIN;
  }
  parser.cells = <u32>((bound - bounds) >> 3);
  parser.records = <u32>((recordEnd - parser.ends) >> 2);
  setPairs(parser, bounds, 8, 0);
  parser.state = state;
  parser.start = start;
  parser.to = to;
  parser.from = from;
}
