import type { Numbers } from "./instance.js";

/** A struct for the engine: fields of fixed places first, then arrays that they may point to. */
export class Struct {
  #bytes: Uint8Array;
  #view: DataView;
  #length: number;

  /** @param fields the bytes of its fields */
  constructor(fields: number) {
    this.#bytes = new Uint8Array(fields);
    this.#view = new DataView(this.#bytes.buffer);
    this.#length = fields;
  }

  u32(at: number, value: number): void {
    this.#view.setUint32(at, value, true);
  }

  f64(at: number, value: number): void {
    this.#view.setFloat64(at, value, true);
  }

  /** Appends zeroed bytes. Returns where they begin, aligned to 8 bytes. */
  reserve(bytes: number): number {
    const start = Math.ceil(this.#length / 8) * 8;
    this.#length = start + bytes;
    if (this.#length > this.#bytes.length) {
      const larger = new Uint8Array(Math.max(this.#length, 2 * this.#bytes.length));
      larger.set(this.#bytes);
      this.#bytes = larger;
      this.#view = new DataView(larger.buffer);
    }
    return start;
  }

  /** Appends an array. Returns where it begins, aligned to 8 bytes. */
  append({ buffer, byteOffset, byteLength }: Numbers): number {
    const start = this.reserve(byteLength);
    this.#bytes.set(new Uint8Array(buffer, byteOffset, byteLength), start);
    return start;
  }

  /** A copy of all of its bytes. */
  get bytes(): Uint8Array<ArrayBuffer> {
    return this.#bytes.slice(0, this.#length);
  }
}
