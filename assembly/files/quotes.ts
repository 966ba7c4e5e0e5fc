// Quotes around cells that would not be read back unchanged without them.
import { TEXT_SLACK } from "../layout";

const QUOTE: u8 = 0x22;
const LF: u8 = 0x0a;
const CR: u8 = 0x0d;

/** Whether a byte of a text is a delimiter, a quote or a line break. */
function hasMark(from: usize, to: usize, delimiter: u8): bool {
  if (ASC_FEATURE_SIMD) {
    for (; from < to; from += 16) {
      const bytes = v128.load(from);
      const breaks = v128.or(i8x16.eq(bytes, i8x16.splat(LF)), i8x16.eq(bytes, i8x16.splat(CR)));
      const marks = v128.or(i8x16.eq(bytes, i8x16.splat(QUOTE)), i8x16.eq(bytes, i8x16.splat(delimiter)));
      const found = i8x16.bitmask(v128.or(breaks, marks));
      if (found & (to - from < 16 ? (1 << (<i32>(to - from))) - 1 : -1)) return true;
    }
    return false;
  }
  for (; from < to; from++) {
    const byte = load<u8>(from);
    if (byte == delimiter || byte == QUOTE || byte == LF || byte == CR) return true;
  }
  return false;
}

/**
 * Puts quotes around a cell if it needs them: if it has a delimiter, a quote or a line break, if it starts with a byte
 * order mark, or if it is empty and alone in its record, whose line would be blank.
 * @param from a text with TEXT_SLACK bytes after it that can be read, and room for one more byte per quote and two more
 * @param alone whether the table has a single column
 * @returns the end of the cell
 */
export function quoteCell(from: usize, to: usize, delimiter: u8, alone: bool): usize {
  if (from == to) {
    if (!alone) return to;
  } else {
    const marked = to - from >= 3 && load<u16>(from) == 0xbbef && load<u8>(from, 2) == 0xbf;
    if (!marked && !hasMark(from, to, delimiter)) return to;
  }
  let quotes: usize = 0;
  for (let at = from; at < to; at++) if (load<u8>(at) == QUOTE) quotes++;
  const end = to + quotes + 2;
  // From the end, since the cell moves over itself.
  let out = end - 1;
  store<u8>(out, QUOTE);
  while (to > from) {
    const byte = load<u8>(--to);
    store<u8>(--out, byte);
    if (byte == QUOTE) store<u8>(--out, QUOTE);
  }
  store<u8>(from, QUOTE);
  return end;
}

/**
 * Texts as cells of a file, with quotes where they need them.
 * @param texts TEXTS of `count` texts
 * @param out TEXTS, with room for two more bytes per text and one more per quote; TEXT_SLACK bytes after them are used
 * @returns the end of the last text
 */
export function quoteTexts(texts: usize, count: u32, delimiter: u32, alone: bool, out: usize): usize {
  let end = out + ((<usize>count + 1) << 2);
  for (let index: u32 = 0; index < count; index++) {
    const bounds = texts + (<usize>index << 2);
    const begin = end;
    const length = load<u32>(bounds, 4) - load<u32>(bounds);
    store<u32>(out + (<usize>index << 2), <u32>(begin - out));
    memory.copy(begin, texts + load<u32>(bounds), length);
    end = quoteCell(begin, begin + length, <u8>delimiter, alone);
  }
  store<u32>(out + (<usize>count << 2), <u32>(end - out));
  return end;
}

/** Copies a text. Up to TEXT_SLACK bytes after it are read, and overwritten in the copy. @returns the copy's end */
@inline
export function copyText(from: usize, length: usize, out: usize): usize {
  const end = out + length;
  for (; out < end; out += TEXT_SLACK, from += TEXT_SLACK) {
    const first = load<u64>(from);
    const second = load<u64>(from, 8);
    store<u64>(out, first);
    store<u64>(out, second, 8);
  }
  return end;
}
