import { StandinError } from "../core/errors.js";
import { type HostInstance, host } from "../core/host.js";
import type { Exports } from "./engine.js";
import { ABI_VERSION, MOST_BYTES } from "./layout.js";

/** Numbers as the engine stores them, in the byte order that it shares with every machine that standin runs on. */
export type Numbers = Uint8Array | Uint16Array | Uint32Array | Int32Array | BigInt64Array | Float32Array | Float64Array;

/**
 * One instance of the engine, with its own memory. Pointers are byte offsets. Nothing else sees its memory: numbers are
 * copied in and out.
 */
export class Instance {
  readonly exports: Exports;
  readonly #handle: HostInstance;
  /** The first pointer that the present scratch has reserved. */
  #floor: number | undefined;
  #isDropped = false;

  constructor() {
    this.#handle = host().instance();
    this.exports = this.#handle.exports as Exports;
    if (this.exports.abiVersion() !== ABI_VERSION)
      throw new StandinError(
        "engine/abi",
        `The engine has ABI ${this.exports.abiVersion()}, but this package expects ABI ${ABI_VERSION}.`,
        "Install both from the same version of standin.",
      );
  }

  /** What its host calls it. */
  get number(): number {
    return this.#handle.number;
  }

  /** Reserves zeroed, 16-byte aligned memory. @throws {StandinError} `engine/memory` where 4 GiB do not suffice */
  alloc(bytes: number): number {
    return this.opened(bytes > MOST_BYTES ? 0 : this.exports.alloc(bytes));
  }

  /** A pointer that an export returned. @throws {StandinError} `engine/memory` where it is 0 */
  opened(pointer: number): number {
    if (!pointer)
      throw new StandinError(
        "engine/memory",
        "The engine has no memory left for this: it can address 4 GiB.",
        "Use a smaller workload, coarser bins, or fewer rows.",
      );
    this.#floor ??= pointer >>> 0;
    return pointer >>> 0;
  }

  /** Reserves memory for several arrays at once, given their bytes. Returns their pointers, aligned to 16 bytes. */
  reserve(sizes: readonly number[]): number[] {
    let end = 0;
    const offsets = sizes.map((bytes) => {
      const offset = end;
      end += roundedUp(bytes);
      return offset;
    });
    const start = this.alloc(Math.max(1, end));
    return offsets.map((offset) => start + offset);
  }

  /** Copies numbers into memory. */
  write(pointer: number, numbers: Numbers): void {
    this.#handle.write(pointer, bytesOf(numbers));
  }

  /** Copies bytes of another instance's memory, from `from` on, to `pointer`. The core does not see them. */
  copy(pointer: number, other: Instance, from: number, bytes: number): void {
    this.#handle.copy(pointer, other.#handle, from, bytes);
  }

  /** Copies numbers into fresh memory and returns the pointer. */
  place(numbers: Numbers): number {
    const pointer = this.alloc(Math.max(1, numbers.byteLength));
    this.write(pointer, numbers);
    return pointer;
  }

  /** Copies several arrays into fresh memory at once. Returns their pointers, aligned to 16 bytes. */
  placeAll(arrays: readonly Numbers[]): number[] {
    const pointers = this.reserve(arrays.map(({ byteLength }) => byteLength));
    this.writeAll(pointers, arrays);
    return pointers;
  }

  /** Copies arrays at once to where `reserve` has put them, one after the other; between them come zeros. */
  writeAll(pointers: readonly number[], arrays: readonly Numbers[]): void {
    if (!arrays.length) return;
    const last = arrays.length - 1;
    const bytes = new Uint8Array(pointers[last] + arrays[last].byteLength - pointers[0]);
    for (let at = 0; at <= last; at++) bytes.set(bytesOf(arrays[at]), pointers[at] - pointers[0]);
    this.write(pointers[0], bytes);
  }

  /** Fills an array with copies of numbers in memory. */
  read<T extends Numbers>(pointer: number, numbers: T): T {
    this.#handle.read(pointer, bytesOf(numbers));
    return numbers;
  }

  /** Copies of arrays that `reserve` put one after the other. All are views of one buffer. */
  readAll<T>(
    pointers: readonly number[],
    lengths: readonly number[],
    type: { readonly BYTES_PER_ELEMENT: number; new (buffer: ArrayBuffer, offset: number, length: number): T },
  ): T[] {
    const [start] = pointers;
    const last = pointers.length - 1;
    const { buffer } = this.readU8(
      start,
      last < 0 ? 0 : pointers[last] + lengths[last] * type.BYTES_PER_ELEMENT - start,
    );
    return pointers.map((pointer, at) => new type(buffer, pointer - start, lengths[at]));
  }

  // The same with fresh arrays:

  readU8(pointer: number, length: number): Uint8Array<ArrayBuffer> {
    return this.read(pointer, new Uint8Array(length));
  }

  readU16(pointer: number, length: number): Uint16Array<ArrayBuffer> {
    return this.read(pointer, new Uint16Array(length));
  }

  readU32(pointer: number, length: number): Uint32Array<ArrayBuffer> {
    return this.read(pointer, new Uint32Array(length));
  }

  readI32(pointer: number, length: number): Int32Array<ArrayBuffer> {
    return this.read(pointer, new Int32Array(length));
  }

  readF64(pointer: number, length: number): Float64Array<ArrayBuffer> {
    return this.read(pointer, new Float64Array(length));
  }

  /**
   * Writes secret bytes of the host's cryptographic generator into memory.
   * @throws anything, where it has none
   */
  fillKey(pointer: number, length: number): void {
    this.#handle.fillKey(pointer, length);
  }

  /** Runs a job, and frees the memory that it reserved. */
  scratch<T>(job: () => T): T {
    const outer = this.#floor;
    this.#floor = undefined;
    try {
      return job();
    } finally {
      if (this.#floor !== undefined) this.exports.rewind(this.#floor);
      this.#floor = outer;
    }
  }

  /** Gives the instance back to the host. */
  drop(): void {
    this.#isDropped = true;
    this.#handle.drop();
  }

  /** Whether the host has it back. */
  get isDropped(): boolean {
    return this.#isDropped;
  }
}

const roundedUp = (bytes: number): number => 16 * Math.ceil(bytes / 16);

const bytesOf = ({ buffer, byteOffset, byteLength }: Numbers) => new Uint8Array(buffer, byteOffset, byteLength);
