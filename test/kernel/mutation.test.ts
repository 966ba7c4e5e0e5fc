import fc from "fast-check";
import { expect, it } from "vitest";
import { engineEvolve } from "../evolution.js";
import { evolve } from "../reference/evolve.js";
import { problems } from "../search.js";

it("proposes what the definition does", () => {
  const settings = { mutations: 6, crossovers: 0, elites: 1, generations: 25, tolerance: 0 };
  fc.assert(
    fc.property(problems, (problem) => {
      expect(engineEvolve(problem, settings)).toEqual(evolve(problem, settings));
    }),
    { seed: 1, numRuns: 50 },
  );
});
