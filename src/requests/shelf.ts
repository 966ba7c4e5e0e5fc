import { either } from "../core/arguments.js";
import { StandinError } from "../core/errors.js";

/** Ends a thing: after that it holds nothing. */
type End = () => void | Promise<void>;

/** What hosts of other languages hold by number. */
export class Shelf {
  readonly #held = new Map<number, { readonly kind: string; readonly object: unknown; readonly end: End }>();
  #last = 0;

  /**
   * @param kind what it is, for messages and to tell numbers of one kind from those of another
   * @param end is called when the host drops it
   */
  put(kind: string, object: unknown, end: End = () => {}): number {
    this.#held.set(++this.#last, { kind, object, end });
    return this.#last;
  }

  /**
   * @param kinds which it may be
   * @throws {StandinError} `host/handle` where the number is of no such thing, or it was dropped
   */
  get<T>(kinds: string | readonly string[], number: unknown): T {
    const held = this.#held.get(number as number);
    const wanted = [kinds].flat();
    if (held && wanted.includes(held.kind)) return held.object as T;
    const kind = either(wanted);
    throw new StandinError("host/handle", `There is no ${kind} with the number ${JSON.stringify(number)}.`);
  }

  /** Forgets a thing without ending it: another number stands for it now. */
  forget(number: unknown): void {
    this.#held.delete(number as number);
  }

  async drop(number: unknown): Promise<void> {
    const held = this.#held.get(number as number);
    this.forget(number);
    await held?.end();
  }
}
