// The columns of a table that is read, and what their cells stand for.
import { alloc } from "../arena";
import { CANONICAL_BYTES, CELLS_GRID, CELLS_PERSON, CELLS_TEXT, OK, OUT_OF_MEMORY, DECLARES_MISSING } from "../layout";
import { Dictionary, dictionaryBegin, hasRoom, keyOf, remember, slotOf } from "./dictionary";

/** What the columns of a reader share. */
@unmanaged
export class Desk {
  /** Where texts are rewritten before they are looked up. */
  scratch: usize;
  room: usize;
  /** Whether the memory did not suffice for something that was needed. */
  failed: bool;
}

/** One column. */
@unmanaged
export class Column {
  kind: u32;
  /** Bytes of a stored code: 2 (u16), 4 (u32) or 8 (f64). */
  bytes: u32;
  /** The codes of a missing spelling, of a cell that its record lacks (NaN: as an empty one), and of other texts. */
  missing: f64;
  absent: f64;
  otherwise: f64;
  /** NOTATION of numbers, dates and times, or 0. */
  notation: usize;
  /** What texts of the file were read as. */
  memory: Dictionary;
  /** Takes the place of the memory where most texts are new. It has the missing spellings that the memory has too. */
  plain: Dictionary;
  /** Cells since this was last decided, and how many of them had texts that were not remembered. */
  read: u32;
  missed: u32;
  /** Whether a missing spelling may be that of a number. */
  hasNumericGaps: bool;
  /** What the schema declares, each text after the byte DECLARES_… that says what it declares. */
  declared: Dictionary;
  desk: Desk;
  /** How many persons, or texts, have a number. */
  numbered: u32;
  /** For texts: those that were not remembered yet, and how often each of the others occurred. */
  fresh: usize;
  freshBytes: usize;
  freshRoom: usize;
  counts: usize;
  /** 1 + the number of "absent" among the texts. */
  absentNumber: u32;
}

/** Bytes after a text that may be read, before the text that it is rewritten as. */
export const GAP: usize = 16;

/** @returns 0 where the memory does not suffice */
export function columnBegin(
  desk: Desk,
  kind: u32,
  bytes: u32,
  missing: f64,
  absent: f64,
  otherwise: f64,
  notation: usize,
  limit: u32,
): usize {
  const pointer = alloc(offsetof<Column>());
  const memory = alloc(offsetof<Dictionary>());
  const plain = alloc(offsetof<Dictionary>());
  const declared = alloc(offsetof<Dictionary>());
  if (!pointer || !memory || !plain || !declared) return 0;
  const column = changetype<Column>(pointer);
  column.kind = kind;
  column.bytes = bytes;
  column.missing = missing;
  column.absent = absent;
  column.otherwise = otherwise;
  column.notation = notation;
  column.memory = changetype<Dictionary>(memory);
  column.plain = changetype<Dictionary>(plain);
  column.declared = changetype<Dictionary>(declared);
  column.desk = desk;
  if (!dictionaryBegin(column.memory, limit) || !dictionaryBegin(column.plain, 0)) return 0;
  if (!dictionaryBegin(column.declared, -1)) return 0;
  if (kind == CELLS_TEXT) {
    column.counts = alloc((<usize>limit + 1) << 2);
    if (!column.counts) return 0;
  }
  return pointer;
}

/**
 * Declares texts of a column; of equal ones the first counts.
 * @param declares DECLARES_MISSING, DECLARES_LABEL or DECLARES_OTHER
 * @param texts their UTF-8 bytes, one after the other
 * @param ends u32[count]: where each ends
 * @param codes u32[count]; 0 for missing spellings
 * @returns a status
 */
export function columnDeclare(pointer: usize, declares: u32, texts: usize, ends: usize, codes: usize, count: u32): i32 {
  const column = changetype<Column>(pointer);
  // In columns of doubles only missing spellings are remembered, so there the number means nothing.
  const missing: u32 = column.bytes == 8 ? 0 : <u32>column.missing;
  let to = texts;
  for (let index: usize = 0; index < count; index++) {
    const from = to;
    to = texts + load<u32>(ends + (index << 2));
    const length = to - from;
    if (!roomFor(column.desk, length)) return OUT_OF_MEMORY;
    const text = column.desk.scratch + 1;
    memory.copy(text, from, length);
    const known = declaredSlot(column, declares, text, text + length);
    const code = codes ? load<u32>(codes + (index << 2)) : 0;
    if (!load<u64>(known) && !remember(column.declared, text - 1, text + length, code)) return OUT_OF_MEMORY;
    // So that any other text of ASCII characters is known not to be missing, without another look-up.
    if (declares == DECLARES_MISSING && hasDigit(text, length)) column.hasNumericGaps = true;
    if (declares == DECLARES_MISSING && (column.kind == CELLS_GRID || column.kind == CELLS_PERSON)) {
      const slot = slotOf(column.plain, keyOf(text, text + length), text, text + length);
      if (load<u64>(slot)) continue;
      if (!remember(column.plain, text, text + length, missing)) return OUT_OF_MEMORY;
      if (!remember(column.memory, text, text + length, missing)) return OUT_OF_MEMORY;
    }
  }
  return OK;
}

function hasDigit(text: usize, length: usize): bool {
  for (const end = text + length; text < end; text++) if (<u32>load<u8>(text) - 0x30 < 10) return true;
  return false;
}

/**
 * The slot of a declared text, which is free if the text is not declared.
 * @param from in the scratch: the byte before it is overwritten
 */
export function declaredSlot(column: Column, declares: u32, from: usize, to: usize): usize {
  store<u8>(from - 1, declares);
  return slotOf(column.declared, keyOf(from - 1, to), from - 1, to);
}

/** Makes room in the scratch for a text of `bytes` bytes, a byte before it, and what it is rewritten as. */
export function roomFor(desk: Desk, bytes: usize): bool {
  // An ill-formed byte becomes a character of three bytes.
  const needed: usize = bytes * 3 + CANONICAL_BYTES + 2 * GAP;
  if (needed <= desk.room) return true;
  const room = max(needed, desk.room * 2);
  const scratch = alloc(room);
  if (!scratch) {
    desk.failed = true;
    return false;
  }
  desk.scratch = scratch;
  desk.room = room;
  return true;
}

/** Whether a column has room to remember what one more text was read as. */
@inline
export function mayRemember(column: Column): bool {
  return hasRoom(column.memory);
}

/** How many persons, or remembered texts, have a number. */
export function columnNumbered(column: usize): u32 {
  return changetype<Column>(column).numbered;
}

/**
 * The texts of a column of texts that were noted since `columnForget`: those that are not remembered, each time, and
 * the others when they occur for the first time. Each is its number u32 (NO_TEXT if it is not remembered), its length
 * u32 (ABSENT_TEXT for a cell that its record lacks), and its bytes, in steps of four bytes.
 */
export function columnFresh(column: usize): usize {
  return changetype<Column>(column).fresh;
}

export function columnFreshBytes(column: usize): usize {
  return changetype<Column>(column).freshBytes;
}

/** Drops the noted texts; what is remembered stays. */
export function columnForget(column: usize): void {
  changetype<Column>(column).freshBytes = 0;
}

/** u32[columnNumbered]: how often each remembered text of a column of texts occurred. */
export function columnCounts(column: usize): usize {
  return changetype<Column>(column).counts;
}
