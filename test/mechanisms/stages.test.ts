import fc from "fast-check";
import { describe, expect, it } from "vitest";
import "../engine.js";
import { secondStage, twoStages } from "../../src/mechanisms/stages.js";
import { cellsOf, queryOf } from "../../src/queries/query.js";
import { workloadQueries } from "../../src/queries/workload.js";
import type { Attribute } from "../../src/schema/schema.js";

const column = (size: number): Attribute => ({ name: `c${size}`, size, tree: false, missing: false, ordered: true });
const wide = [85, 9, 100, 16, 7].map(column);
const small = [2, 7, 5, 9].map(column);

/** First answers of uniform columns of `total` rows, with so much variance a cell. */
const firstAnswers = (attributes: Attribute[], total: number, sigma2: number, left = 0.9) => ({
  workload: workloadQueries("2-way", attributes),
  attributes,
  total,
  left,
  measurements: attributes.map(({ size }, at) => ({
    query: queryOf([at], attributes),
    answers: new Int32Array(size).fill(Math.round(total / size)),
    sigma2,
  })),
});

const ofOneWays = (shared: ReturnType<typeof secondStage>) =>
  shared.reduce((sum, { query, share }) => sum + (query.columns.length === 1 ? share : 0), 0);

describe("twoStages", () => {
  it("buys one-ways first, the more the less the tables tell of them, and names the workload for the second stage", () => {
    const share = (sizes: number[]) => {
      const attributes = sizes.map(column);
      const workload = workloadQueries("2-way", attributes);
      const { first, second } = twoStages(workload, attributes);
      expect(first.map(({ query }) => query.columns)).toEqual(sizes.map((_, at) => [at]));
      expect(second!.queries).toBe(workload);
      const bought = first.reduce((sum, { weight }) => sum + weight, 0);
      return bought / (bought + second!.weight);
    };
    expect(share([3, 74])).toBeGreaterThan(0.2);
    expect(share([2, 7, 5, 9, 3, 3, 2, 2, 10, 12])).toBeLessThan(0.1);
  });

  it("measures a workload of single columns at once", () => {
    const workload = workloadQueries("1-way", small);
    expect(twoStages(workload, small)).toEqual({ first: workload.map((query) => ({ query, weight: 1 })) });
  });
});

describe("secondStage", () => {
  it("spends all that is left, none of it below the least share that the plan has checked", () => {
    const totals = fc.integer({ min: 1, max: 1e7 });
    const variances = fc.double({ min: 0.01, max: 1e8, noNaN: true });
    fc.assert(
      fc.property(totals, variances, fc.constantFrom(wide, small), (total, sigma2, attributes) => {
        const shared = secondStage(firstAnswers(attributes, total, sigma2));
        const { second } = twoStages(workloadQueries("2-way", attributes), attributes);
        expect(shared.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1, 9);
        for (const { share } of shared) expect(share).toBeGreaterThanOrEqual(second!.leastShare * (1 - 1e-9));
        const pairs = shared.filter(({ query }) => query.columns.length === 2);
        expect(pairs.map(({ query }) => query.columns)).toEqual(second!.queries.map((query) => query.columns));
      }),
      { seed: 1 },
    );
  });

  it("measures every cell of a table with many rows, groups of codes of one with few, and then more one-ways", () => {
    const many = secondStage(firstAnswers(wide, 1e7, 30));
    expect(many.every(({ query }) => !query.groups)).toBe(true);
    expect(ofOneWays(many)).toBeLessThan(0.1);
    const few = secondStage(firstAnswers(wide, 2000, 30));
    expect(ofOneWays(few)).toBeGreaterThan(0.3);
    const [largest] = few.filter(({ query }) => query.columns.join() === "0,2");
    expect(cellsOf(largest.query, wide)).toBeLessThan(1000);
    const [smallest] = few.filter(({ query }) => query.columns.join() === "1,4");
    expect(smallest.query.groups).toBeUndefined();
  });
});
