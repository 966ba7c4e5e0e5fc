import { type Cells, WORD } from "./cells.js";

/** Most texts that a column remembers: about 5 MiB a column at most. */
export const REMEMBERED = 65_536;
/** Words kept for each entry that the limit allows, on average. */
const WORDS_AN_ENTRY = 8;
const FIRST_ENTRIES = 16;

// A slot of the hash table: what a lookup reads lies side by side. A free slot has number 0.
const SLOT = 4;
/** 1 for the first entry, 2 for the second, … */
const NUMBER = 0;
const HASH = 1;
const START = 2;
const LENGTH = 3;

/** 2^32 over the golden ratio: its products spread over their upper bits (Knuth, TAOCP, 6.4). */
const GOLDEN = 0x9e3779b9 | 0;

/**
 * Remembers the codes of cells by their bytes (open addressing), so that a text is decoded and encoded once, not once a cell. Beyond
 * its limit nothing more is remembered: columns of ever new texts cost time but no room.
 */
export class ByteDictionary {
  readonly #encode: (text: string) => number;
  readonly #limit: number;
  #entries = 0;
  /** At most half of them are taken. */
  #slots = new Int32Array(2 * FIRST_ENTRIES * SLOT);
  /** What a hash is shifted by to give a slot's number: its upper bits are the better ones. */
  #shift = 32 - Math.log2(2 * FIRST_ENTRIES);
  #codes = new Float64Array(FIRST_ENTRIES);
  /** The texts' words. */
  #words = new Int32Array(FIRST_ENTRIES * WORDS_AN_ENTRY);
  #used = 0;

  /** @param limit most texts to remember; fewer where they are long */
  constructor(encode: (text: string) => number, limit: number) {
    this.#encode = encode;
    this.#limit = limit;
  }

  /** The code of a cell's text. */
  code(cells: Cells, cell: number): number {
    const start = cells.starts[cell];
    const end = cells.ends[cell];
    const length = end - start;
    let hash = length;
    for (let at = start; at < end; at += WORD)
      hash = Math.imul(((hash << 5) | (hash >>> 27)) ^ cells.word(at, end), GOLDEN);
    const slots = this.#slots;
    const last = slots.length - 1;
    let slot = (hash >>> this.#shift) * SLOT;
    for (; slots[slot + NUMBER] !== 0; slot = (slot + SLOT) & last)
      if (slots[slot + HASH] === hash && slots[slot + LENGTH] === length) {
        const words = this.#words;
        let known = slots[slot + START];
        let at = start;
        // The last word need not be looked at: with those before it, it makes one hash alone.
        for (; at + WORD < end && words[known] === cells.word(at, end); at += WORD) known++;
        if (at + WORD >= end) return this.#codes[slots[slot + NUMBER] - 1];
      }
    return this.#codeOfNew(cells, cell, hash);
  }

  #codeOfNew(cells: Cells, cell: number, hash: number): number {
    const code = this.#encode(cells.text(cell));
    if (this.#entries < this.#limit && this.#used < this.#limit * WORDS_AN_ENTRY)
      this.#remember(cells, cells.starts[cell], cells.ends[cell], hash, code);
    return code;
  }

  #remember(cells: Cells, start: number, end: number, hash: number, code: number): void {
    if (2 * this.#entries * SLOT === this.#slots.length) this.#widen();
    const used = this.#used + Math.ceil((end - start) / WORD);
    if (used > this.#words.length) this.#words = larger(this.#words, used);
    if (this.#entries === this.#codes.length) this.#codes = larger(this.#codes, 0);
    this.#codes[this.#entries++] = code;
    this.#slots.set([this.#entries, hash, this.#used, end - start], this.#freeSlot(hash));
    for (let at = start; at < end; at += WORD) this.#words[this.#used++] = cells.word(at, end);
  }

  /** Puts the same entries among twice as many slots. */
  #widen(): void {
    const narrow = this.#slots;
    this.#slots = new Int32Array(2 * narrow.length);
    this.#shift--;
    for (let from = 0; from < narrow.length; from += SLOT)
      if (narrow[from + NUMBER] !== 0)
        this.#slots.set(narrow.subarray(from, from + SLOT), this.#freeSlot(narrow[from + HASH]));
  }

  #freeSlot(hash: number): number {
    const last = this.#slots.length - 1;
    let slot = (hash >>> this.#shift) * SLOT;
    while (this.#slots[slot + NUMBER] !== 0) slot = (slot + SLOT) & last;
    return slot;
  }
}

/** A copy with room for at least `length` elements, and for twice as many as before. */
function larger<T extends Int32Array | Float64Array>(array: T, length: number): T {
  const copy = new (array.constructor as new (length: number) => T)(Math.max(length, 2 * array.length));
  copy.set(array);
  return copy;
}
