import type { Instance } from "./instance.js";

/** Structs and lists of u32 that are written to an engine in one go. Some of their words are pointers to others. */
export class Words {
  readonly #parts: ArrayLike<number>[] = [];
  /** Parts that are pointers: the index of the first word, and the places that they point to. */
  readonly #pointers: { readonly first: number; readonly places: readonly (number | undefined)[] }[] = [];
  #length = 0;

  /** Appends words. Returns their place. */
  add(words: ArrayLike<number>): number {
    const place = 4 * this.#length;
    this.#parts.push(words);
    this.#length += words.length;
    return place;
  }

  /** Appends pointers to words at some places; 0 where there is no place. Returns their own place. */
  addPointers(places: readonly (number | undefined)[]): number {
    this.#pointers.push({ first: this.#length, places });
    return this.add(new Uint32Array(places.length));
  }

  /** All words, if those at place 0 will be at a pointer. */
  at(start: number): Uint32Array {
    const words = new Uint32Array(this.#length);
    let end = 0;
    for (const part of this.#parts) {
      words.set(part, end);
      end += part.length;
    }
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
}
