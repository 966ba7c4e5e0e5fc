import { expect, it } from "vitest";
import { Budget, parseSchema, plan, StandinError } from "../../src/index.js";
import { RHO_UNIT, rhoOf } from "../../src/privacy/accounting.js";
import { chargeOf } from "../../src/privacy/items.js";

/** Only the workload: shares follow from the budget alone. */
const RAW = { estimate: "raw" } as const;

const pair = parseSchema({
  fields: [
    { name: "sex", type: "string", constraints: { enum: ["F", "M"], required: true } },
    { name: "age", type: "integer", constraints: { minimum: 0, maximum: 84, required: true } },
    { name: "pay", type: "integer", constraints: { minimum: 0, maximum: 1000 } },
  ],
});

it("spreads the budget over 91 pairs as calculated by hand: at ε = 1, δ = 1e-9", () => {
  const fields = Array.from({ length: 14 }, (_, at) => ({
    name: `c${at}`,
    type: "integer",
    constraints: { minimum: 0, maximum: 9, required: true },
  }));
  const { items, rho, epsilon, delta, neighbours } = plan(parseSchema({ fields }), { epsilon: 1, ...RAW }).toJSON();
  expect({ epsilon, delta, neighbours, count: items.length }).toEqual({
    epsilon: 1,
    delta: 1e-9,
    neighbours: "add-remove",
    count: 91,
  });
  expect(rho).toBeCloseTo(0.014973057, 8);
  expect(items[0]).toMatchObject({ sigma2: 3038.79150390625 });
  expect(items[0].rho).toBeCloseTo(0.0001645390937, 13);
  expect(items[0].sensitivity).toBe(1);
});

it("computes sensitivities from structure: trees, replace, persons", () => {
  const first = (options: object, unit?: object) => {
    const schema = unit ? parseSchema({ ...pair.toJSON(), standin: { unit } }) : pair;
    return plan(schema, { epsilon: 1, ...RAW, ...options })
      .toJSON()
      .items.map((item) => item.sensitivity ** 2);
  };
  expect(first({})).toEqual([1, 5, 5].map((value) => expect.closeTo(value, 9)));
  expect(first({ neighbours: "replace", publicRows: 100 })).toEqual([2, 10, 10].map((v) => expect.closeTo(v, 9)));
  expect(first({}, { maxRows: 3 })).toEqual([9, 45, 45].map((value) => expect.closeTo(value, 9)));
});

it("never plans more than the budget, whatever the number of items", () => {
  const { ledger } = plan(pair, {
    epsilon: 0.5,
    workload: [["sex"], ["age"], ["pay"], ["sex", "pay"], ["age", "pay"]],
  });
  const first = ledger.items.reduce((total, item) => total + chargeOf(item), 0n);
  const second = ledger.shown.reduce((total, item) => total + chargeOf(item), 0n);
  expect(second <= ledger.cap!).toBe(true);
  const sum = first + second;
  expect(first + ledger.cap! <= ledger.budget).toBe(true);
  expect(Number(ledger.budget) * RHO_UNIT).toBeLessThanOrEqual(rhoOf(0.5, 1e-9));
  expect(Number(sum) / Number(ledger.budget)).toBeGreaterThan(1 - 1e-5);
});

it("takes ρ instead of ε and states the ε that it gives", () => {
  const { epsilon, rho } = plan(pair, { rho: 0.1 }).toJSON();
  expect(rho).toBe(0.1);
  expect(epsilon).toBeCloseTo(2.71548188673, 8);
});

it.each([
  [{ epsilon: 0 }, /epsilon is 0/],
  [{ epsilon: -1 }, /epsilon is -1/],
  [{ epsilon: Number.NaN }, /epsilon is NaN/],
  [{ epsilon: Number.POSITIVE_INFINITY }, /epsilon is Infinity/],
  [{ epsilon: 1e-300 }, /epsilon is 1e-300/],
  [{ epsilon: 1e9 }, /epsilon is 1000000000/],
  [{}, /epsilon is missing/],
  [{ epsilon: 1, rho: 1 }, /Both epsilon and rho/],
  [{ rho: 0 }, /rho is 0/],
  [{ epsilon: 1, delta: 0 }, /delta is 0/],
  [{ epsilon: 1, delta: 1 }, /delta is 1/],
  [{ epsilon: 1, delta: "1/n2" }, /declared number of rows/],
  [{ epsilon: 1, delta: "1/n2", neighbours: "replace", publicRows: 1 }, /delta is 1/],
  [{ epsilon: 1, neighbours: "replace" }, /must be declared/],
  [{ epsilon: 1, publicRows: 5 }, /needs the relation replace/],
  [{ epsilon: 1, neighbours: "replace", publicRows: 1.5 }, /number of rows is 1.5/],
  [{ epsilon: 1, neighbours: "swap" }, /"swap" is not a neighbouring relation/],
  [{ epsilon: 1, mechanism: "privat-gsd" }, /private-gsd/],
  [{ epsilon: 1, search: { method: "anneal" } }, /"anneal" is not a search/],
  [{ epsilon: 1, search: { method: "paper", elites: 0 } }, /"elites" is 0/],
  [{ epsilon: 1, round: 5 }, /no option "round"/],
  [{ epsilon: 1, search: { method: "paper", maxSweeps: 9 } }, /no setting "maxSweeps"/],
  [{ epsilon: 1, search: { temperature: 1 } }, /no setting "temperature"/],
  [{ epsilon: 1e-6 }, /8 million rows/],
])("refuses %j", (options, message) => {
  expect(() => plan(pair, options as never)).toThrow(message);
});

it("refuses a workload that could not be kept, saying how large it is", () => {
  const fields = ["a", "b", "c", "d"].map((name) => ({
    name,
    type: "integer",
    constraints: { minimum: 0, maximum: 99, required: true },
  }));
  expect(() => plan(parseSchema({ fields }), { epsilon: 1, workload: "4-way", ...RAW })).toThrow(
    /100,000,000 cells.*a × b × c × d/s,
  );
});

it("refuses rows that the search could not hold, and only those", () => {
  const fields = Array.from({ length: 300 }, (_, at) => ({ name: `c${at}`, type: "boolean" }));
  const wide = (workload: "1-way" | "2-way", stages?: 1) =>
    plan(parseSchema({ fields }), { epsilon: 1, workload, stages });
  expect(() => wide("1-way").checkRows(1e7)).toThrow(/10,000,000 rows of 300 columns needs 11\.3 GiB/);
  wide("1-way").checkRows(1e6);
  wide("2-way", 1).checkRows(1e7); // a search with many tables per column repeats fewer rows
  // The second stage may measure none of them.
  expect(() => wide("2-way").checkRows(1e7)).toThrow(/10,000,000 rows of 300 columns/);
});

it("cannot be changed, nor can its schema", () => {
  const made = plan(pair, { epsilon: 1 }) as unknown as Record<string, never>;
  const objects = (value: unknown): object[] =>
    typeof value === "object" && value !== null ? [value, ...Object.values(value).flatMap(objects)] : [];
  const { attributes, unit, missingValues } = pair;
  const parts = [
    made,
    ...objects(made.ledger),
    pair,
    pair.fields,
    ...objects({ attributes, unit, missingValues }).slice(1),
  ];
  expect(parts.length).toBeGreaterThan(10);
  for (const part of parts) expect(Object.isFrozen(part)).toBe(true);
});

it("warns of a large δ and of one that would allow publishing a row", () => {
  expect(plan(pair, { epsilon: 1, delta: 1e-5 }).ledger.warnings.join()).toMatch(/δ = 0.00001 is large/);
  const declared = { epsilon: 1, delta: 1e-7, neighbours: "replace", publicRows: 1e8 } as const;
  expect(plan(pair, declared).ledger.warnings.join()).toMatch(/not below 1\/n/);
  expect(plan(pair, { epsilon: 1 }).ledger.warnings).toEqual([]);
});

function refusalOf(job: () => void): string {
  try {
    job();
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error("It was not refused.");
}

it("a shared budget adds releases up and refuses what would exceed it", () => {
  const budget = new Budget({ epsilon: 1, delta: 1e-9, neighbours: "add-remove", unit: "row" });
  const half = plan(pair, { epsilon: 0.69 });
  budget.begin(half.ledger);
  budget.begin(half.ledger);
  const before = JSON.stringify(budget);
  expect(() => budget.begin(half.ledger)).toThrow(/needs ρ = .* is left/);
  expect(JSON.stringify(budget)).toBe(before);
  const again = Budget.fromJSON(before);
  expect(() => again.begin(half.ledger)).toThrow(/is left/);
});

it("a refusal of a shared budget names the largest ε that it still accepts, to four digits", () => {
  const state = { epsilon: 1, delta: 1e-8, neighbours: "add-remove", unit: "row" } as const;
  for (const [spent, delta] of [
    [0.3, 1e-9],
    [0.77, 1e-9],
    [0.9, 1e-12],
    [0.999, 1e-9],
  ]) {
    const budget = new Budget(state);
    budget.begin(plan(pair, { epsilon: spent, delta }).ledger);
    const beginning = (epsilon: number) =>
      Budget.fromJSON(JSON.stringify(budget)).begin(plan(pair, { epsilon, delta }).ledger);
    const [, most, under] = /at most (\S+) \(with δ = (\S+)\)/.exec(refusalOf(() => beginning(2)))!;
    expect(Number(under)).toBe(delta);
    expect(() => beginning(Number(most))).not.toThrow();
    expect(() => beginning(1.001 * Number(most))).toThrow(/is left/);
  }
  const whole = new Budget({ ...state, spent: [{ rho: "1", delta: 1e-8 }] });
  expect(refusalOf(() => whole.begin(plan(pair, { epsilon: 1 }).ledger))).toMatch(/No epsilon fits: reuse an earlier/);
});

it("a shared budget covers exactly one release of its own ε", () => {
  const budget = new Budget({ epsilon: 1, delta: 1e-9, neighbours: "add-remove", unit: "row" });
  budget.begin(plan(pair, { epsilon: 1 }).ledger);
  expect(() => budget.begin(plan(pair, { epsilon: 0.01 }).ledger)).toThrow(/is left/);
});

it("a shared budget refuses another relation, another unit and a broken state", () => {
  const budget = new Budget({ epsilon: 1, delta: 1e-9, neighbours: "replace", unit: "row" });
  expect(() => budget.begin(plan(pair, { epsilon: 0.1 }).ledger)).toThrow(/neighbours replace/);
  const persons = new Budget({ epsilon: 1, delta: 1e-9, neighbours: "add-remove", unit: { maxRows: 2 } });
  expect(() => persons.begin(plan(pair, { epsilon: 0.1 }).ledger)).toThrow(/maxRows/);
  for (const wrong of [{ epsilon: 0 }, { delta: 1 }, { neighbours: "x" }, { unit: "person" }])
    expect(
      () => new Budget({ epsilon: 1, delta: 1e-9, neighbours: "add-remove", unit: "row", ...wrong } as never),
    ).toThrow(/The shared budget has no/);
});

it.each([
  "mechanism",
  "neighbours",
  "workload",
  "target",
  "queries",
  "selection",
  "estimate",
  "search",
  "rounds",
  "epsilon",
  "rho",
])("refuses odd values of %s", (name) => {
  const odd: unknown[] = [
    1n,
    Symbol("x"),
    () => 1,
    { toString: 1 },
    [[[]]],
    { method: 1n },
    "x".repeat(1e5),
    Number.NaN,
  ];
  for (const value of odd) {
    const options = { ...(name === "rho" ? {} : { epsilon: 1 }), [name]: value };
    expect(() => plan(pair, options as object)).toThrow(StandinError);
  }
});
