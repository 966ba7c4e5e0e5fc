import { AnnealedModel } from "../models/annealed.js";
import { filledSettings } from "../projection/settings.js";
import { smoothRounds } from "../selection/smooth-rounds.js";
import type { CheckedOptions, Mechanism } from "./mechanism.js";
import { RAP_PLUS_PLUS_OPTIONS } from "./options.js";

/**
 * Sigmoids of the paper's first scale, 2, hardly tell values from 0 to 1 apart: fits that begin there end at several
 * times the error. From 64 on, fits to prefixes do best on the whole (ACS mobility and coverage): at 32, one-ways that
 * the first rows satisfy are blurred, and rows move away from them. Half-spaces do best from half of that.
 */
const DEFAULTS = { method: "annealing", rows: 1000, steepness: 64, stages: 8, steps: 100, rate: 0.03 };

const settingsOf = ({ search = {} }: Partial<CheckedOptions>) => filledSettings(DEFAULTS, search);

/**
 * RAP++ (Vietri et al., "Private Synthetic Data for Multitask Learning and Marginal Queries", NeurIPS 2022). (The
 * published code measured everything again in each round, and its choices cost twice what it stated.)
 */
export const rapPlusPlus: Mechanism = {
  name: "rap++",
  table: RAP_PLUS_PLUS_OPTIONS,
  options: ({ search, ...selection }) => ({ ...selection, estimate: "raw", search: settingsOf({ search }) }),
  ...smoothRounds,
  tables: () => 1,
  model: ({ attributes, options, engines, workload }) =>
    new AnnealedModel(attributes, settingsOf(options), engines, workload),
  memory: (attributes, queries, _rows, _certain, options) =>
    AnnealedModel.bytes(attributes, settingsOf(options).rows, queries),
};
