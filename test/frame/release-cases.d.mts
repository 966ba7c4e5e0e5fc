import type { PlanOptions } from "../../src/index.js";

interface Descriptor {
  readonly fields: readonly object[];
}
type Steps = readonly (readonly unknown[])[];

export type ReleaseCase = readonly [name: string, descriptor: Descriptor, options: PlanOptions, round?: number];
export const RELEASES: readonly ReleaseCase[];
export const TAMPERED: readonly (readonly [name: string, steps: Steps, words: string])[];
export function releaseCsv(descriptor: Descriptor): string;
export function changed(json: object, steps: Steps): object;
