import { ResponsesModel } from "../models/responses.js";
import type { CheckedBudget } from "../privacy/ledger.js";
import { filledSettings } from "../projection/settings.js";
import { signedRounds } from "../selection/signed.js";
import type { CheckedOptions, Mechanism } from "./mechanism.js";
import { DUAL_QUERY_OPTIONS } from "./options.js";
import { responseBytes } from "./responses.js";

const SEARCH = { method: "ascent", restarts: 16 };

/**
 * The most queries that a round draws, from ε = 1 on, and at a smaller one in proportion to its root; and the rate η by
 * which weights grow with errors, as parts of the table. There are as many rounds as the budget then pays for. Fitted
 * to three workloads (bench/fem.bench.ts).
 */
const MOST_SAMPLES = 25;
const RATE = 3;
/** More rounds than this would take long. */
const MOST_ROUNDS = 400;
/** The number of rows that the rule assumes where it is private. */
const ROWS = 50_000;

/**
 * DualQuery (Gaboardi et al., "Dual Query: Practical Private Query Release for High Dimensional Data", ICML 2014).
 * Queries and their complements have weights that grow exponentially with the sum of their errors so far. Each round
 * draws some of them by these weights, and adds a record that satisfies as many of those as can be found. After r
 * records, the sum of the errors is r times the error of all records together: an exponential mechanism on that error,
 * whose ε₀ grows with r.
 */
export const dualQuery: Mechanism = {
  name: "dual-query",
  table: DUAL_QUERY_OPTIONS,
  options: ({ search = {}, ...asked }) => ({ ...asked, estimate: "raw", search: filledSettings(SEARCH, search) }),
  ...signedRounds<CheckedOptions>(({ budget, options: { rounds, perRound } }) => {
    const root = Math.sqrt(Math.min(1, budget.epsilon));
    const picks = perRound ?? Math.max(1, Math.round(MOST_SAMPLES * root));
    return {
      rounds: rounds ?? roundsOf(budget, picks),
      weightOf: (round) => (round + 1) ** 2,
      picks,
      law: "replacement",
    };
  }),
  tables: () => 1,
  model: ({ attributes, options: { search } }) =>
    new ResponsesModel(attributes, { ...(search as typeof SEARCH), samples: 1, scale: 0, remembers: false }),
  memory: responseBytes,
};

/** Round r costs s·(2ηr/n)²/8, and T rounds about s·η²·T³/(6n²). */
function roundsOf({ rho, publicRows = ROWS }: CheckedBudget, samples: number): number {
  const cube = (6 * rho * publicRows ** 2) / (samples * RATE ** 2);
  let rounds = 1;
  while (rounds < MOST_ROUNDS && (rounds + 1) ** 3 <= cube) rounds++;
  return rounds;
}
