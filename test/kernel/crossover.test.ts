import fc from "fast-check";
import { expect, it } from "vitest";
import { engineEvolve } from "../evolution.js";
import { evolve } from "../reference/evolve.js";
import { problems } from "../search.js";

it("proposes what the definition does, from whole elite tables", () => {
  const settings = { mutations: 3, crossovers: 6, elites: 4, generations: 25, tolerance: 0 };
  fc.assert(
    fc.property(problems, (problem) => {
      expect(engineEvolve(problem, settings)).toEqual(evolve(problem, settings));
    }),
    { seed: 1, numRuns: 50 },
  );
});

it("finds no codes that its column does not contain", () => {
  const settings = { mutations: 0, crossovers: 8, elites: 3, generations: 60, tolerance: 0 };
  fc.assert(
    fc.property(problems, (problem) => {
      const { codes } = engineEvolve(problem, settings);
      for (const [column, cells] of codes.entries())
        for (const code of cells) expect(problem.codes[column]).toContain(code);
    }),
    { seed: 2, numRuns: 50 },
  );
});
