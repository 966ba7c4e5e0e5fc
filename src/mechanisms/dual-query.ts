import { ResponsesModel } from "../models/responses.js";
import { filledSettings } from "../projection/settings.js";
import { signedRounds } from "../selection/signed.js";
import type { CheckedOptions, Mechanism } from "./mechanism.js";
import { DUAL_QUERY_OPTIONS } from "./options.js";
import { responseBytes } from "./responses.js";

const SEARCH = { method: "ascent", restarts: 16 };

const ROUNDS = 100;
const SAMPLES = 100;

/**
 * DualQuery (Gaboardi et al., "Dual Query: Practical Private Query Release for High Dimensional Data", ICML 2014). Queries
 * and their complements have weights that grow exponentially with the sum of their errors so far. Each round draws some
 * of them by these weights, and adds a record that satisfies as many of those as can be found. After r records, the sum
 * of the errors is r times the error of all records together: an exponential mechanism on that error, whose ε₀ grows
 * with r.
 */
export const dualQuery: Mechanism = {
  name: "dual-query",
  table: DUAL_QUERY_OPTIONS,
  options: ({ search = {}, ...asked }) => ({ ...asked, estimate: "raw", search: filledSettings(SEARCH, search) }),
  ...signedRounds<CheckedOptions>(({ options: { rounds = ROUNDS, perRound = SAMPLES } }) => ({
    rounds: Array.from({ length: rounds }, (_, round) => (round + 1) ** 2),
    picks: perRound,
    law: "replacement",
  })),
  tables: () => 1,
  model: ({ attributes, options: { search } }) =>
    new ResponsesModel(attributes, { ...(search as typeof SEARCH), samples: 1, scale: 0, remembers: false }),
  memory: responseBytes,
};
