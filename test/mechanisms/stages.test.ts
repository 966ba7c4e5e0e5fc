import fc from "fast-check";
import { describe, expect, it } from "vitest";
import "../engine.js";
import type { SharedQuery } from "../../src/mechanisms/mechanism.js";
import { candidatesOf, secondStage, twoStages } from "../../src/mechanisms/stages.js";
import { cellsOf, queryOf } from "../../src/queries/query.js";
import { workloadQueries } from "../../src/queries/workload.js";
import type { Attribute } from "../../src/schema/schema.js";

const column = (size: number): Attribute => ({ name: `c${size}`, size, tree: false, missing: false, ordered: true });
const wide = [85, 9, 100, 16, 7].map(column);
const small = [2, 7, 5, 9].map(column);
const many = Array.from({ length: 20 }, () => column(8));

function pairsOf(attributes: readonly Attribute[]) {
  const workload = workloadQueries("2-way", attributes);
  return { workload, candidates: candidatesOf(workload) };
}

/** First answers of uniform columns of `total` rows, with so much variance a cell. */
const firstAnswers = (attributes: Attribute[], total: number, sigma2: number, left = 0.9) => ({
  ...pairsOf(attributes),
  attributes,
  total,
  left,
  measurements: attributes.map(({ size, tree }, at) => ({
    query: queryOf([at], attributes),
    answers: tree
      ? Int32Array.from({ length: 62 }, (_, cell) => total / 2 ** (31 - Math.clz32(cell + 2)))
      : new Int32Array(size).fill(Math.round(total / size)),
    sigma2,
  })),
});

/** What a second stage measures, the first of the candidates chosen where it chooses; and what all of it costs. */
function drawn(first: ReturnType<typeof firstAnswers>) {
  const { oneWays, choice, tables } = secondStage(first);
  const measured = tables(first.workload.slice(0, choice?.picks), first.measurements);
  const sum = (queries: readonly SharedQuery[]) => queries.reduce((total, { share }) => total + share, 0);
  return {
    oneWays,
    choice,
    measured,
    spent: sum(oneWays) + (choice?.share ?? 0) + sum(measured),
    bought: sum(oneWays),
  };
}

describe("twoStages", () => {
  it("buys one-ways with a little of the budget, and names the workload for the second stage", () => {
    const { workload, candidates } = pairsOf(wide);
    const { first, second } = twoStages(workload, candidates, wide);
    expect(first.map(({ query }) => query.columns)).toEqual(wide.map((_, at) => [at]));
    expect(second!.queries.map(({ query }) => query)).toEqual(workload);
    expect(second!.candidates).toEqual(workload);
    const bought = first.reduce((sum, { weight }) => sum + weight, 0);
    expect(bought / (bought + second!.weight)).toBeCloseTo(0.05, 12);
  });

  it("measures a workload of single columns at once", () => {
    const workload = workloadQueries("1-way", small);
    expect(twoStages(workload, candidatesOf(workload), small)).toEqual({
      first: workload.map((query) => ({ query, weight: 1 })),
    });
  });

  it("leaves out nothing of a workload with larger tables, and no more than can be searched of very many pairs", () => {
    expect(candidatesOf(workloadQueries("3-way", small))).toEqual([]);
    const attributes = Array.from({ length: 80 }, (_, at) => column(at < 2 ? 300 : 4));
    const { workload, candidates } = pairsOf(attributes);
    const { queries } = twoStages(workload, candidates, attributes).second!;
    expect(candidates).toHaveLength(3160);
    expect(queries).toHaveLength(2000);
    expect(queries[0].query.columns).toEqual([0, 1]);
    expect(secondStage(firstAnswers(attributes, 1e9, 30)).choice!.picks).toBe(2000);
  });
});

describe("secondStage", () => {
  it("measures single columns of the workload in any case, and all of a workload of which nothing may be left out", () => {
    const first = firstAnswers(many, 1000, 2000);
    const [single, ...pairs] = [queryOf([7], many), queryOf([0, 1], many), queryOf([2, 3], many)];
    const measurements = first.measurements.slice(0, 4);
    const { tables } = secondStage({ ...first, measurements, workload: [single, ...pairs], candidates: pairs });
    expect(tables([], measurements).map(({ query }) => query)).toEqual([single]);
    const whole = secondStage({ ...first, candidates: [] });
    expect(whole.choice).toBeUndefined();
    expect(whole.tables([], first.measurements).map(({ query }) => query)).toEqual(first.workload);
  });

  it("spends all that is left, none of it below the least share that the plan has checked", () => {
    const totals = fc.integer({ min: 1, max: 1e7 });
    const variances = fc.double({ min: 0.01, max: 1e8, noNaN: true });
    fc.assert(
      fc.property(totals, variances, fc.constantFrom(wide, small, many), (total, sigma2, attributes) => {
        const { oneWays, choice, measured, spent } = drawn(firstAnswers(attributes, total, sigma2));
        const { workload, candidates } = pairsOf(attributes);
        const { second } = twoStages(workload, candidates, attributes);
        expect(spent).toBeCloseTo(1, 9);
        for (const { share } of [...oneWays, ...measured])
          expect(share).toBeGreaterThanOrEqual(second!.leastShare * (1 - 1e-9));
        const pairs = second!.queries.map(({ query }) => query.columns);
        if (!choice) expect([0, pairs.length]).toContain(measured.length);
        expect(measured.map(({ query }) => query.columns)).toEqual(pairs.slice(0, measured.length));
      }),
      { seed: 1, numRuns: 40 },
    );
  });

  it("measures every cell of a table with many rows, groups of codes of one with few, and then more one-ways", () => {
    const rich = drawn(firstAnswers(wide, 1e7, 30));
    expect(rich.choice).toBeUndefined();
    expect(rich.measured.every(({ query }) => !query.groups)).toBe(true);
    expect(rich.bought).toBeLessThan(0.1);
    const poor = drawn(firstAnswers(wide, 5000, 30));
    expect(poor.bought).toBeGreaterThan(0.15);
    const [, , , , largest] = poor.measured;
    expect(largest.query.columns).toEqual([1, 2]);
    expect(cellsOf(largest.query, wide)).toBeLessThan(600);
  });

  it("leaves the more pairs out the fewer rows there are, at last all of them", () => {
    const measured = [1e7, 1e5, 1e4, 1e3].map((total) => drawn(firstAnswers(many, total, 2000)).measured.length);
    expect(measured).toEqual([...measured].sort((a, b) => b - a));
    expect(new Set(measured).size).toBeGreaterThan(2);
    expect([measured[0], measured[3]]).toEqual([190, 0]);
  });

  it("compares candidates with independent columns, less what chance alone would make of a table of them", () => {
    const tree: Attribute = { ...column(32), tree: true };
    const attributes = [column(4), tree, ...many];
    const first = firstAnswers(attributes, 32_000, 2000);
    const { choice } = secondStage(first);
    const expected = choice!.candidates(first.measurements);
    expect(expected.map(({ number }) => number)).toEqual([...first.workload.keys()]);
    // Two and four codes on two and more levels: 32,000 rows over 4 · 8 cells and over 4 · (2 + 4 + 8 + 16 + 32) cells.
    const [pair, withTree] = [expected[1], expected[0]];
    expect([...pair.targets()]).toEqual(new Array(32).fill(1000));
    expect(withTree.targets()).toHaveLength(4 * 62);
    expect([...withTree.targets().subarray(0, 8)]).toEqual(new Array(8).fill(4000));
    expect([pair.weight, withTree.weight]).toEqual([2 ** 16, Math.floor(2 ** 16 / 5)]);
    expect(Number(pair.bias) / 2 ** 16).toBeCloseTo(32 * Math.sqrt(2000 / Math.PI), 3);
  });
});
