import { describe, expect, it } from "vitest";
import type { Attribute } from "../../src/domain/attribute.js";
import { grouped as allGrouped } from "../../src/estimate/grouping.js";
import { cellsOf, type Query } from "../../src/queries/query.js";

const column = (size: number, facts = {}) => ({ name: "c", size, tree: false, missing: false, ...facts });
const uniform = (size: number, total: number) => new Float64Array(size).fill(total / size);
const pair: Query = { kind: "marginal", columns: [0, 1] };

const grouped = (query: Query, ...[attributes, oneWays, total, sigma]: [Attribute[], Float64Array[], number, number]) =>
  allGrouped([{ query, sigma }], attributes, oneWays, total)[0];

describe("grouped", () => {
  it("leaves tables whose noise is small, small columns, one-ways and trees as they are", () => {
    const wide = [column(100, { ordered: true }), column(80, { ordered: true })];
    const oneWays = [uniform(100, 1e6), uniform(80, 1e6)];
    expect(grouped(pair, wide, oneWays, 1e6, 10)).toBe(pair);
    const single: Query = { kind: "marginal", columns: [0] };
    expect(grouped(single, wide, oneWays, 100, 10)).toBe(single);
    const tree: Query = { kind: "tree", columns: [0, 1] };
    expect(grouped(tree, wide, oneWays, 100, 10)).toBe(tree);
    const small = [column(12), column(16)];
    expect(grouped(pair, small, [uniform(12, 50), uniform(16, 50)], 50, 10)).toBe(pair);
  });

  it("leaves about as many cells as the noise allows, reducing the larger columns", () => {
    const attributes = [column(100, { ordered: true }), column(20)];
    const query = grouped(pair, attributes, [uniform(100, 30_000), uniform(20, 30_000)], 30_000, 10);
    expect(cellsOf(query, attributes)).toBeLessThanOrEqual(900);
    expect(cellsOf(query, attributes)).toBeGreaterThan(700);
    expect(query.groups![1]).toBeNull();
  });

  it("cuts ordered codes into runs of about equal size, with a large code alone and missing separate", () => {
    const attributes = [column(101, { ordered: true, missing: true }), column(2)];
    const counts = uniform(101, 500);
    counts[0] = 400;
    const [groups] = grouped(pair, attributes, [counts, uniform(2, 900)], 900, 50).groups!;
    expect(groups![0]).toBe(0);
    expect(groups![1]).toBe(1);
    expect(groups!.at(-1)).toBe(groups![99] + 1);
    const sizes = new Map<number, number>();
    groups!.slice(1, 100).forEach((group, at) => {
      expect([0, 1]).toContain(group - (groups![at] ?? 0));
      sizes.set(group, (sizes.get(group) ?? 0) + 1);
    });
    expect(sizes.size).toBe(19);
    expect(Math.max(...sizes.values()) - Math.min(...sizes.values())).toBeLessThanOrEqual(2);
  });

  it("keeps the largest unordered codes separate and puts the rest together", () => {
    const attributes = [column(40), column(2)];
    const counts = Float64Array.from({ length: 40 }, (_, code) => (code * 7) % 40);
    const [groups] = grouped(pair, attributes, [counts, uniform(2, 780)], 780, 50).groups!;
    const alone = [...counts.keys()].filter((code) => counts[code] >= 21);
    expect(new Set(alone.map((code) => groups![code])).size).toBe(19);
    expect(new Set(groups).size).toBe(20);
    expect([...counts.keys()].filter((code) => counts[code] < 21).every((code) => groups![code] === 19)).toBe(true);
  });
});
