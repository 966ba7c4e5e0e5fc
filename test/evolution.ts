import { SEARCH_SETTLED } from "../src/engine/layout.js";
import type { Generations } from "./reference/evolve.js";
import type { Problem } from "./reference/residuals.js";
import { openSearch, runSlices } from "./search.js";

/** The engine's genetic search, in slices of the given numbers of generations. */
export function engineEvolve(problem: Problem, settings: Generations, slices: readonly number[] = [1000]) {
  const { search, exports, loss, codes } = openSearch(problem);
  const { mutations, crossovers, elites, generations, tolerance } = settings;
  const state = exports.evolveOpen(search, mutations, crossovers, elites, generations, tolerance);
  const status = runSlices((count) => exports.evolve(state, count), slices);
  return { codes: codes(), loss: loss(), steps: exports.searchSteps(search), settled: status === SEARCH_SETTLED };
}
