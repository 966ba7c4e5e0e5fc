import type { Query } from "./query.js";

/**
 * Noisy answers to a query: integer counts, row-major, level after level for a tree, each with noise of variance
 * `sigma2`.
 */
export interface Measurement {
  readonly query: Query;
  readonly answers: Int32Array;
  readonly sigma2: number;
}
