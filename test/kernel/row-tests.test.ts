import fc from "fast-check";
import { expect, it } from "vitest";
import { placeLinked } from "../../src/constraints/struct.js";
import { instance } from "../engine.js";
import { forOracle, groups, placeRows } from "../linked.js";
import { broken } from "../reference/row-tests.js";

it("counts the rows that break each constraint", () => {
  const engine = instance();
  const rows = fc.array(fc.array(fc.nat(), { minLength: 6, maxLength: 6 }), { maxLength: 12 });
  let counted = 0;
  fc.assert(
    fc.property(groups, rows, (group, drawn) => {
      const stored = drawn.map((row) =>
        group.scales.map(({ values, missing }, at) => (row[at] % 6 ? row[at] % values : (missing ?? 0))),
      );
      const tests = stored.map((row) => broken(forOracle(group), row));
      const count = group.orders.length + group.sums.length + group.lists.length;
      const counts = engine.scratch(() => {
        const linked = placeLinked(engine, group, placeRows(engine, group, stored));
        return Array.from({ length: count }, (_, at) => engine.exports.countBroken(linked, at, stored.length));
      });
      expect(counts).toEqual(Array.from({ length: count }, (_, at) => tests.filter((all) => all[at]).length));
      counted += counts.reduce((sum, one) => sum + one, 0);
    }),
    { seed: 61, numRuns: 2000 },
  );
  expect(counted).toBeGreaterThan(1000);
});

it("finds combinations among many, and codes that none has", () => {
  const engine = instance();
  const columns = [0, 1];
  const combinations = Array.from({ length: 5000 }, (_, at) => [at * 1_048_576, (at * 7) % 65_536]);
  const scale = { kind: "plain" as const, codes: 1, starts: Float64Array.of(0), values: 2 ** 53, missing: -1 };
  const group = {
    scales: [scale, { ...scale, values: 65_536, missing: 65_535 }],
    widths: [8 as const, 4 as const],
    ...{ orders: [], sums: [], lists: [{ columns, combinations, exempt: [undefined, undefined] }] },
  };
  const others = combinations.map(([one, other]) => [one + 1, other]);
  const linked = placeLinked(engine, group, placeRows(engine, group, [...combinations, ...others, [-1, 65_535]]));
  expect(engine.exports.countBroken(linked, 0, 5000)).toBe(0);
  expect(engine.exports.countBroken(linked, 0, 10_001)).toBe(5001);
});
