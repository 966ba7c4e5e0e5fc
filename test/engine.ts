// Gives the tests the engine that has just been built.
import bytes from "../dist/engine.wasm";
import { provideHost } from "../src/core/host.js";
import type { Exports } from "../src/engine/engine.js";
import { Instance } from "../src/engine/instance.js";
import { wasmHost } from "../src/engine/wasm-host.js";

const host = wasmHost(() => new WebAssembly.Module(bytes));
provideHost(host);

/** An instance whose memory tests see as it is. A view is valid until the next call that may grow the memory. */
export class Engine extends Instance {
  declare readonly exports: Exports & { readonly memory: WebAssembly.Memory };

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
}

/** A fresh instance of the engine. */
export const instance = (): Engine => new Engine();
