// A GPU, as far as the rest of standin knows it. It does some of the engine's work, and gives the same bits wherever
// whole numbers are concerned. Only synthetic rows and noisy answers go there: private rows never leave their vault.
import { StandinError } from "./errors.js";
import type { SearchDevice, SearchTables } from "./search-device.js";

/** A GPU. Any of its methods may find that it has failed: what it was asked for is then done by the engine. */
export interface Gpu {
  /** What its driver calls it. */
  readonly name: string;
  /** Whether it is a program that imitates a GPU, and slower than the engine. */
  readonly isSoftware: boolean;
  /** Takes copies of a search. @throws {StandinError} `gpu/lost`, `gpu/memory` */
  openSearch(tables: SearchTables): Promise<SearchDevice>;
}

/**
 * How a runtime gets a GPU. Asked once it is needed, and again after one was lost.
 * @throws {StandinError} `gpu/none`, with the reason as its message
 */
export type OpenGpu = () => Promise<Gpu>;

/** A GPU that has failed, which the engine can do without. */
export const gpuLost = (reason: string): StandinError =>
  new StandinError("gpu/lost", `The GPU has failed: ${reason}`, 'Use "wasm" as the engine.');

/** What a GPU cannot do. */
export const gpuNone = (reason: string): StandinError =>
  new StandinError("gpu/none", reason, 'Use "auto" or "wasm" as the engine: the output is the same.');
