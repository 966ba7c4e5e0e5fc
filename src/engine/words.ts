import type { Instance } from "./instance.js";

/** Structs and lists of u32 that are written to an engine in one go. Some of their words are pointers to others. */
export class Words {
  /** Those appended so far, and room for others. */
  #words = new Uint32Array();
  #length = 0;
  /** Words that are pointers: the index of the first, and the places that they point to. */
  readonly #pointers: { readonly first: number; readonly places: readonly (number | undefined)[] }[] = [];

  /** Appends words. Returns their place. */
  add(words: ArrayLike<number>): number {
    const place = this.#length;
    this.#length += words.length;
    if (this.#length > this.#words.length) this.#grow();
    this.#words.set(words, place);
    return 4 * place;
  }

  /** Appends pointers to words at some places; 0 where there is no place. Returns their own place. */
  addPointers(places: readonly (number | undefined)[]): number {
    this.#pointers.push({ first: this.#length, places });
    return this.add(new Uint32Array(places.length));
  }

  /** Replaces words from a place on. */
  set(place: number, words: ArrayLike<number>): void {
    this.#words.set(words, place / 4);
  }

  /** All words, if those at place 0 will be at a pointer. */
  at(start: number): Uint32Array {
    const words = this.#words.slice(0, this.#length);
    for (const { first, places } of this.#pointers)
      for (let index = 0; index < places.length; index++) {
        const place = places[index];
        if (place !== undefined) words[first + index] = start + place;
      }
    return words;
  }

  /** Writes them to fresh memory. Returns the pointer to those at place 0. */
  place(engine: Instance): number {
    const start = engine.alloc(Math.max(1, 4 * this.#length));
    engine.write(start, this.at(start));
    return start;
  }

  #grow(): void {
    const larger = new Uint32Array(2 * this.#length);
    larger.set(this.#words);
    this.#words = larger;
  }
}
