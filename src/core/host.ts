// The machine that standin runs on, as far as the core knows it. Everything else that a runtime offers (files, streams,
// threads, text decoders) is used by its entry alone.
import { StandinError } from "./errors.js";
import type { OpenGpu } from "./gpu.js";

/** One instance of the engine, kept by the host. Nobody but the host sees its memory: bytes are copied in and out. */
export interface HostInstance {
  /** The host's own number of it. */
  readonly number: number;
  /** The engine's exported functions, as its methods. Numbers of 64 bits are bigints. */
  readonly exports: object;
  /** Copies bytes of the instance's memory, from `pointer` on, into `into`. */
  read(pointer: number, into: Uint8Array): void;
  /** Copies bytes into the instance's memory, from `pointer` on. */
  write(pointer: number, bytes: Uint8Array): void;
  /** Copies bytes of another instance's memory, from `from` on, to `pointer`. They pass through no other memory. */
  copy(pointer: number, other: HostInstance, from: number, length: number): void;
  /**
   * Writes secret bytes from the machine's cryptographic generator into the instance's memory. They exist nowhere else.
   * @throws anything, where the machine has no such generator
   */
  fillKey(pointer: number, length: number): void;
  /** Gives the instance back. It is not used again. */
  drop(): void;
}

export interface Host {
  /** A new instance of the engine. */
  instance(): HostInstance;
  /** Lets the host do what has to be done meanwhile: timers, signals, a page's drawing. */
  breathe(): Promise<void>;
  /** The usual name of an encoding in which the host reads files, given any of its names; `undefined` for others. */
  encoding(label: string): string | undefined;
  /** Its GPU, if it can have one. */
  readonly gpu?: OpenGpu;
}

let current: Host | undefined;

/** Tells standin what it runs on. Each entry does this once. Nothing is asked of the host before first use. */
export function provideHost(provided: Host): void {
  current = provided;
}

/** @throws {StandinError} `engine/no-module` before an entry has provided a host */
export function host(): Host {
  if (current) return current;
  throw new StandinError("engine/no-module", "The engine has no module: import standin through one of its entries.");
}
