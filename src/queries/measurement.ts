import type { Query } from "./query.js";

/** Noisy answers to a query: integers in counts, row-major, level after level for a tree, noise of variance `sigma2` on each. */
export interface Measurement {
  readonly query: Query;
  readonly answers: Int32Array;
  readonly sigma2: number;
}
