import type { Vector } from "./vectors.js";

/** Three SHA-256 a vector, as hexadecimal digits. */
export type Made = Record<string, { release: string; rows: string; resampled: string }>;

export function job(
  standin: typeof import("../../src/index.js"),
  vectors: readonly Vector[],
  threads?: number,
): Promise<Made>;
export function measuredBy(
  threads: number,
  standin: Pick<typeof import("../../src/browser.js"), "parseSchema" | "plan" | "readCsv" | "measure">,
): Promise<string>;
export function expected(vectors: readonly Vector[]): Promise<Made>;
export function sha256(text: string): Promise<string>;
export function fromHex(digits: string): Uint8Array;
