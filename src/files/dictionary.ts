/** Byte order marks inside cells are text; undecodable bytes become U+FFFD. */
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** The text of a cell's UTF-8 bytes. */
export function cellText(bytes: Uint8Array, length: number): string {
  return decoder.decode(bytes.subarray(0, length));
}

/** Bytes kept for each entry that the limit allows, on average. */
const BYTES_AN_ENTRY = 32;

/**
 * Remembers the codes of cells by their bytes (open addressing), so that a text is decoded and encoded once, not once a cell. Beyond
 * its limit nothing more is remembered: columns of ever new texts cost time but no room.
 */
export class ByteDictionary {
  readonly #encode: (text: string) => number;
  readonly #limit: number;
  #entries = 0;
  /** Entry + 1 by hash; 0 where free. At most half are taken. */
  #slots = new Uint32Array(32);
  #hashes = new Int32Array(16);
  #codes = new Float64Array(16);
  /** Entry e has the bytes from `#starts[e]` to `#starts[e + 1]`. */
  #starts = new Uint32Array(17);
  #bytes = new Uint8Array(16 * BYTES_AN_ENTRY);

  /** @param limit most texts to remember (about; long texts count for more) */
  constructor(encode: (text: string) => number, limit: number) {
    this.#encode = encode;
    this.#limit = limit;
  }

  /** The code of the text in the first `length` bytes. @param hash FNV-1a of them */
  code(bytes: Uint8Array, length: number, hash: number): number {
    const slots = this.#slots;
    const mask = slots.length - 1;
    let slot = hash & mask;
    for (; slots[slot] !== 0; slot = (slot + 1) & mask) {
      const entry = slots[slot] - 1;
      if (this.#hashes[entry] === hash && this.#equals(entry, bytes, length)) return this.#codes[entry];
    }
    const code = this.#encode(cellText(bytes, length));
    if (this.#entries < this.#limit && this.#starts[this.#entries] < this.#limit * BYTES_AN_ENTRY)
      this.#remember(slot, bytes, length, hash, code);
    return code;
  }

  #equals(entry: number, bytes: Uint8Array, length: number): boolean {
    const known = this.#bytes;
    const start = this.#starts[entry];
    if (this.#starts[entry + 1] - start !== length) return false;
    for (let at = 0; at < length; at++) if (known[start + at] !== bytes[at]) return false;
    return true;
  }

  #remember(slot: number, bytes: Uint8Array, length: number, hash: number, code: number): void {
    const entry = this.#entries++;
    const start = this.#starts[entry];
    if (start + length > this.#bytes.length) this.#bytes = larger(this.#bytes, start + length);
    this.#bytes.set(bytes.subarray(0, length), start);
    this.#starts[entry + 1] = start + length;
    this.#hashes[entry] = hash;
    this.#codes[entry] = code;
    this.#slots[slot] = entry + 1;
    if (this.#entries === this.#hashes.length) this.#grow();
  }

  #grow(): void {
    this.#hashes = larger(this.#hashes, 2 * this.#entries);
    this.#codes = larger(this.#codes, 2 * this.#entries);
    this.#starts = larger(this.#starts, 2 * this.#entries + 1);
    this.#slots = new Uint32Array(4 * this.#entries);
    const mask = this.#slots.length - 1;
    for (let entry = 0; entry < this.#entries; entry++) {
      let slot = this.#hashes[entry] & mask;
      while (this.#slots[slot] !== 0) slot = (slot + 1) & mask;
      this.#slots[slot] = entry + 1;
    }
  }
}

type Growing = Uint8Array | Int32Array | Uint32Array | Float64Array;

/** A copy with room for at least `length` elements, and for twice as many as before. */
function larger<T extends Growing>(array: T, length: number): T {
  const copy = new (array.constructor as new (length: number) => T)(Math.max(length, 2 * array.length));
  copy.set(array);
  return copy;
}
