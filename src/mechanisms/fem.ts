import { ResponsesModel } from "../models/responses.js";
import type { Law } from "../privacy/accounting.js";
import { filledSettings } from "../projection/settings.js";
import { signedRounds } from "../selection/signed.js";
import type { CheckedOptions, Mechanism } from "./mechanism.js";
import { FEM_OPTIONS } from "./options.js";
import { responseBytes } from "./responses.js";

const SEARCH = { method: "ascent", samples: 50, scale: 0.16, restarts: 4 };

/** The number of rounds at ε = 1; at another ε, times √ε. */
const ROUNDS = 200;

/**
 * FEM (Vietri et al., "New Oracle-Efficient Algorithms for Private Synthetic Data Release", ICML 2020), which follows the
 * perturbed leader. The exponential mechanism chooses, in each round, the query, or the complement of one, that the last
 * records are furthest below; the next records are best responses to all that was chosen, each with random pulls of its
 * own.
 */
export const fem: Mechanism = {
  name: "fem",
  table: FEM_OPTIONS,
  options: ({ search = {}, ...asked }) => ({ ...asked, estimate: "raw", search: filledSettings(SEARCH, search) }),
  ...signedRounds<CheckedOptions>(({ budget, options: { rounds, law } }) => ({
    rounds: new Array(rounds ?? Math.max(1, Math.round(ROUNDS * Math.sqrt(budget.epsilon)))).fill(1),
    picks: 1,
    law: (law ?? "exponential") as Law,
  })),
  tables: () => 1,
  model: ({ attributes, options: { search } }) =>
    new ResponsesModel(attributes, { ...(search as typeof SEARCH), remembers: true }),
  memory: responseBytes,
};
