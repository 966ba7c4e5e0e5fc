import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { StandinError } from "../../src/core/errors.js";
import type { Attribute } from "../../src/domain/attribute.js";
import type { ScoredGroup } from "../../src/privacy/candidates.js";
import { type QueryItem, type SelectionItem, sigma2Of } from "../../src/privacy/items.js";
import { checkedBudget, isQueryItem, planLedger } from "../../src/privacy/ledger.js";
import { scaleOf } from "../../src/queries/interaction.js";
import { cellsOf, type Query, queryOf } from "../../src/queries/query.js";
import { withTarget } from "../../src/queries/target.js";
import { workloadQueries } from "../../src/queries/workload.js";
import type { SelectionOptions } from "../../src/selection/options.js";
import type { Problem } from "../../src/selection/problem.js";
import { twoStages } from "../../src/selection/two-stages.js";

const column = (size: number): Attribute => ({ name: `c${size}`, size, tree: false, missing: false, ordered: true });
const wide = [85, 9, 100, 16, 7].map(column);
const small = [2, 7, 5, 9].map(column);
const many = Array.from({ length: 20 }, () => column(8));

/** A problem over all pairs of columns with this budget, and answers of uniform columns of `total` rows. */
function asked(
  attributes: readonly Attribute[],
  total: number,
  rho = 1,
  changes: Partial<Problem<SelectionOptions>> = {},
) {
  const problem: Problem<SelectionOptions> = {
    attributes,
    workload: workloadQueries("2-way", { attributes, fields: [] }),
    budget: checkedBudget({ rho }, "row"),
    unit: "row",
    options: {},
    ...changes,
  };
  const ledger = planLedger(attributes, twoStages.price(problem), problem.budget, problem.unit);
  const answers = ({ query }: QueryItem) => {
    const { columns } = query;
    if (columns.length > 1) {
      const cells = cellsOf(query, attributes);
      return new Int32Array(cells).fill(Math.round(total / cells));
    }
    const { tree, size } = attributes[columns[0]];
    return tree
      ? Int32Array.from({ length: 62 }, (_, cell) => total / 2 ** (31 - Math.clz32(cell + 2)))
      : new Int32Array(size).fill(Math.round(total / size));
  };
  return { problem, ledger, answers };
}

/** The columns of a query besides the target. */
const besides = ({ columns }: Query, target: number | undefined) =>
  columns.filter((column) => target === undefined || column !== target).join();

/** What changes where all pairs are to predict a column. */
const predicting = (target: number, attributes: readonly Attribute[]) => {
  const queries = workloadQueries("2-way", { attributes, fields: [] });
  return { target, workload: withTarget({ queries }, target, attributes).queries };
};

/** The same, unless the plan finds the budget too small. */
function tryAsking(attributes: readonly Attribute[], total: number, rho: number, target: number | undefined) {
  try {
    return asked(attributes, total, rho, target === undefined ? {} : predicting(target, attributes));
  } catch (error) {
    if ((error as StandinError).code === "budget/too-small") return undefined;
    throw error;
  }
}

/**
 * What is drawn after the first one-ways, with the first candidates that are left chosen if there are choices; and the
 * parts of the cap.
 */
async function drawn({ problem, ledger, answers }: ReturnType<typeof asked>) {
  const model = undefined as never;
  const draws = twoStages.draws({ problem, ledger, model, seed: 1 });
  const measured: QueryItem[][] = [];
  const choices: { item: SelectionItem; among: readonly ScoredGroup[] }[] = [];
  let next = await draws.next([]);
  while (!next.done) {
    const draw = next.value;
    if ("choose" in draw) {
      choices.push({ item: draw.choose, among: draw.among });
      next = await draws.next(draw.among.slice(0, draw.choose.picks).map(({ group }) => group.first));
    } else {
      measured.push([...draw.measure]);
      next = await draws.next(
        draw.measure.map((item) => ({ query: item.query, answers: answers(item), sigma2: sigma2Of(item) })),
      );
    }
  }
  const part = (share: bigint) => Number(share) / Number(ledger.cap);
  const [, oneWays, ...rest] = measured;
  const tables = rest.flat();
  const bought = oneWays.reduce((sum, { share }) => sum + part(share), 0);
  const spent = [...oneWays, ...choices.map(({ item }) => item), ...tables].map(({ share }) => share);
  return { choices, tables, bought, spent };
}

describe("the price of two stages", () => {
  it("buys one-ways with a small part of the budget, and names the workload for the second stage", () => {
    const { problem, ledger } = asked(wide, 1000);
    expect(ledger.items.filter(isQueryItem).map(({ query }) => query.columns)).toEqual(wide.map((_, at) => [at]));
    const shown = ledger.shown.filter(isQueryItem).map(({ query }) => query);
    expect(shown.map(({ columns }) => columns)).toEqual(problem.workload.map(({ columns }) => columns));
    expect(new Set(shown.map(({ kind }) => kind))).toEqual(new Set(["interaction"]));
    expect(ledger.candidates.map(({ query }) => query)).toEqual(problem.workload);
    expect(Number(ledger.cap) / Number(ledger.budget)).toBeCloseTo(0.95, 12);
    expect(ledger.charge <= ledger.budget).toBe(true);
  });

  it("leaves out nothing of a workload with larger tables, and of very many pairs keeps no more than can be searched", async () => {
    const triples = { workload: workloadQueries("3-way", { attributes: small, fields: [] }) };
    expect(asked(small, 1000, 1, triples).ledger.candidates).toEqual([]);
    const attributes = Array.from({ length: 80 }, (_, at) => column(at < 2 ? 300 : 4));
    const rich = asked(attributes, 1e9);
    expect(rich.ledger.candidates).toHaveLength(3160);
    expect(rich.ledger.shown).toHaveLength(2000);
    expect(rich.ledger.shown.filter(isQueryItem)[0].query.columns).toEqual([0, 1]);
    expect((await drawn(rich)).choices.map(({ item }) => item.picks)).toEqual([2000]);
  });
});

it("price tables that weigh next to nothing without asking for a larger budget than a sixteenth of the others' would", () => {
  const least = (attributes: readonly Attribute[]) => {
    let rho = 1;
    while (tryAsking(attributes, 1000, rho / 2, undefined)) rho /= 2;
    return rho;
  };
  expect(least(Array.from({ length: 12 }, () => column(100)))).toBeLessThanOrEqual(
    16 * 2 * least(Array.from({ length: 12 }, () => column(2))),
  );
});

describe("the draws of two stages", () => {
  it("always measure single columns of the workload, and all of a workload of which nothing may be left out", async () => {
    const workload = [queryOf([7], many), queryOf([0, 1], many), queryOf([2, 3], many)];
    const poor = await drawn(asked(many, 1000, 1e-3, { workload }));
    expect(poor.tables.map(({ query }) => query)).toEqual(workload.slice(0, 1));
    const whole = asked(many, 1000, 1e-3, { options: { selection: "none" } });
    const { choices, tables } = await drawn(whole);
    expect(choices).toEqual([]);
    expect(tables.map(({ query }) => query.columns)).toEqual(whole.problem.workload.map(({ columns }) => columns));
  });

  it("spend all that is left, and never need more budget than there is if the plan accepted it", async () => {
    const totals = fc.integer({ min: 1, max: 1e7 });
    const budgets = fc.double({ min: Math.log(1e-9), max: Math.log(1e3), noNaN: true }).map(Math.exp);
    const tables = fc.constantFrom(wide, small, many);
    const targets = fc.constantFrom(undefined, undefined, 1);
    let planned = 0;
    await fc.assert(
      fc.asyncProperty(totals, budgets, tables, targets, async (total, rho, attributes, target) => {
        const made = tryAsking(attributes, total, rho, target);
        if (!made) return;
        planned++;
        const { choices, tables, spent } = await drawn(made);
        const cap = made.ledger.cap!;
        const left = cap - spent.reduce((sum, share) => sum + share, 0n);
        expect(left >= 0n && left <= BigInt(spent.length) * (1n + (cap >> 30n))).toBe(true);
        const all = made.ledger.shown.filter(isQueryItem).map(({ query }) => besides(query, target));
        const predictors = target === undefined ? 0 : attributes.length - 1;
        if (!choices.length) expect([predictors, all.length]).toContain(tables.length);
        const drawnSets = tables.map(({ query }) => besides(query, target));
        if (target === undefined) expect(drawnSets).toEqual(all.slice(0, tables.length));
        expect(new Set(drawnSets).size).toBe(tables.length);
        expect(drawnSets.slice(0, predictors)).toEqual(all.filter((set) => !set.includes(",")));
      }),
      { seed: 1, numRuns: 90 },
    );
    expect(planned).toBeGreaterThan(30);
  });

  it("measure every cell of a table with many rows, groups of codes of one with few, and then more one-ways", async () => {
    const rich = await drawn(asked(wide, 1e7, 0.75));
    expect(rich.choices).toEqual([]);
    expect(rich.tables.every(({ query }) => !query.groups)).toBe(true);
    expect(rich.bought).toBeLessThan(0.1);
    const poor = await drawn(asked(wide, 5000, 0.75));
    expect(poor.bought).toBeGreaterThan(0.15);
    const [, , , , largest] = poor.tables;
    expect(largest.query.columns).toEqual([1, 2]);
    expect(cellsOf(largest.query, wide)).toBeLessThan(600);
  });

  it("leave out more pairs the fewer rows there are, finally all of them", async () => {
    const measured: number[] = [];
    for (const total of [1e7, 1e5, 1e4, 1e3]) measured.push((await drawn(asked(many, total, 0.1))).tables.length);
    expect(measured).toEqual([...measured].sort((a, b) => b - a));
    expect(new Set(measured).size).toBeGreaterThan(2);
    expect([measured[0], measured[3]]).toEqual([190, 0]);
  });

  it("choose few of many pairs in rounds, each among those that are left, and measure them with equal shares", async () => {
    const { choices, tables } = await drawn(asked(many, 3000, 0.1));
    const picks = choices.map(({ item }) => item.picks);
    expect(picks).toHaveLength(4);
    expect(Math.max(...picks) - Math.min(...picks)).toBeLessThan(2);
    expect(choices.map(({ among }) => among.length)).toEqual(
      picks.map((_, round) => 190 - picks.slice(0, round).reduce((a, b) => a + b, 0)),
    );
    expect(new Set(choices.map(({ item }) => item.share)).size).toBe(1);
    expect(new Set(tables.map(({ query }) => query.columns.join())).size).toBe(tables.length);
    const shares = tables.map(({ share }) => Number(share));
    expect(Math.max(...shares) / Math.min(...shares)).toBeLessThan(1 + 1e-6);
  });

  it("give pairs with the target four times the part of others, and measure these together with it where that is readable", async () => {
    const pairs = ({ tables }: Awaited<ReturnType<typeof drawn>>) => tables.slice(3).map(({ query }) => query.columns);
    const problem = predicting(0, small);
    const rich = await drawn(asked(small, 1e6, 1, problem));
    expect(rich.choices).toEqual([]);
    expect(pairs(rich).every((columns) => columns.length === 3 && columns[0] === 0)).toBe(true);
    const [predictor, , , other] = rich.tables;
    // A query's part of the budget, without what its cells and its cost for the same noise account for.
    const share = (item: QueryItem) => {
      const delta2 = Number(item.noise.delta2);
      return delta2 / (sigma2Of(item) * Math.cbrt(delta2 / scaleOf(item) ** 2) * Math.sqrt(item.cells));
    };
    expect([predictor, other].map(({ query }) => query.kind)).toEqual(["interaction", "marginal"]);
    expect(share(predictor) / share(other)).toBeCloseTo(4, 2);
    const poorer = await drawn(asked(small, 180, 1, problem));
    expect(new Set(pairs(poorer).map(({ length }) => length))).toEqual(new Set([2, 3]));
    // Each of the candidates is there alone and with the target, and one of the two is compared.
    const made = asked(many, 1e4, 0.1, predicting(0, many));
    const [{ among }] = (await drawn(made)).choices;
    expect(made.ledger.candidates).toHaveLength(2 * 171);
    expect(among).toHaveLength(171);
    expect(new Set(among.map(({ group }) => besides(group.query, 0))).size).toBe(171);
  });

  it("measure pairs as interactions where these cost less and the expected error is smaller", async () => {
    const kinds = async (...given: Parameters<typeof asked>) =>
      new Set((await drawn(asked(...given))).tables.map(({ query }) => query.kind));
    expect(await kinds(small, 1e4)).toEqual(new Set(["interaction"]));
    const declared = (publicRows: number) => ({
      budget: checkedBudget({ rho: 1, neighbours: "replace", publicRows }, "row"),
    });
    // Along two codes alone, two rows that differ there are as far apart as in a table.
    expect(await kinds([column(2), column(150)], 1e6, 1, declared(1e6))).toEqual(new Set(["marginal"]));
    // The only pair is measured well enough to say everything about its columns.
    expect(await kinds([column(10), column(10)], 1e6)).toEqual(new Set(["marginal"]));
  });

  it("have no candidate that could be readable in no table", () => {
    const huge = [column(2), column(300), column(301), column(302), column(5)];
    const { ledger } = asked(huge, 1e6, 0.001, predicting(0, huge));
    const candidates = ledger.candidates.map(({ query }) => query.columns.join());
    expect(candidates).toEqual(["1,2", "1,3", "1,4", "2,3", "2,4", "3,4", "0,1,4", "0,2,4", "0,3,4"]);
    const most = ledger.shown.filter(isQueryItem).map(({ query }) => query.columns.join());
    expect(most).toEqual(["0,1", "0,2", "0,3", "0,4", "1,2", "1,3", "2,3", "0,1,4", "0,2,4", "0,3,4"]);
  });

  it("request targets that the vault can hold, however many rows are estimated", async () => {
    const attributes = Array.from({ length: 80 }, () => column(4));
    const { choices } = await drawn(asked(attributes, 2 ** 32));
    expect([...(await choices[0].among[0].targets())]).toEqual(new Array(16).fill(2 ** 28));
    const publicRows = 2 ** 30;
    const declared = { budget: checkedBudget({ rho: 1, neighbours: "replace", publicRows }, "row") };
    const most = await drawn(asked([...attributes, column(1)], publicRows, 1, declared));
    for (const { targets } of most.choices[0].among)
      expect(Math.max(...(await targets()))).toBeLessThanOrEqual(2 ** 30);
  });

  it("compare candidates with independent columns, minus the difference expected by chance", async () => {
    const tree: Attribute = { ...column(32), tree: true };
    const attributes = [column(4), tree, ...many];
    const made = asked(attributes, 32_000, 0.1);
    const { choices } = await drawn(made);
    const expected = choices[0].among;
    expect(expected.map(({ group }) => group.query)).toEqual(made.problem.workload);
    // Two and four codes on two and more levels: 32,000 rows over 4 · 8 cells and over 4 · (2 + 4 + 8 + 16 + 32) cells.
    const [pair, withTree] = [expected[1], expected[0]];
    expect([...(await pair.targets())]).toEqual(new Array(32).fill(1000));
    expect(await withTree.targets()).toHaveLength(4 * 62);
    expect([...(await withTree.targets()).subarray(0, 8)]).toEqual(new Array(8).fill(4000));
    expect([pair.weight, withTree.weight]).toEqual([2 ** 16, Math.floor(2 ** 16 / 5)]);
    expect(Number(await pair.bias()) / 2 ** 16).toBeCloseTo(32 * Math.sqrt(2000 / Math.PI), 3);
  });
});
