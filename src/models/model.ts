import type { Steps } from "../core/progress.js";
import type { Measurement } from "../queries/measurement.js";
import type { Query } from "../queries/query.js";

/** What a model is fitted to: noisy answers and what is public. */
export interface Observations {
  readonly measurements: readonly Measurement[];
  /** N̂, or the declared n: 1 or more. */
  readonly total: number;
  /** Whether rounds chose what was measured: the queries that the model was most wrong about. */
  readonly adaptive: boolean;
}

/**
 * Rows that everyone may see, of the same schema as the private table. A model may be initialised from them, or take
 * them as its support; the door never counts them.
 */
export interface PublicTable {
  /** One array per attribute, `rows` long. */
  readonly codes: readonly Uint16Array[];
  readonly rows: number;
  /** 16 hexadecimal digits (core/fingerprint.ts). */
  readonly fingerprint: string;
}

/** How many synthetic rows a fit should be good for, and the search seed, 32 bits; it has nothing to do with the noise. */
export interface FitOptions {
  readonly rows: number;
  readonly seed: number;
}

/** How a fit went; all of it is about noisy answers. */
export interface FitResult {
  /** Σ (target − count)² over all cells, in rows of the fitted table: at the start and at the end. */
  readonly startLoss: number;
  readonly loss: number;
  /** Sweeps or generations, and one-cell moves scored. */
  readonly steps: number;
  readonly candidates: number;
  /** Which rule stopped it, as a sentence. */
  readonly stop: string;
}

/** Synthetic rows as codes. */
export interface SyntheticRows {
  /** One array per attribute, `rows` long. */
  readonly codes: readonly Uint16Array[];
  /** Random words for the values inside leaves and bins, one per row, in streams 0 up. */
  uniforms(stream: number): Uint32Array;
}

/**
 * What a mechanism fits to noisy answers, and makes synthetic rows from. It sees nothing that has not come through the door, so that all of
 * it is post-processing. A backend (WASM, a GPU) stands behind these three methods.
 */
export interface Model {
  /** Fits what was seen, from where the last fit ended, in steps that tell how far it is. */
  fit(observations: Observations, options: FitOptions): Steps<FitResult>;
  /** A query's answers as whole counts of a table of `total` rows, 0 … 2^30. Only after a fit. */
  answers(query: Query): Int32Array;
  /** As many synthetic tables as asked for, each of as many rows as the last fit was for. Only after a fit. */
  tables(count: number): Steps<readonly SyntheticRows[]>;
}
