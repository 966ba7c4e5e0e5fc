import type { Instance } from "./instance.js";

/** Structs and lists of u32 that are written to an engine in one go. Some of their words are pointers to others. */
export class Words {
  readonly #words: number[] = [];
  /** Which of them are pointers: places among the words until they are written. */
  readonly #pointers: number[] = [];

  /** Appends words. Returns their place. */
  add(words: Iterable<number>): number {
    const place = 4 * this.#words.length;
    for (const word of words) this.#words.push(word);
    return place;
  }

  /** Appends pointers to the words at some places; 0 where there is no place. Returns their place. */
  addPointers(places: Iterable<number | undefined>): number {
    const place = 4 * this.#words.length;
    for (const to of places) {
      if (to !== undefined) this.#pointers.push(this.#words.length);
      this.#words.push(to ?? 0);
    }
    return place;
  }

  /** Writes them to fresh memory. Returns the pointer to place 0. */
  place(engine: Instance): number {
    const start = engine.alloc(Math.max(4, 4 * this.#words.length));
    for (const at of this.#pointers) this.#words[at] += start;
    engine.write(start, Uint32Array.from(this.#words));
    return start;
  }
}
