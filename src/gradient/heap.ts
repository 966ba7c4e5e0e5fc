import type { Instance } from "../engine/instance.js";

interface Hole {
  start: number;
  end: number;
}

/** The memory of an instance, given back in any order. Nothing else may keep memory of the instance. */
export class Heap {
  readonly #instance: Instance;
  /** What was given back, in ascending order. No two of them touch. */
  readonly #holes: Hole[] = [];

  constructor(instance: Instance) {
    this.#instance = instance;
  }

  /**
   * Zeroed, 16-byte aligned memory: in the smallest hole that has room for it.
   * @throws {StandinError} `engine/memory`
   */
  take(bytes: number): number {
    const size = roundedUp(bytes);
    let best: Hole | undefined;
    for (const hole of this.#holes) if (sizeOf(hole) >= size && !(best && sizeOf(best) <= sizeOf(hole))) best = hole;
    if (!best) return this.#instance.alloc(size);
    const { start } = best;
    best.start += size;
    if (!sizeOf(best)) this.#holes.splice(this.#holes.indexOf(best), 1);
    this.#instance.exports.clear(start, size);
    return start;
  }

  /** Takes memory back. @param bytes as they were taken */
  give(start: number, bytes: number): void {
    const holes = this.#holes;
    const after = holes.findIndex((hole) => hole.start > start);
    const at = after < 0 ? holes.length : after;
    holes.splice(at, 0, { start, end: start + roundedUp(bytes) });
    this.#join(at);
    this.#join(at - 1);
    const { exports } = this.#instance;
    if (holes[holes.length - 1].end === exports.mark() >>> 0) exports.rewind(holes.pop()!.start);
  }

  /** Makes one of a hole and the next, if they touch. */
  #join(at: number): void {
    const [hole, next] = [this.#holes[at], this.#holes[at + 1]];
    if (hole?.end !== next?.start) return;
    hole.end = next.end;
    this.#holes.splice(at + 1, 1);
  }
}

const sizeOf = ({ start, end }: Hole): number => end - start;

const roundedUp = (bytes: number): number => 16 * Math.ceil(Math.max(1, bytes) / 16);
