import { ResponsesModel } from "../models/responses.js";
import { filledSettings } from "../projection/settings.js";
import { signedRounds } from "../selection/signed.js";
import type { CheckedOptions, Mechanism } from "./mechanism.js";
import { FEM_OPTIONS } from "./options.js";
import { responseBytes } from "./responses.js";

const SEARCH = { method: "ascent", samples: 100, scale: 0.3, restarts: 6 };

/**
 * One choice for so many rows at ε = 1, and at any other ε in proportion to its power of 1.25, in so many rounds, or
 * fewer if each would choose less than one. Fitted to three workloads (bench/fem.bench.ts). The papers choose once a
 * round: several choices take no longer, and lower the largest error.
 */
const ROWS_PER_CHOICE = 25;
const ROUNDS = 100;
/** More choices in a round than this no longer help. */
const MOST_PER_ROUND = 20;
/** The number of rows that the rule assumes where it is private. */
const ROWS = 50_000;

/**
 * FEM (Vietri et al., "New Oracle-Efficient Algorithms for Private Synthetic Data Release", ICML 2020), which follows
 * the perturbed leader. Each round chooses the queries, or the complements of queries, that the last records are
 * furthest below. The next records are best responses to all that was chosen, each with random pulls of its own.
 */
export const fem: Mechanism = {
  name: "fem",
  table: FEM_OPTIONS,
  options: ({ search = {}, ...asked }) => ({ ...asked, estimate: "raw", search: filledSettings(SEARCH, search) }),
  ...signedRounds<CheckedOptions>(({ budget, options: { rounds, perRound, law } }, candidates) => {
    const { epsilon, publicRows = ROWS } = budget;
    const power = epsilon * Math.sqrt(Math.sqrt(epsilon));
    const choices = Math.max(1, Math.round((power * publicRows) / ROWS_PER_CHOICE));
    const count = rounds ?? Math.max(1, Math.min(ROUNDS, Math.round(choices / (perRound ?? 1))));
    const picks = perRound ?? Math.max(1, Math.min(MOST_PER_ROUND, candidates, Math.round(choices / count)));
    return { rounds: count, weightOf: () => 1, picks, law: law ?? "exponential" };
  }),
  tables: () => 1,
  model: ({ attributes, options: { search } }) =>
    new ResponsesModel(attributes, { ...(search as typeof SEARCH), remembers: true }),
  memory: responseBytes,
};
