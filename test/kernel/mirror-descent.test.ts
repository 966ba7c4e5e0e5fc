import fc from "fast-check";
import { expect, it } from "vitest";
import { CalibratedTree } from "../../src/graphical/calibrated-tree.js";
import { cellsOver } from "../../src/graphical/contraction.js";
import { fitTree } from "../../src/graphical/fit.js";
import { junctionTree } from "../../src/graphical/triangulation.js";
import { gaussians } from "../gaussians.js";
import "../engine.js";
import { leastLoss, lossOf } from "../reference/mirror-descent.js";
import { marginalOf } from "../reference/propagation.js";
import { uniforms } from "../reference/statistics.js";

const SIZES = [2, 3, 2, 2];
const TOTAL = 500;
const ALL = [...SIZES.keys()];
const CELLS = cellsOver(ALL, SIZES);

const cases = fc.record({
  sets: fc.uniqueArray(fc.subarray(ALL, { minLength: 1, maxLength: 3 }), {
    minLength: 1,
    maxLength: 4,
    selector: String,
  }),
  seed: fc.nat(1e6),
});

it("finds the distribution with the least squared error, which a solver with all cells finds too", () => {
  fc.assert(
    fc.property(cases, ({ sets, seed }) => {
      const uniform = uniforms(seed);
      const weights = Array.from({ length: CELLS }, () => 0.2 + uniform());
      const sum = weights.reduce((a, b) => a + b, 0);
      const truth = weights.map((weight) => (TOTAL * weight) / sum);
      const noisy = sets.map((axes, at) => {
        const counts = marginalOf(truth, axes, SIZES);
        const noise = gaussians(uniforms(seed + at + 1), counts.length);
        const sigma = 1 + 2 * uniform();
        return { axes, answers: counts.map((count, cell) => count + sigma * noise[cell]), weight: 1 / sigma ** 2 };
      });
      const tree = new CalibratedTree(junctionTree(sets, SIZES), SIZES, TOTAL);
      tree.startIndependent(SIZES.map((size) => new Float64Array(size).fill(TOTAL / size)));
      const fit = fitTree(
        tree,
        noisy.map(({ axes, answers, weight }) => ({
          ...{ columns: axes, answers: Float64Array.from(answers) },
          weights: new Float64Array(answers.length).fill(weight),
        })),
        { steps: 5000, tolerance: 0, noise: 0 },
        new Float64Array(),
      );
      let next = fit.next();
      const losses: number[] = [];
      for (; !next.done; next = fit.next()) losses.push((next.value as { loss: number }).loss);
      expect([...losses].sort((a, b) => b - a)).toEqual(losses); // it never rises
      const exact = leastLoss(SIZES, noisy, TOTAL, 5000);
      const least = lossOf(exact, noisy, SIZES);
      const found = next.value;
      expect(Math.abs(found.loss - least)).toBeLessThan(1e-6 * (1 + least));
      for (const { axes } of noisy) {
        const expected = marginalOf(exact, axes, SIZES).map((count) => expect.closeTo(count / TOTAL, 6));
        expect([...tree.marginals([axes])[0]].map((count) => count / TOTAL)).toEqual(expected);
      }
      tree.drop();
    }),
    { seed: 2, numRuns: 25 },
  );
});
