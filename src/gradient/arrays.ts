// The arrays of some kernels while they last, and what is asked of them in a call. Nothing here takes longer for longer
// arrays, but for the one look at indices when they are made.
import { StandinError } from "../core/errors.js";
import type { Floats, Indices } from "../core/kernels.js";
import { thousands } from "../core/thousands.js";

/** The most numbers in an array: more would not fit into 4 GiB. */
const MOST = 2 ** 30;

interface IndexFacts {
  /** The largest index, or −1. */
  readonly largest: number;
  /** Whether none is smaller than one before it. */
  readonly ascends: boolean;
}

/** The arrays that some kernels have made and not freed. */
export class Arrays {
  readonly #lasting = new WeakMap<object, IndexFacts | undefined>();
  #isClosed = false;

  /** @param indices what the array holds, if these are indices */
  add<A extends Floats | Indices>(array: A, indices?: Uint32Array): A {
    this.#lasting.set(array, indices && factsOf(indices));
    return array;
  }

  remove(array: Floats | Indices): void {
    this.#lasting.delete(array);
  }

  /** Ends all of them. */
  close(): void {
    this.#isClosed = true;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  expectOpen(): void {
    if (this.#isClosed) throw unfit("kernels that are open", "closed ones");
  }

  /** What is known of an array, if it holds indices. */
  factsOf(name: string, array: Floats | Indices | undefined): IndexFacts | undefined {
    this.expectOpen();
    if (!array) throw misshapen(`an array for ${name}`, "none");
    if (!this.#lasting.has(array))
      throw unfit(`an array of these kernels for ${name}`, "one that was freed, or that other kernels made");
    return this.#lasting.get(array);
  }
}

/**
 * The arrays of one call, none of which may be given twice.
 * @throws {StandinError} of its methods: `gradient/array`, where an array was freed, or made by other kernels, is of
 * the other kind, or was given before; `gradient/shape`, where what it holds does not fit
 */
export class Call {
  readonly #arrays: Arrays;
  readonly #names = new Map<object, string>();

  constructor(arrays: Arrays) {
    this.#arrays = arrays;
  }

  /** @param length how many numbers it must have, if that matters */
  floats(name: string, array: Floats | undefined, length?: number): void {
    if (this.#arrays.factsOf(name, array)) throw unfit(`floats for ${name}`, "indices");
    this.#expectNew(name, array!, length);
  }

  /** The same of an array whose first `length` numbers matter. */
  first(name: string, array: Floats | undefined, length: number): void {
    this.floats(name, array);
    expectAtLeast(name, array!, length);
  }

  /** Lines of `rows` floats. Returns how many. @param count how many there must be, if that is known */
  lines(name: string, array: Floats | undefined, rows: number, count?: number): number {
    expectWhole("rows", rows, 1);
    this.floats(name, array, count === undefined ? undefined : rows * count);
    const { length } = array!;
    if (length % rows)
      throw misshapen(`${thousands(rows)} numbers in each line of ${name}`, `${thousands(length)} in all`);
    return length / rows;
  }

  /** @param below what each index must be below */
  indices(name: string, array: Indices, below: number, length?: number): IndexFacts {
    const facts = this.#arrays.factsOf(name, array);
    if (!facts) throw unfit(`indices for ${name}`, "floats");
    this.#expectNew(name, array, length);
    if (facts.largest >= below)
      throw misshapen(`indices below ${thousands(below)} in ${name}`, thousands(facts.largest));
    return facts;
  }

  /** The same, ascending from one to the next. Returns the last one, or −1. */
  ascending(name: string, array: Indices, below: number, length?: number): number {
    const { largest, ascends } = this.indices(name, array, below, length);
    if (!ascends) throw misshapen(`ascending indices in ${name}`, "a smaller one after a larger one");
    return largest;
  }

  #expectNew(name: string, array: Floats | Indices, length = array.length): void {
    expectLength(name, array, length);
    const other = this.#names.get(array);
    if (other) throw unfit(`different arrays for ${other} and ${name}`, "the same one");
    this.#names.set(array, name);
  }
}

/** A whole number of at least `least` that an array can have. */
export function expectWhole(name: string, found: number, least: number): void {
  if (!(Number.isInteger(found) && found >= least && found <= MOST))
    throw misshapen(`a whole number from ${least} to ${thousands(MOST)} for ${name}`, String(found));
}

export function expectLength(name: string, { length }: { readonly length: number }, wanted: number): void {
  if (length !== wanted) throw misshapen(`${thousands(wanted)} numbers in ${name}`, thousands(length));
}

export function expectAtLeast(name: string, { length }: { readonly length: number }, least: number): void {
  if (length < least) throw misshapen(`${thousands(least)} numbers or more in ${name}`, thousands(length));
}

const error = (code: string) => (expected: string, found: string) =>
  new StandinError(code, `Expected ${expected}, but found ${found}.`);
const unfit = error("gradient/array");
export const misshapen = error("gradient/shape");

function factsOf(indices: Uint32Array): IndexFacts {
  let largest = -1;
  let ascends = true;
  for (const index of indices) {
    if (index < largest) ascends = false;
    else largest = index;
  }
  return { largest, ascends };
}
