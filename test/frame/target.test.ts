// Plans with a target, from the request to rows, and what only sets of three and four columns show.
import { describe, expect, it } from "vitest";
import {
  measure,
  type PlanOptions,
  parseRelease,
  parseSchema,
  plan,
  type Release,
  resample,
  resume,
} from "../../src/index.js";
import { MECHANISM_OPTIONS } from "../../src/mechanisms/options.js";
import { parityKept, paritySchema, parityTable } from "../parity.js";
import { adaptivePlan, key, people, schema } from "./people.js";

const unsafe = { seed: 1, unsafeNoiseKey: key(1) };

describe("a parity that no smaller set of columns shows is found", () => {
  const columns = paritySchema(6);
  it.each<[number, PlanOptions, boolean]>([
    [2, {}, true],
    [2, { workload: "2-way" }, false],
    [2, { target: "y" }, true],
    [2, { target: "y", selection: "max" }, true],
    [2, { target: "y", mechanism: "aim" }, true],
    [2, { workload: "3-way" }, true],
    [3, { workload: "4-way" }, true],
    [3, { workload: "3-way", target: "y" }, true],
  ])("of %i with %j: %s", async (parents, options, isFound) => {
    const release = await measure(
      parityTable(columns, 6000, parents),
      plan(columns, { epsilon: 1, ...options }),
      unsafe,
    );
    const kept = await parityKept(release, parents);
    if (isFound) expect(kept).toBeGreaterThan(0.95);
    else expect(kept).toBeLessThan(0.6);
  });
});

describe("a target", () => {
  it("is a fact of plan and release, and makes the same rows again", async () => {
    const planned = plan(schema, { epsilon: 1, target: "work" });
    expect(planned.toJSON()).toMatchObject({ target: "work", stages: 2 });
    expect(planned.toJSON().rule).toMatch(/not measured.*Pairs with the target get four times the part.*on their own/);
    const whole = plan(schema, { epsilon: 1, target: "work", selection: "none" }).toJSON();
    expect(whole.rule).toMatch(/Pairs with the target get four times the part/);
    expect(whole.rule).not.toMatch(/not measured|on their own/);
    const release = await measure(people, planned, unsafe);
    expect(release.facts.target).toBe("work");
    const read = parseRelease(JSON.stringify(release));
    expect([...(await resample(read)).table.rows()]).toEqual([...(await resample(release)).table.rows()]);
    const other = JSON.stringify({ ...release.toJSON(), target: "wage" });
    expect(() => parseRelease(other)).toThrow(/names a target that its schema does not model/);
  });

  it("measures its pairs with less noise than without it, and nothing more than its rule may spend", async () => {
    const sigmaOf = (release: Release) =>
      Math.min(
        ...release.measurements.filter(({ query }) => query.columns.join() === "0,1").map(({ sigma2 }) => sigma2),
      );
    const without = await measure(people, plan(schema, { epsilon: 8 }), unsafe);
    const release = await measure(people, plan(schema, { epsilon: 8, target: "work" }), unsafe);
    expect(sigmaOf(release)).toBeLessThan(sigmaOf(without));
    expect(release.ledger.reduce((sum, { rho }) => sum + rho, 0)).toBeLessThanOrEqual(release.facts.rho);
    expect(release.measurements.some(({ query }) => query.columns.length === 3)).toBe(true);
  });

  it("is part of what an unfinished release continues", async () => {
    const begun: Release[] = [];
    const planned = adaptivePlan({ rounds: 2, target: "home" });
    await measure(people, planned, { onRound: (release) => void begun.push(release) });
    const { facts, measurements } = await resume(people, parseRelease(JSON.stringify(begun[0])));
    expect([facts.target, facts.unfinished]).toEqual(["home", undefined]);
    expect(measurements).toHaveLength(4 + 2);
    const changed = { ...begun[0].toJSON(), target: "sex" };
    await expect(resume(people, parseRelease(JSON.stringify(changed)))).rejects.toThrow(
      /do not follow from its own request/,
    );
  });

  it("is an option of all mechanisms, and refused before any data is seen if there is no such column", () => {
    const small = paritySchema(4);
    const table = parityTable(small, 50, 2);
    for (const mechanism of Object.keys(MECHANISM_OPTIONS)) {
      const publicTable = mechanism.endsWith("-pub") ? table : undefined;
      const planned = plan(small, { epsilon: 1, mechanism, publicTable, target: "y" });
      expect(planned.problem.workload.map(({ columns }) => columns.join())).toContain("0,1,2");
    }
    expect(() => plan(schema, { epsilon: 1, target: "wrk" })).toThrow(/"wrk".*Did you mean work\?/);
    expect(() => plan(schema, { epsilon: 1, target: "work", stages: 2, estimate: "raw" })).toThrow(/Two stages/);
  });
});

describe("what can be seen", () => {
  it("is where the mean cell is 2σ, if all sets of as many columns are measured alike", () => {
    const columns = paritySchema(10);
    const { structure, rho } = plan(columns, { epsilon: 1 }).toJSON();
    expect(structure.map(({ columns, sets }) => [columns, sets])).toEqual([
      [2, 45],
      [3, 120],
      [4, 210],
    ]);
    for (const { columns, sets, sigma, seenFrom, mostCells } of structure) {
      expect(sigma).toBeCloseTo(Math.sqrt(sets / (2 * rho)), 9);
      expect(seenFrom).toEqual([Math.ceil(2 * sigma * 2 ** columns), Math.ceil(2 * sigma * 2 ** columns)]);
      expect(mostCells).toBeUndefined();
    }
    const declared = { epsilon: 1, neighbours: "replace", publicRows: 3000 } as const;
    const [pairs] = plan(columns, declared).toJSON().structure;
    // A row that changes is in another cell than before.
    expect(pairs.sigma).toBeCloseTo(Math.SQRT2 * structure[0].sigma, 9);
    expect(pairs.mostCells).toBe(Math.floor(3000 / (2 * pairs.sigma)));
  });

  it("is stated for the sets with the target, and from the smallest set to the largest", () => {
    const { structure } = plan(schema, { epsilon: 1, target: "work" }).toJSON();
    expect(structure.map(({ sets }) => sets)).toEqual([3, 3, 1]);
    const [{ seenFrom, sigma }] = structure;
    expect(seenFrom[0]).toBe(Math.ceil(2 * sigma * 6));
    // Of the tree over pay and work, the mean over five levels.
    expect(seenFrom[1]).toBe(Math.ceil((2 * Math.sqrt(5) * sigma * 3 * 62) / 5));
    expect(plan(paritySchema(1), { epsilon: 1 }).toJSON().structure).toEqual([]);
  });

  it("counts trees for what they are, next to columns with as many codes", () => {
    const tree = { type: "integer", constraints: { minimum: 0, maximum: 999, required: true } };
    const codes = (count: number) => ({
      ...{ type: "string", constraints: { enum: Array.from({ length: count }, (_, at) => `${at}`), required: true } },
    });
    const kinds = [tree, tree, tree, tree, ...[30, 31, 31, 31, 20].map(codes)];
    const columns = parseSchema({ fields: kinds.map((kind, at) => ({ name: `c${at}`, ...kind })) });
    const { structure } = plan(columns, { epsilon: 1, workload: [["c0"]] }).toJSON();
    const treesOf = (trees: number) => {
      const levels = [2, 4, 8, 16, 32].map((size) => size ** trees);
      return trees ? (Math.sqrt(5) / 5) * levels.reduce((a, b) => a + b) : 1;
    };
    const [pairs, , fours] = structure;
    const rows = (sigma: number, trees: number, cells: number) => Math.ceil(2 * sigma * treesOf(trees) * cells);
    // Trees have 32 leaves, and still the sets with most of them are the smallest, and those without any the largest.
    expect(pairs.seenFrom).toEqual([rows(pairs.sigma, 1, 20), rows(pairs.sigma, 0, 31 * 31)]);
    expect(fours.seenFrom).toEqual([rows(fours.sigma, 3, 20), rows(fours.sigma, 0, 30 * 31 ** 3)]);
  });
});
