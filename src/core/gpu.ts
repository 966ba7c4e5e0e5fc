// A GPU, as far as the rest of standin knows it. It does some of the engine's work, and gives the same bits wherever
// whole numbers are concerned. Only synthetic rows and noisy answers go there: private rows never leave their vault.
import { StandinError } from "./errors.js";
import type { Kernels } from "./kernels.js";
import type { SearchDevice, SearchTables } from "./search-device.js";

/** Synthetic rows, as queries see them. */
export interface CodedRows {
  /** One array per column, `rows` long. */
  readonly codes: readonly Uint16Array[];
  /** At least 1. */
  readonly rows: number;
  /** What the engine's `halfSpaceMagnitudes` writes for a QUERY, two u16 in each of its 2^15 words. */
  magnitudes(query: Uint32Array): Uint32Array;
}

/** Rows on a GPU, where queries are counted. */
export interface RowCounter {
  /**
   * Counts all rows, as the engine's `answerBlocks` does: of a tree, only the finest level, which comes last.
   * @param queries QUERY structs of tables, ranges and half-spaces, as u32
   * @returns i32[cells] of each
   * @throws {StandinError} `gpu/…`; close it then
   */
  count(queries: readonly Uint32Array[]): Promise<Int32Array[]>;
  /** Gives back the memory that the rows take. */
  close(): void;
}

/** A GPU. Any of its methods may find that it has failed: what it was asked for is then done by the engine. */
export interface Gpu {
  /** What its driver calls it. */
  readonly name: string;
  /** Whether it is a program that imitates a GPU, and slower than the engine. */
  readonly isSoftware: boolean;
  /** Takes copies of a search. @throws {StandinError} `gpu/lost`, `gpu/memory` */
  openSearch(tables: SearchTables): Promise<SearchDevice>;
  /** Copies rows to the GPU. @throws {StandinError} `gpu/…` */
  openCounter(rows: CodedRows): RowCounter;
  /** The kernels of models that are fitted by gradients. @throws {StandinError} `gpu/…` */
  openKernels(): Promise<Kernels>;
}

/**
 * How a runtime gets a GPU. Asked once it is needed, and again after one was lost.
 * @throws {StandinError} `gpu/none`, with the reason as its message
 */
export type OpenGpu = () => Promise<Gpu>;

/** A GPU that has failed, which the engine can do without. */
export const gpuLost = (reason: string): StandinError =>
  new StandinError("gpu/lost", `The GPU has failed: ${reason.split("\n")[0]}`, 'Use "wasm" as the engine.');

/** What a GPU cannot do. */
export const gpuNone = (reason: string): StandinError =>
  new StandinError("gpu/none", reason, 'Use "auto" or "wasm" as the engine.');
