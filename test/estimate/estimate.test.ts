import fc from "fast-check";
import { expect, it } from "vitest";
import { estimateOneWays, projectOnSimplex } from "../../src/estimate/one-way.js";
import { estimateTotal } from "../../src/estimate/total.js";
import { queryOf } from "../../src/queries/query.js";

const attributes = [
  { name: "a", size: 2, tree: false, missing: false },
  { name: "b", size: 3, tree: false, missing: false },
  { name: "t", size: 33, tree: true, missing: true },
];

/** Noiseless answers of a pair or tree over rows of codes. */
function answersOf(columns: number[], rows: number[][]) {
  const query = queryOf(columns, attributes);
  const levels = query.kind === "tree" ? [1, 2, 3, 4, 5] : [5];
  const answers = levels.flatMap((level) => {
    const sizes = columns.map((column) => (attributes[column].tree ? 2 ** level + 1 : attributes[column].size));
    const counts = new Array(sizes.reduce((a, b) => a * b, 1)).fill(0);
    for (const row of rows) {
      const codes = columns.map((column) => {
        const code = row[column];
        return attributes[column].tree ? (code === 32 ? 2 ** level : code >> (5 - level)) : code;
      });
      counts[codes.reduce((index, code, axis) => index * sizes[axis] + code, 0)]++;
    }
    return counts;
  });
  return { query, answers: Int32Array.from(answers) };
}

const rows = [
  [0, 0, 0],
  [0, 1, 31],
  [1, 2, 32],
  [1, 2, 5],
  [1, 0, 5],
];

it("finds the total and the one-ways of noiseless answers exactly", () => {
  const measurements = [
    { ...answersOf([0, 1], rows), sigma2: 3 },
    { ...answersOf([0, 2], rows), sigma2: 7 },
    { ...answersOf([1, 2], rows), sigma2: 5 },
  ];
  expect(estimateTotal(measurements, attributes)).toBeCloseTo(5, 10);
  const [a, b, t] = estimateOneWays(measurements, attributes, 5);
  expect([...a]).toEqual([2, 3].map((n) => expect.closeTo(n, 10)));
  expect([...b]).toEqual([2, 1, 2].map((n) => expect.closeTo(n, 10)));
  expect(t[5]).toBeCloseTo(2, 10);
  expect(t[32]).toBeCloseTo(1, 10);
});

it("weighs measurements by inverse variance", () => {
  const one = (answers: number[], sigma2: number) => ({
    query: queryOf([0], attributes),
    answers: Int32Array.from(answers),
    sigma2,
  });
  expect(estimateTotal([one([10, 10], 1), one([40, 40], 4)], attributes)).toBeCloseTo((4 * 20 + 80) / 5, 10);
  const [a] = estimateOneWays([one([10, 0], 1), one([0, 10], 4)], attributes, 10);
  expect(a[0]).toBeCloseTo(8, 10);
});

it("leaves an attribute that nothing measured uniform over its values", () => {
  const [, b, t] = estimateOneWays([{ ...answersOf([0], rows), sigma2: 1 }], attributes, 6);
  expect([...b]).toEqual([2, 2, 2]);
  expect(t[32]).toBe(0);
  expect(t[0]).toBeCloseTo(6 / 32, 10);
});

it("projects on the simplex: sums to the total, no negative value, nothing nearer", () => {
  const values = fc.array(fc.double({ min: -100, max: 100, noNaN: true }), { minLength: 1, maxLength: 8 });
  fc.assert(
    fc.property(values, fc.double({ min: 0.5, max: 50, noNaN: true }), (list, total) => {
      const given = Float64Array.from(list);
      const point = projectOnSimplex(given, total);
      expect(point.every((value) => value >= 0)).toBe(true);
      expect(point.reduce((a, b) => a + b, 0)).toBeCloseTo(total, 6);
      // Optimality: all positive coordinates were lowered equally, and none of the others exceeds that threshold.
      const lowered = given.map((value, at) => value - point[at]);
      const threshold = Math.max(...lowered.filter((_, at) => point[at] > 1e-9));
      for (let at = 0; at < list.length; at++)
        if (point[at] > 1e-9) expect(lowered[at]).toBeCloseTo(threshold, 6);
        else expect(list[at]).toBeLessThanOrEqual(threshold + 1e-6);
    }),
    { seed: 1, numRuns: 300 },
  );
});
