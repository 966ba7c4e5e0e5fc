import { Growing } from "./growing.js";
import type { Instance } from "./instance.js";

/** Structs and lists of u32 that are written to an engine in one go. Some of their words are pointers to others. */
export class Words {
  readonly #words = new Growing(new Uint32Array());
  /** Words that are pointers: the index of the first, and the places that they point to. */
  readonly #pointers: { readonly first: number; readonly places: readonly (number | undefined)[] }[] = [];

  /** Appends words. Returns their place. */
  add(words: ArrayLike<number>): number {
    return 4 * this.#words.append(words);
  }

  /** Appends pointers to words at some places; 0 where there is no place. Returns their own place. */
  addPointers(places: readonly (number | undefined)[]): number {
    this.#pointers.push({ first: this.#words.length, places });
    return this.add(new Uint32Array(places.length));
  }

  /** All words, if those at place 0 will be at a pointer. */
  at(start: number): Uint32Array {
    const words = this.#words.all().slice();
    for (const { first, places } of this.#pointers)
      for (let index = 0; index < places.length; index++) {
        const place = places[index];
        if (place !== undefined) words[first + index] = start + place;
      }
    return words;
  }

  /** Writes them to fresh memory. Returns the pointer to those at place 0. */
  place(engine: Instance): number {
    const start = engine.alloc(Math.max(1, 4 * this.#words.length));
    engine.write(start, this.at(start));
    return start;
  }
}
