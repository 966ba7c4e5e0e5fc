/** Byte order marks inside cells are text; undecodable bytes become U+FFFD. */
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** The text of a cell's UTF-8 bytes. */
export function cellText(bytes: Uint8Array, length: number): string {
  return decoder.decode(bytes.subarray(0, length));
}

/** Most texts that a column remembers: about 5 MiB a column at most. */
export const REMEMBERED = 65_536;
/** Bytes kept for each entry that the limit allows, on average. */
const BYTES_AN_ENTRY = 32;
const FIRST_ENTRIES = 16;

// A slot of the hash table: what a lookup reads lies side by side. A free slot has number 0.
const SLOT = 4;
/** 1 for the first entry, 2 for the second, … */
const NUMBER = 0;
const HASH = 1;
const START = 2;
const LENGTH = 3;

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
  #codes = new Float64Array(FIRST_ENTRIES);
  #bytes = new Uint8Array(FIRST_ENTRIES * BYTES_AN_ENTRY);
  #used = 0;

  /** @param limit most texts to remember; fewer where they are long */
  constructor(encode: (text: string) => number, limit: number) {
    this.#encode = encode;
    this.#limit = limit;
  }

  /** The code of the text in the first `length` bytes. @param hash FNV-1a of them */
  code(bytes: Uint8Array, length: number, hash: number): number {
    const slots = this.#slots;
    const last = slots.length - 1;
    let slot = (hash * SLOT) & last;
    for (; slots[slot + NUMBER] !== 0; slot = (slot + SLOT) & last)
      if (
        slots[slot + HASH] === hash &&
        slots[slot + LENGTH] === length &&
        startsWith(this.#bytes, slots[slot + START], bytes, length)
      )
        return this.#codes[slots[slot + NUMBER] - 1];
    const code = this.#encode(cellText(bytes, length));
    if (this.#entries < this.#limit && this.#used < this.#limit * BYTES_AN_ENTRY)
      this.#remember(bytes, length, hash, code);
    return code;
  }

  #remember(bytes: Uint8Array, length: number, hash: number, code: number): void {
    if (2 * this.#entries * SLOT === this.#slots.length) this.#slots = rehashed(this.#slots);
    if (this.#used + length > this.#bytes.length) this.#bytes = larger(this.#bytes, this.#used + length);
    if (this.#entries === this.#codes.length) this.#codes = larger(this.#codes, 0);
    this.#bytes.set(bytes.subarray(0, length), this.#used);
    this.#codes[this.#entries++] = code;
    this.#slots.set([this.#entries, hash, this.#used, length], freeSlot(this.#slots, hash));
    this.#used += length;
  }
}

function startsWith(known: Uint8Array, start: number, bytes: Uint8Array, length: number): boolean {
  for (let at = 0; at < length; at++) if (known[start + at] !== bytes[at]) return false;
  return true;
}

/** The same entries among twice as many slots. */
function rehashed(slots: Int32Array): Int32Array<ArrayBuffer> {
  const wider = new Int32Array(2 * slots.length);
  for (let from = 0; from < slots.length; from += SLOT)
    if (slots[from + NUMBER] !== 0) wider.set(slots.subarray(from, from + SLOT), freeSlot(wider, slots[from + HASH]));
  return wider;
}

function freeSlot(slots: Int32Array, hash: number): number {
  const last = slots.length - 1;
  let slot = (hash * SLOT) & last;
  while (slots[slot + NUMBER] !== 0) slot = (slot + SLOT) & last;
  return slot;
}

/** A copy with room for at least `length` elements, and for twice as many as before. */
function larger<T extends Uint8Array | Float64Array>(array: T, length: number): T {
  const copy = new (array.constructor as new (length: number) => T)(Math.max(length, 2 * array.length));
  copy.set(array);
  return copy;
}
