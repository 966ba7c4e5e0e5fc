import { relaxedMechanism } from "./relaxed.js";

/**
 * RAP (Aydore et al., "Differentially Private Query Release Through Adaptive Projection", ICML 2021). Rounds choose the
 * queries that relaxed rows answer worst, measure each of them once under fresh noise (the published code drew the same
 * noise in every round), and fit the rows to everything measured so far.
 */
export const rap = relaxedMechanism(
  "rap",
  "sparsemax",
  { method: "adam", rows: 1000, steps: 5000, rate: 0.001 },
  { rounds: 10, perRound: 50 },
);
