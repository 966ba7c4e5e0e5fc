import fc from "fast-check";
import { expect, it } from "vitest";
import { engineEvolve } from "../evolution.js";
import { evolve } from "../reference/evolve.js";
import { openSearch, problems } from "../search.js";

const settings = fc.record({
  mutations: fc.integer({ min: 0, max: 5 }),
  crossovers: fc.integer({ min: 0, max: 5 }),
  elites: fc.integer({ min: 1, max: 5 }),
  generations: fc.integer({ min: 1, max: 30 }),
  tolerance: fc.constantFrom(0, 0.01, 0.2),
});

it("keeps the tables that the definition keeps, and stops where it does", () => {
  const stops = new Set<boolean>();
  fc.assert(
    fc.property(problems, settings, (problem, how) => {
      const found = engineEvolve(problem, how);
      expect(found).toEqual(evolve(problem, how));
      stops.add(found.settled);
    }),
    { seed: 1, numRuns: 60 },
  );
  expect(stops.size).toBe(2);
});

it("does the same in slices of any size", () => {
  const slices = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(problems, settings, slices, (problem, how, sizes) => {
      const longer = { ...how, generations: 20 * how.generations };
      expect(engineEvolve(problem, longer, sizes)).toEqual(engineEvolve(problem, longer));
    }),
    { seed: 2, numRuns: 60 },
  );
});

it("computes the loss once per as many generations as there are rows", () => {
  fc.assert(
    fc.property(problems, (problem) => {
      const how = { mutations: 4, crossovers: 4, elites: 2, generations: 1000, tolerance: 0.5 };
      const { steps, settled } = engineEvolve(problem, how);
      expect(settled).toBe(true);
      expect(steps % problem.codes[0].length).toBe(0);
    }),
    { seed: 3, numRuns: 30 },
  );
});

it("counts every proposal as a candidate", () => {
  const [problem] = fc.sample(problems, { seed: 5, numRuns: 1 });
  const { search, exports } = openSearch(problem);
  exports.evolve(exports.evolveOpen(search, 7, 4, 2, 10, -1), 10);
  expect(exports.searchCandidates(search)).toBe(110);
});

it("opens nothing if its candidates or tables do not fit", () => {
  const [problem] = fc.sample(problems, { seed: 6, numRuns: 1 });
  const { search, exports } = openSearch(problem);
  const before = exports.mark();
  for (const [mutations, crossovers, elites] of [
    [2 ** 28, 0, 1],
    [2 ** 31, 2 ** 31, 1],
    [1, 1, 2 ** 14],
  ])
    expect(exports.evolveOpen(search, mutations, crossovers, elites, 10, 0)).toBe(0);
  expect(exports.mark()).toBe(before);
});
