import type { Codes } from "../core/table.js";
import type { Cells } from "./cells.js";

/** Most texts that a column remembers: about 5 MiB a column at most. */
export const REMEMBERED = 65_536;
/** Words kept for each entry that the limit allows, on average. */
const WORDS_AN_ENTRY = 8;
const FIRST_ENTRIES = 16;

/** A slot of the hash table: what a lookup reads lies side by side. */
enum Slot {
  /** 0 in a free slot; 1 for the first entry, 2 for the second, … */
  NUMBER,
  HASH,
  START,
  LENGTH,
  SIZE,
}

/**
 * Remembers the codes of cells by their bytes (open addressing), so that a text is decoded and encoded once, not once a cell. Beyond
 * its limit nothing more is remembered: columns of ever new texts cost time but no room.
 */
export class ByteDictionary {
  readonly #encode: (text: string) => number;
  readonly #limit: number;
  #entries = 0;
  /** At most half of them are taken. */
  #slots = new Int32Array(2 * FIRST_ENTRIES * Slot.SIZE);
  /** What a hash is shifted by to give a slot's number: its upper bits are the better ones. */
  #shift = Math.clz32(2 * FIRST_ENTRIES - 1);
  #codes = new Float64Array(FIRST_ENTRIES);
  /** The texts' words. */
  #words = new Int32Array(FIRST_ENTRIES * WORDS_AN_ENTRY);
  #used = 0;

  /** @param limit most texts to remember; fewer where they are long */
  constructor(encode: (text: string) => number, limit: number) {
    this.#encode = encode;
    this.#limit = limit;
  }

  /** Puts the codes of the cells `first`, `first + stride`, … at `codes[at]`, `codes[at + 1]`, … up to `codes[end - 1]`. */
  read(cells: Cells, first: number, stride: number, codes: Codes, at: number, end: number): void {
    let next = this.#readKnown(cells, first, stride, codes, at, end);
    while (next < end) {
      const cell = first + (next - at) * stride;
      codes[next] = this.#codeOfNew(cells, cell);
      next = this.#readKnown(cells, cell + stride, stride, codes, next + 1, end);
    }
  }

  /** Does so up to the first text that is not known, and gives its place. Nothing is called between two cells: that is what makes it quick. */
  #readKnown(cells: Cells, first: number, stride: number, codes: Codes, at: number, end: number): number {
    const { bounds, view } = cells;
    const slots = this.#slots;
    const shift = this.#shift;
    const words = this.#words;
    const known = this.#codes;
    const last = slots.length - 1;
    let bound = 2 * first;
    for (let next = at; next < end; next++) {
      const from = bounds[bound];
      const to = bounds[bound + 1];
      const hash = hashOf(view, from, to);
      let slot = (hash >>> shift) * Slot.SIZE;
      while (
        slots[slot + Slot.HASH] !== hash ||
        slots[slot + Slot.LENGTH] !== to - from ||
        !hasWords(view, from, to, words, slots[slot + Slot.START])
      ) {
        if (slots[slot + Slot.NUMBER] === 0) return next;
        slot = (slot + Slot.SIZE) & last;
      }
      codes[next] = known[slots[slot + Slot.NUMBER] - 1];
      bound += 2 * stride;
    }
    return end;
  }

  #codeOfNew(cells: Cells, cell: number): number {
    const code = this.#encode(cells.text(cell));
    if (this.#entries < this.#limit && this.#used < this.#limit * WORDS_AN_ENTRY)
      this.#remember(cells.view, cells.bounds[2 * cell], cells.bounds[2 * cell + 1], code);
    return code;
  }

  #remember(view: DataView, from: number, to: number, code: number): void {
    if (2 * this.#entries * Slot.SIZE === this.#slots.length) this.#widen();
    const used = this.#used + ((to - from) >> 2);
    if (used > this.#words.length) this.#words = larger(this.#words, used);
    if (this.#entries === this.#codes.length) this.#codes = larger(this.#codes, 0);
    const hash = hashOf(view, from, to);
    this.#codes[this.#entries++] = code;
    this.#slots.set([this.#entries, hash, this.#used, to - from], this.#freeSlot(hash));
    for (let at = from; this.#used < used; at += 4) this.#words[this.#used++] = view.getInt32(at, true);
  }

  /** Puts the same entries among twice as many slots. */
  #widen(): void {
    const narrow = this.#slots;
    this.#slots = new Int32Array(2 * narrow.length);
    this.#shift--;
    for (let from = 0; from < narrow.length; from += Slot.SIZE)
      if (narrow[from + Slot.NUMBER] !== 0)
        this.#slots.set(narrow.subarray(from, from + Slot.SIZE), this.#freeSlot(narrow[from + Slot.HASH]));
  }

  #freeSlot(hash: number): number {
    const last = this.#slots.length - 1;
    let slot = (hash >>> this.#shift) * Slot.SIZE;
    while (this.#slots[slot + Slot.NUMBER] !== 0) slot = (slot + Slot.SIZE) & last;
    return slot;
  }
}

/**
 * A hash of the bytes in their words of four and the rest of at most three. The multiplier is 2^32 over the golden ratio, whose products
 * differ most in their upper bits (Knuth, The Art of Computer Programming, 6.4). Of texts that differ in one word, or in the rest, each
 * has another hash.
 */
function hashOf(view: DataView, from: number, to: number): number {
  let hash = 1; // no text has the hash and the length of a free slot, which are 0
  let at = from;
  for (; at + 4 <= to; at += 4) hash = Math.imul(((hash << 5) | (hash >>> 27)) ^ view.getInt32(at, true), 0x9e3779b9);
  const rest = view.getInt32(at, true) & ~(-1 << (8 * (to - at)));
  return Math.imul(((hash << 5) | (hash >>> 27)) ^ rest, 0x9e3779b9);
}

/** Whether the bytes' words of four are those from `word` on. The rest, after the same words, is the same where the hash is. */
function hasWords(view: DataView, from: number, to: number, words: Int32Array, word: number): boolean {
  for (let at = from; at + 4 <= to; at += 4) if (words[word++] !== view.getInt32(at, true)) return false;
  return true;
}

/** A copy with room for at least `length` elements, and for twice as many as before. */
function larger<T extends Int32Array | Float64Array>(array: T, length: number): T {
  const copy = new (array.constructor as new (length: number) => T)(Math.max(length, 2 * array.length));
  copy.set(array);
  return copy;
}
