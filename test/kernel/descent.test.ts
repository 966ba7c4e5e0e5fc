import fc from "fast-check";
import { expect, it } from "vitest";
import { SEARCH_LIMIT, SEARCH_SETTLED } from "../../src/engine/layout.js";
import { descent } from "../reference/descent.js";
import type { Problem } from "../reference/residuals.js";
import { openSearch, problems, problemsOn, runSlices } from "../search.js";

function engineDescent(problem: Problem, tolerance: number, maxSweeps: number, slices: number[]) {
  const { search, exports, loss, codes } = openSearch(problem);
  const state = exports.descentOpen(search, tolerance, maxSweeps);
  const status = runSlices((rows) => exports.descend(state, rows), slices);
  return { codes: codes(), loss: loss(), steps: exports.searchSteps(search), settled: status === SEARCH_SETTLED };
}

it("makes the moves of the definition", () => {
  fc.assert(
    fc.property(problems, fc.constantFrom(0, 0.01, 0.3), (problem, tolerance) => {
      expect(engineDescent(problem, tolerance, 3, [1000])).toEqual(descent(problem, tolerance, 3));
    }),
    { seed: 1, numRuns: 20 },
  );
});

it.each([1, 2, 3, 4, 5, 6, 7, 8, 9, 15, 16, 17, 33])("scans columns of %i codes to the last", (size) => {
  const attributes = [size, 3].map((codes) => ({ name: "column", size: codes, tree: false, missing: false }));
  for (const problem of fc.sample(problemsOn(attributes), { seed: size, numRuns: 5 }))
    expect(engineDescent(problem, 0, 4, [1000])).toEqual(descent(problem, 0, 4));
});

it("does the same in slices of any size", () => {
  const slices = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(problems, slices, (problem, sizes) => {
      expect(engineDescent(problem, 0.001, 5, sizes)).toEqual(engineDescent(problem, 0.001, 5, [1000]));
    }),
    { seed: 2, numRuns: 60 },
  );
});

it("distinguishes a settled search from one that reached its limit", () => {
  const [problem] = fc.sample(problems, { seed: 4, numRuns: 1 });
  const { search, exports } = openSearch(problem);
  expect(exports.descend(exports.descentOpen(search, 0, 1), 1000)).toBe(SEARCH_LIMIT);
  expect(exports.descend(exports.descentOpen(search, 1, 9), 1000)).toBe(SEARCH_SETTLED);
});
