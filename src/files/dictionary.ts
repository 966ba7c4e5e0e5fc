/** A stored code for each different cell, found by the cell's bytes: most cells of a table were seen before and need no text. */
export class Dictionary {
  readonly #most: number;
  #slots = new Int32Array(64).fill(-1);
  #hashes = new Int32Array(32);
  #ends = new Uint32Array(32);
  #codes = new Float64Array(32);
  #bytes = new Uint8Array(256);
  #count = 0;

  /** @param most how many cells to remember; further ones are encoded each time */
  constructor(most: number) {
    this.#most = most;
  }

  /** The code of a cell, encoded where it was not seen before. */
  code(cell: Uint8Array, length: number, hash: number, encode: (text: string) => number): number {
    const mask = this.#slots.length - 1;
    let slot = hash & mask;
    for (let entry = this.#slots[slot]; entry >= 0; entry = this.#slots[slot]) {
      if (this.#hashes[entry] === hash && this.#holds(entry, cell, length)) return this.#codes[entry];
      slot = (slot + 1) & mask;
    }
    const code = encode(TEXT.decode(cell.subarray(0, length)));
    if (this.#count < this.#most) this.#add(slot, cell, length, hash, code);
    return code;
  }

  #holds(entry: number, cell: Uint8Array, length: number): boolean {
    const start = entry ? this.#ends[entry - 1] : 0;
    if (this.#ends[entry] - start !== length) return false;
    for (let at = 0; at < length; at++) if (this.#bytes[start + at] !== cell[at]) return false;
    return true;
  }

  #add(slot: number, cell: Uint8Array, length: number, hash: number, code: number): void {
    const entry = this.#count++;
    const start = entry ? this.#ends[entry - 1] : 0;
    if (entry === this.#hashes.length) {
      this.#hashes = grown(this.#hashes, new Int32Array(2 * entry));
      this.#ends = grown(this.#ends, new Uint32Array(2 * entry));
      this.#codes = grown(this.#codes, new Float64Array(2 * entry));
    }
    if (start + length > this.#bytes.length) this.#bytes = grown(this.#bytes, new Uint8Array(2 * (start + length)));
    this.#bytes.set(cell.subarray(0, length), start);
    this.#hashes[entry] = hash;
    this.#ends[entry] = start + length;
    this.#codes[entry] = code;
    this.#slots[slot] = entry;
    if (2 * this.#count > this.#slots.length) this.#rehash();
  }

  #rehash(): void {
    this.#slots = new Int32Array(2 * this.#slots.length).fill(-1);
    const mask = this.#slots.length - 1;
    for (let entry = 0; entry < this.#count; entry++) {
      let slot = this.#hashes[entry] & mask;
      while (this.#slots[slot] >= 0) slot = (slot + 1) & mask;
      this.#slots[slot] = entry;
    }
  }
}

/** Bytes that are no UTF-8 read as U+FFFD; a byte order mark inside a file is text. */
const TEXT = new TextDecoder("utf-8", { ignoreBOM: true });

function grown<T extends Int32Array | Uint32Array | Float64Array | Uint8Array>(from: T, to: T): T {
  to.set(from);
  return to;
}
