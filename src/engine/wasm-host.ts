// The host of all JavaScript runtimes. No other file looks at an engine's memory.
import type { OpenGpu } from "../core/gpu.js";
import type { Host } from "../core/host.js";
import { nextTask } from "../core/task.js";

/** Bytes that the generator of a runtime hands out in one go (Web Cryptography API, 10.1.1). */
const MOST_RANDOM = 65_536;

export interface WasmHost extends Host {
  /** The compiled engine, for other threads. */
  module(): WebAssembly.Module;
}

/**
 * A host with the engine that `source` gives. Nothing is compiled before first use.
 * @param source called once
 * @param gpu where the runtime may have one
 */
export function wasmHost(source: () => WebAssembly.Module, gpu?: OpenGpu): WasmHost {
  let compiled: WebAssembly.Module | undefined;
  let made = 0;
  const module = () => {
    compiled ??= source();
    return compiled;
  };
  return {
    module,
    instance() {
      const { exports } = new WebAssembly.Instance(module());
      const memory = exports.memory as WebAssembly.Memory;
      const view = (pointer: number, length: number) => new Uint8Array(memory.buffer, pointer, length);
      return {
        number: ++made,
        exports,
        read: (pointer, into) => into.set(view(pointer, into.length)),
        write: (pointer, bytes) => view(pointer, bytes.length).set(bytes),
        copy: (pointer, other, from, length) => other.read(from, view(pointer, length)),
        fillKey(pointer, length) {
          for (let at = 0; at < length; at += MOST_RANDOM)
            crypto.getRandomValues(view(pointer + at, Math.min(MOST_RANDOM, length - at)));
        },
        drop() {},
      };
    },
    breathe: nextTask,
    gpu,
    encoding(label) {
      try {
        return new TextDecoder(label).encoding;
      } catch {
        return undefined;
      }
    },
  };
}
