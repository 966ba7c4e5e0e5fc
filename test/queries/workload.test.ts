import { expect, it } from "vitest";
import { cellsOf, queryOf, shapesOf } from "../../src/queries/query.js";
import { weightedQueries, workloadQueries } from "../../src/queries/workload.js";

const attributes = [
  { name: "sex", size: 2, tree: false, missing: false },
  { name: "age", size: 33, tree: true, missing: true },
  { name: "race", size: 5, tree: false, missing: true },
  { name: "pay", size: 32, tree: true, missing: false },
];
const table = { attributes, fields: [] };
const columns = (workload: Parameters<typeof workloadQueries>[0]) =>
  workloadQueries(workload, table).map((query) => query.columns.join());

it("takes all sets of k columns, or all columns if there are fewer", () => {
  expect(columns("1-way")).toEqual(["0", "1", "2", "3"]);
  expect(columns("2-way")).toEqual(["0,1", "0,2", "0,3", "1,2", "1,3", "2,3"]);
  expect(columns("3-way")).toEqual(["0,1,2", "0,1,3", "0,2,3", "1,2,3"]);
  expect(columns("7-way")).toEqual(["0,1,2,3"]);
});

it("merges repeated and permuted sets and sorts columns by their place in the schema", () => {
  expect(columns([["age", "sex"], ["pay"], ["sex", "age"], ["pay"]])).toEqual(["0,1", "3"]);
});

it.each([
  ["0-way", /not a workload/],
  ["9-way", /not a workload/],
  ["pairs", /not a workload/],
  [[], /The workload must be a list of column sets/],
  [[[]], /Entry 1 of the workload is neither/],
  [[["age", "height"]], /"height", which the schema does not model.*sex, age, race, pay/],
  [[["age", "sex", "age"]], /names "age" twice/],
  [[{ columns: "0-way" }], /not a workload/],
  [[{ columns: [], weight: 2 }], /Entry 1 of the workload is neither/],
  [[{ columns: ["age"], width: 2 }], /Entry 1 of the workload is neither/],
  [[{ weight: 2 }], /Entry 1 of the workload is neither/],
  // Holes, which forEach, map and every pass over.
  [[Object.assign([], { 1: "age" })], /names the column undefined/],
  [Object.assign([["age"]], { 2: ["sex"] }), /Entry 2 of the workload is neither/],
])("refuses %j", (workload, message) => {
  expect(() => workloadQueries(workload as never, table)).toThrow(message);
});

/** Lists in lists. */
function nested(depth: number): unknown {
  let list: unknown = [];
  for (let level = 1; level < depth; level++) list = [list];
  return list;
}
const circular: unknown[] = [];
circular.push(circular);

it.each([
  ...[1n, Symbol("age"), () => ["age"], circular, nested(20), nested(100_000)],
  ...[{ columns: ["sex"], weight: 1n }, { query: 1n }, [{ toString: () => "age" }], { expression: Symbol("age") }],
])("refuses what JSON cannot state (%#)", (entry) => {
  const message = /Expected queries as JSON can state them/;
  expect(() => workloadQueries([entry] as never, table)).toThrow(message);
  expect(() => workloadQueries("1-way", table, [entry] as never)).toThrow(message);
});

const EXAMPLES = {
  ranges: { query: "ranges", columns: ["sex"], boxes: [[0]] },
  prefixes: { query: "random-prefixes", columns: ["sex"], count: 9, seed: 1, thresholds: 0, numbers: [1, 5] },
  "half-spaces": { query: "random-half-spaces", columns: ["sex", "race"], count: 9, seed: 1, labels: ["race"] },
} as const;

it.each(Object.entries(EXAMPLES))("refuses a member that %s do not have", (_, example) => {
  expect(workloadQueries([example], table)).toHaveLength(1);
  const misspelt = { ...example, colunms: 1 };
  const refusal = /unknown member "colunms".*Besides "columns" and "weight", it can have "/;
  expect(() => workloadQueries([misspelt] as never, table)).toThrow(refusal);
});

it.each(Object.entries(EXAMPLES))("keeps %s as they were stated, and leaves the lists to the caller", (_, example) => {
  const stated = structuredClone(example) as Record<string, unknown>;
  const [query] = workloadQueries([stated] as never, table);
  for (const list of Object.values(stated)) if (Array.isArray(list)) list.push("more");
  expect(query).toEqual(workloadQueries([example], table)[0]);
});

it("has weights where they are stated and differ: one for each of several sets, and the last one of a repeated set", () => {
  const weighed = (workload: unknown, more?: unknown) => {
    const { queries, weights } = weightedQueries(workload as never, table, more as never);
    return weights && queries.map((query) => `${query.columns}: ${weights.get(query)}`);
  };
  expect(weighed("2-way")).toBeUndefined();
  expect(weighed([["age"], { columns: ["sex"] }])).toBeUndefined();
  expect(
    weighed([
      { columns: ["age"], weight: 3 },
      { columns: ["sex", "pay"], weight: 3 },
    ]),
  ).toBeUndefined();
  expect(weighed([["age"], { columns: ["pay", "sex"], weight: 0.5 }])).toEqual(["1: 1", "0,3: 0.5"]);
  const list = [{ columns: "1-way", weight: 2 }, { columns: ["age"], weight: 7 }, ["age"], { columns: "4-way" }];
  expect(weighed(list)).toEqual(["0: 2", "1: 7", "2: 2", "3: 2", "0,1,2,3: 1"]);
  expect(weighed("1-way", [{ columns: ["race"], weight: 4 }])).toEqual(["0: 1", "1: 1", "2: 4", "3: 1"]);
  const prefixes = { query: "random-prefixes", columns: ["age", "pay"], count: 9, seed: 1, weight: 6 };
  expect(weighed([["sex"], prefixes])).toEqual(["0: 1", "1,3: 6"]);
});

it.each([0, -1, Number.NaN, Infinity, "2", null, true])("refuses the weight %j", (weight) => {
  expect(() => workloadQueries([["sex"], { columns: ["age"], weight }] as never, table)).toThrow(
    /a weight is a number/,
  );
});

it("refuses more sets than can be measured, without making them", () => {
  const many = Array.from({ length: 300 }, (_, at) => ({ name: `c${at}`, size: 2, tree: false, missing: false }));
  expect(() => workloadQueries("8-way", { attributes: many, fields: [] })).toThrow(
    /300 columns has 1,481,062,243,936,275 column sets/,
  );
  expect(workloadQueries("3-way", { attributes: many.slice(0, 20), fields: [] })).toHaveLength(1140);
});

it("refuses a schema without modelled columns", () => {
  expect(() => workloadQueries("2-way", { attributes: [], fields: [] })).toThrow(/models no column/);
});

it("makes a query with a tree column a tree: a partition per level, coarse first, missing on each level", () => {
  const pair = queryOf([1, 2], attributes);
  expect(pair.kind).toBe("tree");
  expect(shapesOf(pair, attributes)).toEqual([
    [3, 5],
    [5, 5],
    [9, 5],
    [17, 5],
    [33, 5],
  ]);
  expect(cellsOf(pair, attributes)).toBe((3 + 5 + 9 + 17 + 33) * 5);
  const trees = queryOf([1, 3], attributes);
  expect(cellsOf(trees, attributes)).toBe(3 * 2 + 5 * 4 + 9 * 8 + 17 * 16 + 33 * 32);
  expect(shapesOf(queryOf([0, 2], attributes), attributes)).toEqual([[2, 5]]);
});
