import type { OnProgress } from "../core/progress.js";
import type { Measurement } from "../queries/measurement.js";
import type { Query } from "../queries/query.js";
import type { Attribute } from "../schema/schema.js";

/** Settings of a mechanism's projection, as a release records them: names and numbers only. */
export type Settings = Readonly<Record<string, string | number>>;

/** Everything that a projection may see: the noisy answers and public facts. */
export interface ProjectionInput {
  readonly attributes: readonly Attribute[];
  readonly measurements: readonly Measurement[];
  /** N̂ or the declared n. */
  readonly total: number;
  /** How many rows to make. */
  readonly rows: number;
  /** The search seed, 32 bits; it has nothing to do with the noise. */
  readonly seed: number;
  readonly settings: Settings;
  readonly onProgress?: OnProgress;
  readonly signal?: AbortSignal;
}

/** How a search went; all of it is about noisy answers. */
export interface SearchOutcome {
  /** Σ (target − count)² over all cells, in rows of the searched table: at the start and at the end. */
  readonly startLoss: number;
  readonly loss: number;
  /** Sweeps or generations, and one-cell moves scored. */
  readonly steps: number;
  readonly candidates: number;
  /** Which rule stopped it, as a sentence. */
  readonly stop: string;
}

/** Synthetic rows as codes. */
export interface SyntheticRows extends SearchOutcome {
  /** One array an attribute, `rows` long. */
  readonly codes: Uint16Array[];
  /** Random words for the values inside leaves and bins, one a row, in streams 0 up. */
  uniforms(stream: number): Uint32Array;
}

/** A mechanism: which queries it measures (its selection) and how it finds rows that answer alike (its projection). */
export interface Mechanism {
  readonly name: string;
  /** The queries to measure for a workload. */
  select(workload: readonly Query[]): readonly Query[];
  /**
   * The projection's settings from the user's, filled up with defaults.
   * @throws {StandinError} `mechanism/settings`
   */
  settings(asked: Settings): Settings;
  /** Engine memory in bytes that the projection needs for `rows` rows. */
  memory(attributes: readonly Attribute[], queries: readonly Query[], rows: number): number;
  project(input: ProjectionInput): Promise<SyntheticRows>;
}
