import fc from "fast-check";
import { expect, it } from "vitest";
import { placeLinked } from "../../src/constraints/struct.js";
import { LINKED_LEFT, LINKED_WITNESS } from "../../src/engine/layout.js";
import { instance } from "../engine.js";
import { forOracle, type Group, groups } from "../linked.js";
import { broken, isExempt, type Problem } from "../reference/row-tests.js";
import { type Range, solved } from "../reference/solver.js";

const engine = instance();

function witnessOf(group: Group, tries: number): { found: number[] | undefined; left: number } {
  return engine.scratch(() => {
    const linked = placeLinked(engine, group);
    const found = engine.exports.findWitness(linked, tries);
    const place = linked + engine.readU32(linked + LINKED_WITNESS, 1)[0];
    const left = engine.readI32(linked + LINKED_LEFT, 1)[0];
    return { found: found ? [...engine.readF64(place, group.scales.length)] : undefined, left };
  });
}

const everything = ({ columns }: Problem): Range[] =>
  columns.map(({ values }) => ({ first: 0, last: values.length - 1 }));

it("tries the same values as its definition, as many as it may", () => {
  fc.assert(
    fc.property(groups, fc.constantFrom(0, 1, 2, 5, 100_000), (group, tries) => {
      const problem = forOracle(group);
      const middle = problem.columns.map(() => 2 ** 31);
      expect(witnessOf(group, tries)).toEqual(solved(problem, everything(problem), middle, tries));
    }),
    { seed: 62, numRuns: 1500 },
  );
});

it("finds a row that satisfies the constraints exactly where there is one", () => {
  let without = 0;
  fc.assert(
    fc.property(groups, (group) => {
      const problem = forOracle(group);
      const sizes = problem.columns.map(({ values }) => values.length);
      fc.pre(sizes.reduce((product, size) => product * size, 1) < 3000);
      const { found } = witnessOf(group, 1_000_000);
      if (found) {
        expect(broken(problem, found)).not.toContain(true);
        return;
      }
      without++;
      // No row does, unless a missing cell exempts it from a list.
      let rows: number[][] = [[]];
      for (const { values } of problem.columns)
        rows = rows.flatMap((row) => values.map(({ stored }) => [...row, stored]));
      const listed = rows.filter((row) => !problem.lists.some((list) => isExempt(problem.columns, list, row)));
      for (const row of listed) expect(broken(problem, row)).toContain(true);
    }),
    { seed: 63, numRuns: 300 },
  );
  expect(without).toBeGreaterThan(10);
});
