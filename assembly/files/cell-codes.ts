// The stored codes of a column's cells. A cell's code depends on its text and on nothing else; what is remembered only
// saves time.
import { alloc } from "../arena";
import {
  ABSENT_TEXT,
  CELLS_CATEGORY,
  CELLS_GRID,
  CELLS_PERSON,
  CELLS_TEXT,
  NO_PERSON,
  NO_TEXT,
  NOTATION_KIND,
  SPELLS_NUMBER,
  DECLARES_LABEL,
  DECLARES_MISSING,
  DECLARES_OTHER,
} from "../layout";
import { momentPoint, readPlainPoint, readPoint } from "../notation/read-point";
import { momentValue, readCanonical, writeCanonical } from "../notation/read-value";
import { decodedText, trimmedEnd, trimmedStart } from "../notation/utf8";
import { Column, GAP, declaredSlot, mayRemember, roomFor } from "./column";
import {
  SLOT_BYTES,
  SLOT_TEXT,
  SLOT_VALUE,
  inlineIsLongText,
  inlineKeyOf,
  keyOf,
  remember,
  scattered,
  slotOf,
} from "./dictionary";

/** After this many cells, the engine decides whether it still pays to remember a column's texts. */
const DECIDING_CELLS: u32 = 4096;

/**
 * Writes the codes of cells.
 * @param bound usize[count][2]: where the text of each begins and ends, `step` bytes apart; texts are followed by 8
 *   readable bytes
 * @param out receives `count` codes in the column's width; not written for texts
 * @param gap the bytes before each text that its first bound includes
 */
export function codeCells(column: Column, bound: usize, step: usize, count: u32, out: usize, gap: usize = 0): void {
  column.read += count;
  if (column.read > DECIDING_CELLS) decide(column);
  if (column.kind == CELLS_TEXT) countTexts(column, bound, step, count, gap);
  else codeRun(column, bound, step, out, out + <usize>count * column.bytes, gap);
}

/** Writes the code of a cell that its record lacks. @param empty the address of an empty text: 8 readable bytes */
export function codeAbsent(column: Column, empty: usize, out: usize): void {
  const absent = column.absent;
  if (column.kind == CELLS_TEXT) countAbsent(column);
  else storeCode(column, absent == absent ? absent : codeOf(column, empty, empty), out);
}

/** Writes a code in the column's width. */
// @ts-ignore: decorator
@inline
export function storeCode(column: Column, code: f64, out: usize): void {
  if (column.bytes == 2) store<u16>(out, <u16>code);
  else if (column.bytes == 4) store<u32>(out, <u32>code);
  else store<f64>(out, code);
}

/**
 * Looking up a text in a memory that outgrows the cache costs as much as reading it. So a full memory that most texts
 * miss is no longer used, nor one of numbers, dates or times that nearly all texts miss: those would fill it.
 */
function decide(column: Column): void {
  const read = column.read;
  if (mayRemember(column) ? column.kind == CELLS_GRID && column.missed > read - read / 8 : column.missed > read / 2)
    column.memory = column.plain;
  column.read = 0;
  column.missed = 0;
}

function codeRun(column: Column, bound: usize, step: usize, out: usize, end: usize, gap: usize): void {
  const bytes: usize = column.bytes;
  for (;;) {
    const next = knownRun(column, bound, step, out, end, gap);
    if (next == end) return;
    bound += ((next - out) >> ctz(bytes)) * step;
    const from = load<usize>(bound) + gap;
    const to = load<usize>(bound, 4);
    const code = codeOf(column, from, to);
    storeCode(column, code, next);
    column.missed++;
    if (bytes < 8 && mayRemember(column)) memorise(column, from, to, <u32>code);
    out = next + bytes;
    bound += step;
  }
}

/**
 * Writes codes up to the first text not remembered, and returns where its code goes. The loop only looks up: it calls
 * nothing, so that everything stays in registers.
 */
function knownRun(column: Column, bound: usize, step: usize, out: usize, end: usize, gap: usize): usize {
  const memory = column.memory;
  const slots = memory.slots;
  const last = memory.last;
  const shift = memory.shift;
  const bytes = column.bytes;
  for (; out < end; out += bytes, bound += step) {
    const from = load<usize>(bound) + gap;
    const to = load<usize>(bound, 4);
    const key = inlineKeyOf(from, to);
    let slot = slots + <usize>(scattered(key) >>> shift) * SLOT_BYTES;
    if (load<u64>(slot) != key) {
      do {
        if (load<u64>(slot) == 0) return out;
        slot = slots + ((slot - slots + SLOT_BYTES) & last);
      } while (load<u64>(slot) != key);
    }
    if (<i64>key < 0) {
      while (!inlineIsLongText(load<usize>(slot, SLOT_TEXT), from, to)) {
        do {
          if (load<u64>(slot) == 0) return out;
          slot = slots + ((slot - slots + SLOT_BYTES) & last);
        } while (load<u64>(slot) != key);
      }
    }
    if (bytes == 2) store<u16>(out, load<u16>(slot, SLOT_VALUE));
    else if (bytes == 4) store<u32>(out, load<u32>(slot, SLOT_VALUE));
    else store<f64>(out, column.missing);
  }
  return out;
}

/** Remembers a code. If there is no room, that is a failure only for persons, whose numbers must be remembered. */
function memorise(column: Column, from: usize, to: usize, code: u32): void {
  if (!remember(column.memory, from, to, code) && column.kind == CELLS_PERSON) column.desk.failed = true;
}

/** The code of a text that is not remembered. */
function codeOf(column: Column, from: usize, to: usize): f64 {
  if (column.kind == CELLS_CATEGORY) return categoryOf(column, from, to);
  if (column.kind == CELLS_GRID && load<u32>(column.notation, NOTATION_KIND) == SPELLS_NUMBER) {
    const point = readPlainPoint(column.notation, from, to);
    if (point >= 0) return point;
  }
  if (!isAscii(from, to)) {
    if (!roomFor(column.desk, to - from)) return column.otherwise;
    const text = column.desk.scratch + 1;
    to = decodedText(from, to, text);
    from = text;
    if (load<u64>(declaredSlot(column, DECLARES_MISSING, from, to))) return column.missing;
  }
  if (column.kind == CELLS_PERSON) return column.numbered++;
  const point = readPoint(column.notation, from, to);
  return point < 0 ? column.otherwise : point;
}

/** The code of a category: of the text as declared, without the blanks around it, or as the number that it spells. */
function categoryOf(column: Column, from: usize, to: usize): f64 {
  if (!roomFor(column.desk, to - from)) return column.otherwise;
  const text = column.desk.scratch + 1;
  const end = decodedText(from, to, text);
  if (load<u64>(declaredSlot(column, DECLARES_MISSING, text, end))) return column.missing;
  let slot = categorySlot(column, text, end);
  if (!load<u64>(slot)) {
    // The look-up overwrites the byte before the text, which is a part of the number that is read next.
    const start = trimmedStart(text, end);
    const before = load<u8>(start - 1);
    slot = categorySlot(column, start, trimmedEnd(start, end));
    store<u8>(start - 1, before);
  }
  if (!load<u64>(slot) && column.notation) {
    const spelling = end + GAP;
    const length = readCanonical(column.notation, text, end, spelling);
    if (length >= 0) slot = declaredSlot(column, DECLARES_OTHER, spelling, spelling + length);
  }
  return load<u64>(slot) ? <f64>load<u32>(slot, SLOT_VALUE) : column.otherwise;
}

/** The code of a day or second, with the fraction that the notation's fields have. */
export function codeOfMoment(column: Column, moment: i64): f64 {
  const notation = column.notation;
  if (column.kind == CELLS_GRID) return momentPoint(notation, moment);
  if (!roomFor(column.desk, 0)) return column.otherwise;
  const spelling = column.desk.scratch + GAP;
  const length = writeCanonical(momentValue(notation, moment), spelling);
  const slot = declaredSlot(column, DECLARES_OTHER, spelling, spelling + length);
  return load<u64>(slot) ? <f64>load<u32>(slot, SLOT_VALUE) : column.otherwise;
}

/** The slot of a label, or else of another spelling. */
function categorySlot(column: Column, from: usize, to: usize): usize {
  const slot = declaredSlot(column, DECLARES_LABEL, from, to);
  return load<u64>(slot) ? slot : declaredSlot(column, DECLARES_OTHER, from, to);
}

/** Counts texts that are remembered, and notes the others. */
function countTexts(column: Column, bound: usize, step: usize, count: u32, gap: usize): void {
  for (; count > 0; count--, bound += step) {
    const from = load<usize>(bound) + gap;
    const to = load<usize>(bound, 4);
    const slot = slotOf(column.memory, keyOf(from, to), from, to);
    if (load<u64>(slot)) {
      const times = column.counts + ((<usize>load<u32>(slot, SLOT_VALUE)) << 2);
      store<u32>(times, load<u32>(times) + 1);
      continue;
    }
    let number: u32 = NO_TEXT;
    if (mayRemember(column) && remember(column.memory, from, to, column.numbered)) number = newNumber(column);
    note(column, number, <u32>(to - from), from);
  }
}

function countAbsent(column: Column): void {
  if (column.absentNumber) {
    const times = column.counts + ((<usize>(column.absentNumber - 1)) << 2);
    store<u32>(times, load<u32>(times) + 1);
    return;
  }
  let number: u32 = NO_TEXT;
  if (column.memory.limit) {
    number = newNumber(column);
    column.absentNumber = number + 1;
  }
  note(column, number, ABSENT_TEXT, 0);
}

/** The number of a text that occurs for the first time. */
function newNumber(column: Column): u32 {
  store<u32>(column.counts + ((<usize>column.numbered) << 2), 1);
  return column.numbered++;
}

/** Notes a text for the host: its number, its length, and its bytes in steps of four. */
function note(column: Column, number: u32, length: u32, from: usize): void {
  const bytes: usize = length == ABSENT_TEXT ? 0 : length;
  const needed = column.freshBytes + 8 + ((bytes + 3) & ~3);
  if (needed > column.freshRoom) {
    const room = needed * 2;
    const fresh = alloc(room);
    if (!fresh) {
      column.desk.failed = true;
      return;
    }
    memory.copy(fresh, column.fresh, column.freshBytes);
    column.fresh = fresh;
    column.freshRoom = room;
  }
  const place = column.fresh + column.freshBytes;
  store<u32>(place, number);
  store<u32>(place, length, 4);
  memory.copy(place + 8, from, bytes);
  column.freshBytes = needed;
}

/** Whether all characters are ASCII. */
function isAscii(from: usize, to: usize): bool {
  for (; from + 8 <= to; from += 8) if (load<u64>(from) & 0x8080808080808080) return false;
  const left = to - from;
  return !(load<u64>(from) & ~((<u64>-1) << (<u64>left << 3)) & 0x8080808080808080);
}
