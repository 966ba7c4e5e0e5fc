import { StandinError } from "../core/errors.js";
import type { Exports } from "./engine.js";
import { ABI_VERSION, MOST_BYTES } from "./layout.js";

let load: (() => WebAssembly.Module) | undefined;
let compiled: WebAssembly.Module | undefined;

/**
 * Tells the engine where its module comes from. Each runtime's entry does this once. Nothing is compiled before first
 * use.
 */
export function provideModule(source: () => WebAssembly.Module): void {
  load = source;
  compiled = undefined;
}

/**
 * The compiled module, for instances and for workers.
 * @throws {StandinError} `engine/no-module` before an entry has provided one
 */
export function engineModule(): WebAssembly.Module {
  if (!compiled) {
    if (!load)
      throw new StandinError(
        "engine/no-module",
        "The engine has no module: import standin through one of its entries.",
      );
    compiled = load();
  }
  return compiled;
}

/**
 * One instance of the engine, with its own memory. Pointers are byte offsets. A view is valid until the next call that
 * may grow the memory, so take a new one after each such call.
 */
export class Instance {
  readonly exports: Exports;

  constructor(module: WebAssembly.Module = engineModule()) {
    this.exports = new WebAssembly.Instance(module).exports as unknown as Exports;
    if (this.exports.abiVersion() !== ABI_VERSION)
      throw new StandinError(
        "engine/abi",
        `The engine has ABI ${this.exports.abiVersion()}, but this package expects ABI ${ABI_VERSION}.`,
        "Install both from the same version of standin.",
      );
  }

  /** Reserves zeroed, 16-byte aligned memory. @throws {StandinError} `engine/memory` where 4 GiB do not suffice */
  alloc(bytes: number): number {
    const pointer = bytes > MOST_BYTES ? 0 : this.exports.alloc(bytes) >>> 0;
    if (!pointer)
      throw new StandinError(
        "engine/memory",
        "The engine has no memory left for this: it can address 4 GiB.",
        "Use a smaller workload, coarser bins, or fewer rows.",
      );
    return pointer;
  }

  u8(pointer: number, length: number): Uint8Array {
    return new Uint8Array(this.exports.memory.buffer, pointer, length);
  }
  u16(pointer: number, length: number): Uint16Array {
    return new Uint16Array(this.exports.memory.buffer, pointer, length);
  }
  u32(pointer: number, length: number): Uint32Array {
    return new Uint32Array(this.exports.memory.buffer, pointer, length);
  }
  i32(pointer: number, length: number): Int32Array {
    return new Int32Array(this.exports.memory.buffer, pointer, length);
  }
  i64(pointer: number, length: number): BigInt64Array {
    return new BigInt64Array(this.exports.memory.buffer, pointer, length);
  }

  f64(pointer: number, length: number): Float64Array {
    return new Float64Array(this.exports.memory.buffer, pointer, length);
  }

  /** Copies `values` into fresh memory and returns the pointer. */
  place(values: Uint8Array | Uint16Array | Uint32Array | Int32Array | BigInt64Array | Float64Array): number {
    const pointer = this.alloc(Math.max(1, values.byteLength));
    this.u8(pointer, values.byteLength).set(new Uint8Array(values.buffer, values.byteOffset, values.byteLength));
    return pointer;
  }
}
