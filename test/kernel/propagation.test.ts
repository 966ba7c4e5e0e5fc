import fc from "fast-check";
import { expect, it } from "vitest";
import { CalibratedTree } from "../../src/graphical/calibrated-tree.js";
import { cellsOver } from "../../src/graphical/contraction.js";
import { fitTree } from "../../src/graphical/fit.js";
import { junctionTree } from "../../src/graphical/triangulation.js";
import { instance } from "../engine.js";
import { joint, marginalOf } from "../reference/propagation.js";
import { uniforms } from "../reference/statistics.js";

const SIZES = [3, 2, 4, 2, 3];
const TOTAL = 1000;
const ALL = [...SIZES.keys()];

/** Some sets of columns, and log-potentials of the cells of each. */
const cases = fc.record({
  sets: fc.array(fc.subarray(ALL, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 6 }),
  seed: fc.nat(1e6),
});

const near = (values: readonly number[]) => values.map((value) => expect.closeTo(value, 6));

it("takes changes of any tables to every marginal of five columns, as brute force does", () => {
  fc.assert(
    fc.property(cases, ({ sets, seed }) => {
      const uniform = uniforms(seed);
      const tree = new CalibratedTree(junctionTree(sets, SIZES), SIZES, TOTAL);
      tree.startIndependent(SIZES.map((size) => new Float64Array(size).fill(TOTAL / size)));
      const potentials = sets.map((columns) => Array.from({ length: cellsOver(columns, SIZES) }, () => -6 * uniform()));
      // A fit without steps multiplies the tree by these.
      const noisy = sets.map((columns, at) => ({
        ...{ columns, answers: new Float64Array(potentials[at].length) },
        weights: new Float64Array(potentials[at].length),
      }));
      const ordered = sets.map((columns, at) => sortedBySize(columns, potentials[at]));
      for (const _ of fitTree(tree, noisy, { steps: 0, tolerance: 0, noise: 0 }, Float64Array.from(ordered.flat())));
      const factors = sets.map((axes, at) => ({ axes, values: potentials[at].map(Math.exp) }));
      const counts = joint({ sizes: SIZES, factors, divisors: [], total: TOTAL });
      const asked = [[0], [4, 1], [0, 2, 4], [1, 2, 3], ALL];
      for (const [at, found] of tree.marginals(asked).entries())
        expect([...found]).toEqual(near(marginalOf(counts, asked[at], SIZES)));
      tree.drop();
    }),
    { seed: 1, numRuns: 100 },
  );
});

it("inverts numbers", () => {
  const engine = instance();
  const [values, out] = [engine.place(Float64Array.of(2, 1e-250, 3)), engine.alloc(24)];
  engine.exports.reciprocals(values, 3, out);
  expect([...engine.f64(out, 3)]).toEqual([0.5, 1e250, 1 / 3]);
});

/** The values of a table, in the order that it has if its smallest column is the first. */
function sortedBySize(columns: readonly number[], values: readonly number[]): number[] {
  const sorted = [...columns].sort((a, b) => SIZES[a] - SIZES[b] || a - b);
  const sizes = columns.map((column) => SIZES[column]);
  return marginalOf(
    values,
    sorted.map((column) => columns.indexOf(column)),
    sizes,
  );
}
