import { expect, it } from "vitest";
import { MAX_ORDER } from "../../src/engine/layout.js";
import { targetPlace, withTarget } from "../../src/queries/target.js";
import { type QueryList, type Workload, weightedQueries } from "../../src/queries/workload.js";

const attributes = ["sex", "age", "race", "pay"].map((name) => ({
  name,
  size: 5,
  tree: name === "pay",
  missing: false,
}));
const table = { attributes, fields: [] };

/** The columns of a workload's queries with a target, and their weights. */
function predicting(target: string, workload: Workload, more?: QueryList) {
  const { queries, weights } = withTarget(
    weightedQueries(workload, table, more),
    targetPlace(target, attributes),
    attributes,
  );
  return queries.map((query) => {
    const weight = weights?.get(query);
    return `${query.columns.join()}${weight === undefined ? "" : ` × ${weight}`}`;
  });
}

it("adds all pairs with the target, then each set with the target added", () => {
  expect(predicting("race", "2-way")).toEqual(["0,1", "0,2", "0,3", "1,2", "1,3", "2,3", "0,1,2", "0,2,3", "1,2,3"]);
  expect(predicting("sex", "1-way")).toEqual(["0", "1", "2", "3", "0,1", "0,2", "0,3"]);
  expect(predicting("pay", [["sex", "age"], ["pay"], ["pay", "sex"]])).toEqual(["0,1", "3", "0,3", "1,3", "0,1,3"]);
  expect(withTarget(weightedQueries("1-way", table), 3, attributes).queries[4].kind).toBe("tree");
});

it("keeps weights, which sets with the target take over, and other queries as they are", () => {
  const boxes = { query: "ranges", columns: ["sex"], boxes: [[2]] } as const;
  const workload = [{ columns: ["sex", "age"], weight: 3 }, ["race"]] as const;
  expect(predicting("pay", workload, [boxes])).toEqual([
    "0,1 × 3",
    "2 × 1",
    "0 × 1",
    "0,3 × 1",
    "1,3 × 1",
    "2,3 × 1",
    "0,1,3 × 3",
  ]);
});

it("refuses a workload without column sets, and one that has too many with the target", () => {
  const boxes = { query: "ranges", columns: ["sex"], boxes: [[2]] } as const;
  expect(() => predicting("sex", [boxes])).toThrow(/no column set, so there is nothing to measure together/);
  const many = Array.from({ length: 1002 }, (_, at) => ({ ...attributes[0], name: `c${at}` }));
  const pairs = weightedQueries("2-way", { attributes: many, fields: [] });
  expect(() => withTarget(pairs, 0, many)).toThrow(/with the target has 1,002,001 column sets/);
});

it("suggests a name for a column that is not modelled, and refuses sets that have no room for the target", () => {
  expect(() => targetPlace("rase", attributes)).toThrow(/The target is "rase", which.*Did you mean race\?/);
  expect(() => targetPlace("postcode", attributes)).toThrow(/Modelled columns: sex, age, race, pay\./);
  expect(() => targetPlace(3 as never, attributes)).toThrow(/The target is 3/);
  const many = Array.from({ length: MAX_ORDER + 1 }, (_, at) => ({ ...attributes[0], name: `c${at}` }));
  const whole = weightedQueries(`${MAX_ORDER}-way` as Workload, { attributes: many, fields: [] });
  expect(() => withTarget(whole, MAX_ORDER, many)).toThrow(`has ${MAX_ORDER + 1} columns`);
});
