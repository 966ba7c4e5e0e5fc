import { relaxedMechanism } from "./relaxed.js";

/**
 * RAP (Aydore et al., "Differentially Private Query Release Through Adaptive Projection", ICML 2021). Rounds choose the
 * queries that relaxed rows answer worst, measure them, and fit the rows to everything measured so far. (The published
 * code drew the same noise in every round, so that differences of answers had none.) At ten times the paper's rate,
 * rows are as accurate after a tenth of the steps.
 */
export const rap = relaxedMechanism("rap", "sparsemax", {
  ...{ method: "adam", rows: 1000, steps: 5000, rate: 0.01 },
});
