import type { Codes } from "../core/table.js";
import type { Cells } from "./cells.js";

/** The largest number of texts that a column remembers, which takes at most about 5 MiB per column. */
export const REMEMBERED = 65_536;
/** Words kept per entry that the limit allows, on average. */
const WORDS_AN_ENTRY = 8;
const FIRST_ENTRIES = 16;

/** A slot of the hash table. */
enum Slot {
  /** The result of `keyOf`; 0 in a free slot. */
  KEY,
  ENTRY,
  SIZE,
}

/**
 * Remembers the codes of cells by their bytes (open addressing), so a text is decoded and encoded once instead of once
 * per cell. Beyond its limit nothing more is remembered: columns where every text is new cost time but no memory.
 */
export class ByteDictionary {
  readonly #encode: (text: string) => number;
  readonly #limit: number;
  /** At most half of the slots are taken. */
  #slots = new Int32Array(2 * FIRST_ENTRIES * Slot.SIZE);
  /** The shift that turns a scattered key into the number of a slot. */
  #shift = Math.clz32(2 * FIRST_ENTRIES - 1);
  /** By entry: its code, and where its text begins in `#words`. */
  readonly #codes: number[] = [];
  readonly #starts: number[] = [];
  /** The texts that do not fit in their keys: each is its length, then the words that `keyOf` reads. */
  #words = new Int32Array(FIRST_ENTRIES * WORDS_AN_ENTRY);
  #used = 0;

  /** @param limit the largest number of texts to remember; fewer if they are long */
  constructor(encode: (text: string) => number, limit: number) {
    this.#encode = encode;
    this.#limit = limit;
  }

  /** Writes the codes of the cells `first`, `first + stride`, … to `codes`, from place `at` up to `end`. */
  read(cells: Cells, first: number, stride: number, codes: Codes, at: number, end: number): void {
    let next = this.#readKnown(cells, first, stride, codes, at, end);
    while (next < end) {
      const cell = first + (next - at) * stride;
      codes[next] = this.#codeOfNew(cells, cell);
      next = this.#readKnown(cells, cell + stride, stride, codes, next + 1, end);
    }
  }

  /**
   * The same up to the first text that is not yet known, whose place it returns. The loop contains nothing but the
   * look-up.
   */
  #readKnown(cells: Cells, first: number, stride: number, codes: Codes, at: number, end: number): number {
    const { bounds, view } = cells;
    const slots = this.#slots;
    const last = slots.length - 1;
    const shift = this.#shift;
    const known = this.#codes;
    const starts = this.#starts;
    const words = this.#words;
    const step = 2 * stride;
    for (let next = at, bound = 2 * first; next < end; next++, bound += step) {
      const from = bounds[bound];
      const to = bounds[bound + 1];
      const key = keyOf(view, from, to);
      let slot = (scattered(key) >>> shift) * Slot.SIZE;
      while (
        slots[slot + Slot.KEY] !== key ||
        (key < 0 && !isText(view, from, to, words, starts[slots[slot + Slot.ENTRY]]))
      ) {
        if (slots[slot + Slot.KEY] === 0) return next;
        slot = (slot + Slot.SIZE) & last;
      }
      codes[next] = known[slots[slot + Slot.ENTRY]];
    }
    return end;
  }

  #codeOfNew(cells: Cells, cell: number): number {
    const code = this.#encode(cells.text(cell));
    if (this.#codes.length < this.#limit && this.#used < this.#limit * WORDS_AN_ENTRY)
      this.#remember(cells.view, cells.bounds[2 * cell], cells.bounds[2 * cell + 1], code);
    return code;
  }

  #remember(view: DataView, from: number, to: number, code: number): void {
    if (2 * this.#codes.length * Slot.SIZE === this.#slots.length) this.#widen();
    const key = keyOf(view, from, to);
    this.#slots.set([key, this.#codes.length], this.#freeSlot(key));
    this.#codes.push(code);
    this.#starts.push(this.#used);
    if (key < 0) this.#keep(view, from, to);
  }

  #keep(view: DataView, from: number, to: number): void {
    const needed = this.#used + 1 + Math.ceil((to - from) / 4);
    if (needed > this.#words.length) {
      const larger = new Int32Array(Math.max(needed, 2 * this.#words.length));
      larger.set(this.#words);
      this.#words = larger;
    }
    this.#words[this.#used++] = to - from;
    for (let at = from; at < to - 4; at += 4) this.#words[this.#used++] = view.getInt32(at, true);
    this.#words[this.#used++] = view.getInt32(to - 4, true);
  }

  /** Moves the entries to twice as many slots. */
  #widen(): void {
    const narrow = this.#slots;
    this.#slots = new Int32Array(2 * narrow.length);
    this.#shift--;
    for (let from = 0; from < narrow.length; from += Slot.SIZE) {
      const key = narrow[from + Slot.KEY];
      if (key !== 0) this.#slots.set([key, narrow[from + Slot.ENTRY]], this.#freeSlot(key));
    }
  }

  #freeSlot(key: number): number {
    const last = this.#slots.length - 1;
    let slot = (scattered(key) >>> this.#shift) * Slot.SIZE;
    while (this.#slots[slot + Slot.KEY] !== 0) slot = (slot + Slot.SIZE) & last;
    return slot;
  }
}

/**
 * The key for looking up a text. A text of up to three bytes is its own key, combined with its length; such a key is
 * above 0. A longer text is read as four-byte words, the last of which is its last four bytes; its key is a hash below
 * 0.
 */
export function keyOf(view: DataView, from: number, to: number): number {
  const length = to - from;
  if (length < 4) return ((length + 1) << 24) | (view.getInt32(from, true) & ~(-1 << (8 * length)));
  let hash = 0;
  for (let at = from; at < to - 4; at += 4) hash = folded(scattered(hash ^ view.getInt32(at, true)));
  return folded(scattered(hash ^ view.getInt32(to - 4, true))) | 0x80000000;
}

/**
 * Multiplies by 2^32 over the golden ratio, so a difference in any bit reaches the upper bits (Knuth, The Art of
 * Computer Programming, 6.4).
 */
function scattered(word: number): number {
  return Math.imul(word, 0x9e3779b9);
}

/** Brings differences in the upper bits down too. Otherwise those of the next word would often cancel them. */
function folded(word: number): number {
  return word ^ (word >>> 13);
}

/** Whether the bytes are those of the stored text that begins at `start`. */
function isText(view: DataView, from: number, to: number, words: Int32Array, start: number): boolean {
  if (words[start] !== to - from) return false;
  let word = start + 1;
  for (let at = from; at < to - 4; at += 4) if (words[word++] !== view.getInt32(at, true)) return false;
  return words[word] === view.getInt32(to - 4, true);
}
