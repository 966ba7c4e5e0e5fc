import type { Steps } from "../core/progress.js";
import type { Measurement } from "../queries/measurement.js";
import type { Query } from "../queries/query.js";

/** The observations that a model is fitted to: noisy answers and public facts. */
export interface Observations {
  readonly measurements: readonly Measurement[];
  /** N̂ or the declared n: at least 1. */
  readonly total: number;
  /** Whether rounds chose what was measured, namely the queries that the model was most wrong about. */
  readonly adaptive: boolean;
  /** Whether something that was asked for was left out, because a choice preferred other queries. */
  readonly leftOut?: boolean;
  /** What rounds chose by its sign, where nothing is measured of it. */
  readonly choices?: Choices;
}

/** A cell of a marginal that a table has more rows in (`sign` 1) or fewer (−1) than a model, as a query of its own. */
export interface SignedCell {
  readonly cell: Query;
  readonly sign: 1 | -1;
}

/** The cells that were chosen, round by round; how many rounds there will be in total, and how many choices in each. */
export interface Choices {
  readonly rounds: readonly (readonly SignedCell[])[];
  readonly of: number;
  readonly perRound: number;
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

/**
 * The number of synthetic rows that a fit should be good for, and the search seed, 32 bits, which has nothing to do
 * with the noise.
 */
export interface FitOptions {
  readonly rows: number;
  readonly seed: number;
}

/** How a fit went. All of it is about noisy answers. */
export interface FitResult {
  /** Σ (target − count)² over all cells, in rows of the fitted table, at the start and at the end. */
  readonly startLoss: number;
  readonly loss: number;
  /** The number of sweeps or generations, and of one-cell moves scored. */
  readonly steps: number;
  readonly candidates: number;
  /** The rule that stopped it, as a sentence. */
  readonly stop: string;
}

/** Synthetic rows as codes. */
export interface SyntheticRows {
  /** One array per attribute, each `rows` long. */
  readonly codes: readonly Uint16Array[];
  /** The seed of the random words that choose values inside leaves and bins. */
  readonly seed: number;
}

/**
 * The model that a mechanism fits to noisy answers and makes synthetic rows from. It sees nothing that has not come
 * through the door, so everything it does is post-processing. A backend (WASM, a GPU) implements these methods.
 */
export interface Model {
  /** Fits the observations, starting where the last fit ended, in steps that report progress. */
  fit(observations: Observations, options: FitOptions): Steps<FitResult>;
  /** Queries' answers as whole counts of a table with `total` rows, 0 … 2^30. Only after a fit. */
  answers(queries: readonly Query[]): Promise<readonly Int32Array[]>;
  /** The requested number of synthetic tables, each with as many rows as the last fit was for. Only after a fit. */
  tables(count: number): Steps<readonly SyntheticRows[]>;
  /** Gives back the memory that its answers take. */
  close(): void;
}
