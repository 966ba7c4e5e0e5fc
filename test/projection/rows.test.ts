// What rows say about pairs that were not measured: what the measured ones imply, and nothing added by the search.
import { describe, expect, it } from "vitest";
import type { Settings } from "../../src/core/option-table.js";
import { finished } from "../../src/core/progress.js";
import type { Attribute } from "../../src/domain/attribute.js";
import { privateGsd } from "../../src/mechanisms/private-gsd.js";
import { queryOf } from "../../src/queries/query.js";
import { answers } from "../reference/marginal.js";
import { ALPHA, chiSquareTail, goodnessOfFit, uniforms } from "../reference/statistics.js";

const SIZES = [5, 4, 6];
const attributes: Attribute[] = SIZES.map((size, at) => ({ name: "abc"[at], size, tree: false, missing: false }));
const [A, B, C] = SIZES;
const TOTAL = 40_000;

/** P(b), P(a | b) and P(c | b): columns a and c follow b, more closely the larger the strength, and nothing else. */
function chain(strength: number) {
  const uniform = uniforms(5);
  const law = (size: number) => {
    const weights = Array.from({ length: size }, () => 0.1 + uniform());
    const sum = weights.reduce((x, y) => x + y, 0);
    return weights.map((weight) => weight / sum);
  };
  const follows = (size: number) =>
    Array.from({ length: B }, (_, b) =>
      law(size).map((p, code) => (1 - strength) * p + strength * Number(code === Math.floor((b * size) / B))),
    );
  return { b: law(B), aGiven: follows(A), cGiven: follows(C) };
}

type Chain = ReturnType<typeof chain>;

/** P(a, b, c), row-major. */
const jointOf = ({ b, aGiven, cGiven }: Chain): number[] =>
  Array.from({ length: A * B * C }, (_, cell) => {
    const [x, y, z] = [Math.floor(cell / (B * C)), Math.floor(cell / C) % B, cell % C];
    return b[y] * aGiven[y][x] * cGiven[y][z];
  });

/** The joint law summed to some of its columns. */
function lawOf(columns: readonly number[], joint: readonly number[]): number[] {
  const sizes = columns.map((column) => SIZES[column]);
  const law = new Array(sizes.reduce((x, y) => x * y, 1)).fill(0);
  for (const [cell, p] of joint.entries()) {
    const codes = [Math.floor(cell / (B * C)), Math.floor(cell / C) % B, cell % C];
    law[columns.reduce((index, column, at) => index * sizes[at] + codes[column], 0)] += p;
  }
  return law;
}

/** Rows searched after some sets of columns of the chain were measured, almost without noise. */
async function rowsOf(
  joint: readonly number[],
  sets: readonly number[][],
  asked: Settings,
  rows: number,
  seed: number,
) {
  const measurements = sets.map((columns) => ({
    query: queryOf(columns, attributes),
    answers: Int32Array.from(lawOf(columns, joint), (p) => Math.round(TOTAL * p)),
    sigma2: 1e-6,
  }));
  const model = privateGsd.model({ attributes, options: privateGsd.options({ search: asked }) });
  await finished(model.fit({ measurements, total: TOTAL, adaptive: false }, { rows, seed }), {});
  return (await finished(model.tables(1), {}))[0];
}

const countsOf = (columns: readonly number[], codes: readonly Uint16Array[]) => [
  ...answers(queryOf(columns, attributes), attributes, codes),
];

const variation = (p: readonly number[], q: readonly number[]) =>
  p.reduce((sum, share, cell) => sum + Math.abs(share - q[cell]), 0) / 2;

/** The chi-square test that a and c are independent among the rows of each code of b. */
function conditionalIndependence(counts: readonly number[]): number {
  let [statistic, degrees] = [0, 0];
  for (let b = 0; b < B; b++) {
    const slice = Array.from({ length: A }, (_, a) => counts.slice((a * B + b) * C, (a * B + b) * C + C));
    const rows = slice.map((line) => line.reduce((x, y) => x + y, 0));
    const columns = Array.from({ length: C }, (_, c) => slice.reduce((sum, line) => sum + line[c], 0));
    const held = rows.reduce((x, y) => x + y, 0);
    for (const [a, line] of slice.entries())
      for (const [c, count] of line.entries()) {
        const expected = (rows[a] * columns[c]) / held;
        statistic += (count - expected) ** 2 / expected;
      }
    degrees += (A - 1) * (C - 1);
  }
  return chiSquareTail(statistic, degrees);
}

const CHAIN = [
  [0, 1],
  [1, 2],
];

// A p-value is below ALPHA with at most that probability, if the rows follow the model.
describe.each([0.1, 0.3, 0.6])("of a – b – c, where a and c follow b with strength %d", (strength) => {
  const joint = jointOf(chain(strength));

  it.each([1000, 4000])("%d rows have the measured pairs, and for a and c what these imply", async (rows) => {
    const { codes } = await rowsOf(joint, CHAIN, {}, rows, 7);
    for (const columns of CHAIN) {
      const law = lawOf(columns, joint);
      for (const [cell, count] of countsOf(columns, codes).entries())
        expect(Math.abs(count - rows * law[cell])).toBeLessThan(1.5);
    }
    expect(conditionalIndependence(countsOf([0, 1, 2], codes))).toBeGreaterThan(ALPHA);
    expect(goodnessOfFit(countsOf([0, 2], codes), lawOf([0, 2], joint))).toBeGreaterThan(ALPHA);
  });

  it("rows that link a and c through their order are detected", async () => {
    const { codes } = await rowsOf(joint, CHAIN, {}, 4000, 7);
    // The same pairs with b, but with a and c in ascending order in the rows of each code of b.
    const inOrder = (column: number) =>
      [...codes[1].keys()]
        .sort((x, y) => codes[1][x] - codes[1][y] || codes[column][x] - codes[column][y])
        .map((row) => codes[column][row]);
    const tied = [inOrder(0), inOrder(1), inOrder(2)].map((column) => Uint16Array.from(column));
    for (const columns of CHAIN) expect(countsOf(columns, tied)).toEqual(countsOf(columns, codes));
    expect(conditionalIndependence(countsOf([0, 1, 2], tied))).toBeLessThan(ALPHA);
  });
});

describe.each([0.3, 0.6])("of a – b – c with strength %d", (strength) => {
  const joint = jointOf(chain(strength));
  const implied = lawOf([0, 2], joint);

  it("independent columns are detected", async () => {
    const { codes } = await rowsOf(joint, [[0], [1], [2]], {}, 4000, 7);
    expect(goodnessOfFit(countsOf([0, 2], codes), implied)).toBeLessThan(ALPHA);
  });

  // It begins with uniform rows, and its moves are not draws from a law.
  it("the paper's search comes closer to what is implied for a and c than independent columns do", async () => {
    const { codes } = await rowsOf(joint, CHAIN, { method: "paper" }, 4000, 7);
    const found = countsOf([0, 2], codes).map((count) => count / 4000);
    const independent = lawOf([0], joint).flatMap((p) => lawOf([2], joint).map((q) => p * q));
    expect(variation(found, implied)).toBeLessThan(0.8 * variation(independent, implied));
  });
});

describe.each(["descent", "paper"])("of columns measured individually (%s)", (method) => {
  it("all pairs, and all three, are independent", async () => {
    const joint = jointOf(chain(0.6));
    const rows = 4000;
    const { codes } = await rowsOf(joint, [[0], [1], [2]], { method }, rows, 3);
    const laws = [0, 1, 2].map((column) => lawOf([column], joint));
    for (const [column, law] of laws.entries())
      for (const [code, count] of countsOf([column], codes).entries())
        expect(Math.abs(count - rows * law[code])).toBeLessThan(1.5);
    const product = (columns: readonly number[]) =>
      columns.reduce((law, column) => law.flatMap((p) => laws[column].map((q) => p * q)), [1]);
    for (const columns of [
      [0, 1],
      [0, 2],
      [1, 2],
      [0, 1, 2],
    ])
      expect(goodnessOfFit(countsOf(columns, codes), product(columns))).toBeGreaterThan(ALPHA);
    // The table from which they were measured is not.
    expect(
      goodnessOfFit(
        lawOf([0, 1], joint).map((p) => rows * p),
        product([0, 1]),
      ),
    ).toBeLessThan(ALPHA);
  });
});
