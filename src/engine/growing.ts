/** Numbers that are appended to one array, which is replaced by one of twice the size where they do not fit. */
export class Growing<Numbers extends Uint32Array<ArrayBuffer> | Float64Array<ArrayBuffer>> {
  #length = 0;

  /** @param array an empty array of the type that is wanted */
  constructor(private array: Numbers) {}

  get length(): number {
    return this.#length;
  }

  /** Returns the place of the first. */
  append(numbers: ArrayLike<number>): number {
    const place = this.#length;
    this.#length += numbers.length;
    if (this.#length > this.array.length) this.#grow();
    this.array.set(numbers, place);
    return place;
  }

  /** A view of those appended so far, valid until more are appended. */
  all(): Numbers {
    return this.array.subarray(0, this.#length) as Numbers;
  }

  #grow(): void {
    const Type = this.array.constructor as new (length: number) => Numbers;
    const larger = new Type(2 * this.#length);
    larger.set(this.array);
    this.array = larger;
  }
}
