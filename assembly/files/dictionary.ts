// Remembers a number for each text, by its bytes (open addressing).
import { alloc } from "../arena";

/** A text of up to this many bytes is its own key. */
const SHORT: u64 = 7;
/** The top bit of the keys of longer texts. */
const LONG: u64 = 1 << 63;
/** 2^64 over the golden ratio: a difference in any bit reaches the upper bits (Knuth, The Art of Programming, 6.4). */
const SCATTER: u64 = 0x9e3779b97f4a7c15;

// A slot: a key (0 where it is free), a value, and where the text is if it is not its own key.
export const SLOT_BYTES: usize = 16;
export const SLOT_VALUE: usize = 8;
export const SLOT_TEXT: usize = 12;

const FIRST_SLOTS: usize = 32;
/** Bytes of long texts that the limit allows for each entry, on average. */
const BYTES_AN_ENTRY: u64 = 32;
const FIRST_CHUNK: usize = 1024;
const LARGEST_CHUNK: usize = 65536;

@unmanaged
export class Dictionary {
  /** At most half of the slots are taken. */
  slots: usize;
  /** The bytes of all slots but one: an offset of a slot is taken modulo their size. */
  last: usize;
  /** Turns a scattered key into the number of a slot. */
  shift: u64;
  /** The largest number of texts to remember; fewer if they are long. */
  limit: u32;
  entries: u32;
  /** Long texts lie in chunks that never move, each text after its length (u32), in steps of four bytes. */
  next: usize;
  chunkEnd: usize;
  chunk: usize;
  /** Bytes that long texts take. */
  used: u64;
}

/** @returns whether the memory suffices */
export function dictionaryBegin(dictionary: Dictionary, limit: u32): bool {
  const slots = alloc(FIRST_SLOTS * SLOT_BYTES);
  dictionary.slots = slots;
  dictionary.last = (FIRST_SLOTS - 1) * SLOT_BYTES;
  dictionary.shift = 64 - ctz<u64>(FIRST_SLOTS);
  dictionary.limit = limit;
  dictionary.chunk = FIRST_CHUNK / 2;
  return slots != 0;
}

/** For each length of a short text, the bits of a word that hold it. */
const MASKS = memory.data<u64>([0, 0xff, 0xffff, 0xffffff, 0xffffffff, 0xffffffffff, 0xffffffffffff, 0xffffffffffffff]);

/**
 * The key of a text: a short one's bytes and a byte 1 after them, which is above 0 as a signed number; of others a hash
 * below 0.
 * @param from followed by 8 readable bytes
 */
export function keyOf(from: usize, to: usize): u64 {
  return inlineKeyOf(from, to);
}

/** The same, for loops that would lose their registers to a call. */
// @ts-ignore: decorator
@inline
export function inlineKeyOf(from: usize, to: usize): u64 {
  let length: u64 = to - from;
  if (length <= SHORT) {
    const mask = load<u64>(MASKS + (<usize>length << 3));
    return (load<u64>(from) & mask) + mask + 1;
  }
  // Words of eight bytes, the last of which are the text's last eight, each folded into the next.
  const last = to - 8;
  for (; from < last; from += 8) length = folded((length ^ load<u64>(from)) * SCATTER);
  return folded((length ^ load<u64>(last)) * SCATTER) | LONG;
}

/** Brings differences in the upper bits down too; otherwise those of the next word would often cancel them. */
@inline
function folded(word: u64): u64 {
  return word ^ (word >>> 29);
}

/** Where the look-up of a key begins. */
@inline
function firstSlot(dictionary: Dictionary, key: u64): usize {
  return dictionary.slots + <usize>(scattered(key) >>> dictionary.shift) * SLOT_BYTES;
}

@inline
export function scattered(key: u64): u64 {
  return key * SCATTER;
}

@inline
function nextSlot(dictionary: Dictionary, slot: usize): usize {
  return dictionary.slots + ((slot - dictionary.slots + SLOT_BYTES) & dictionary.last);
}

/** The slot of a text, or the free slot where it would be. */
export function slotOf(dictionary: Dictionary, key: u64, from: usize, to: usize): usize {
  let slot = firstSlot(dictionary, key);
  while (load<u64>(slot) != key || (<i64>key < 0 && !isLongText(load<usize>(slot, SLOT_TEXT), from, to))) {
    if (load<u64>(slot) == 0) break;
    slot = nextSlot(dictionary, slot);
  }
  return slot;
}

/** Whether a text with the same hash as a stored long one is the same. */
export function isLongText(stored: usize, from: usize, to: usize): bool {
  return inlineIsLongText(stored, from, to);
}

// @ts-ignore: decorator
@inline
export function inlineIsLongText(stored: usize, from: usize, to: usize): bool {
  if (load<u32>(stored) != <u32>(to - from)) return false;
  stored += 4;
  const last = to - 8;
  const shift = stored - from;
  for (; from < last; from += 8) if (load<u64>(from) != load<u64>(from + shift)) return false;
  return load<u64>(last) == load<u64>(last + shift);
}

/** Whether one more text may be remembered. */
@inline
export function hasRoom(dictionary: Dictionary): bool {
  return dictionary.entries < dictionary.limit && dictionary.used < dictionary.limit * BYTES_AN_ENTRY;
}

/** Remembers a value for a text that has none. Returns whether the memory suffices. */
export function remember(dictionary: Dictionary, from: usize, to: usize, value: u32): bool {
  if ((<usize>dictionary.entries + 1) * SLOT_BYTES * 2 > dictionary.last + SLOT_BYTES && !widen(dictionary))
    return false;
  const key = keyOf(from, to);
  const text = <i64>key < 0 ? keep(dictionary, from, to) : 1;
  if (!text) return false;
  const slot = freeSlot(dictionary, key);
  store<u64>(slot, key);
  store<u32>(slot, value, SLOT_VALUE);
  store<usize>(slot, text, SLOT_TEXT);
  dictionary.entries++;
  return true;
}

/** The first free slot for a key. */
function freeSlot(dictionary: Dictionary, key: u64): usize {
  let slot = firstSlot(dictionary, key);
  while (load<u64>(slot) != 0) slot = nextSlot(dictionary, slot);
  return slot;
}

/** Copies a long text. Returns its place, or 0 if the memory does not suffice. */
function keep(dictionary: Dictionary, from: usize, to: usize): usize {
  const length = to - from;
  const bytes = (length + 7) & ~3;
  if (dictionary.next + bytes > dictionary.chunkEnd) {
    dictionary.chunk = min(dictionary.chunk * 2, LARGEST_CHUNK);
    const size = max(dictionary.chunk, bytes);
    const chunk = alloc(size);
    if (!chunk) return 0;
    dictionary.next = chunk;
    dictionary.chunkEnd = chunk + size;
  }
  const text = dictionary.next;
  store<u32>(text, <u32>length);
  memory.copy(text + 4, from, length);
  dictionary.next += bytes;
  dictionary.used += bytes;
  return text;
}

/** Moves the entries to twice as many slots. Returns whether the memory suffices. */
function widen(dictionary: Dictionary): bool {
  const narrow = dictionary.slots;
  const end = narrow + dictionary.last + SLOT_BYTES;
  const slots = alloc((end - narrow) * 2);
  if (!slots) return false;
  dictionary.slots = slots;
  dictionary.last = (end - narrow) * 2 - SLOT_BYTES;
  dictionary.shift--;
  for (let from = narrow; from < end; from += SLOT_BYTES) {
    const key = load<u64>(from);
    if (key != 0) memory.copy(freeSlot(dictionary, key), from, SLOT_BYTES);
  }
  return true;
}
