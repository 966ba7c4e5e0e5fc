import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import "../engine.js";
import type { Table } from "../../src/core/table.js";
import { parseCsv } from "../../src/files/csv.js";
import { type Classifier, Examples } from "../../src/owner/classifier.js";
import { macroF1 } from "../../src/owner/utility.js";
import { parseSchema, type Schema } from "../../src/schema/schema.js";

const schema = parseSchema({
  missingValues: [""],
  fields: [
    { name: "shop", type: "string", constraints: { enum: ["a", "b", "c"] } },
    { name: "member", type: "boolean", constraints: { required: true } },
    { name: "age", type: "integer", constraints: { minimum: 18, maximum: 90 } },
    {
      name: "price",
      type: "number",
      constraints: { minimum: 0, maximum: 1000, required: true },
      standin: { granularity: 0.01, bins: 7 },
    },
    { name: "colour", type: "string", constraints: { enum: ["red", "green", "blue"] } },
    { name: "bought", type: "string", constraints: { enum: ["no", "yes"], required: true } },
  ],
});
const CSV = readFileSync("test/owner/scikit/rows.csv", "utf8");
const TARGETS = [4, 5];

/** What scikit-learn makes of these rows (scikit/make.py). */
const EXPECTED: readonly { target: string; weights: number[][]; f1: number }[] = JSON.parse(
  readFileSync("test/owner/scikit/expected.json", "utf8"),
);

function result<T>(steps: Generator<unknown, T>): T {
  let step = steps.next();
  while (!step.done) step = steps.next();
  return step.value;
}

/** A classifier of a table's rows, and its macro F1 on them. */
function trained(table: Table, of: Schema, targets: readonly number[], target: number): Classifier & { f1: number } {
  const examples = new Examples(table, of, targets);
  const classifier = result(examples.trained(target, 0));
  const { predicted, hits } = examples.predicted(classifier, target, 0);
  const f1 = macroF1(examples.classCounts(target, 0), predicted, hits);
  examples.drop();
  return { ...classifier, f1 };
}

it.each(EXPECTED.map((expected, at) => ({ ...expected, at })))(
  "has the optimum of scikit-learn for $target",
  ({ at, weights, f1 }) => {
    const table = parseCsv(CSV, schema);
    const wanted = weights.flat();
    const distance = (found: Float64Array) => Math.max(...wanted.map((one, place) => Math.abs(one - found[place])));
    const examples = new Examples(table, schema, TARGETS);
    const exact = result(examples.trained(at, 0, false, 1e-9));
    examples.drop();
    expect(exact.weights).toHaveLength(wanted.length);
    expect(distance(exact.weights)).toBeLessThan(1e-8);
    const usual = trained(table, schema, TARGETS, at);
    expect(distance(usual.weights)).toBeLessThan(1e-3);
    expect(usual.f1).toBeCloseTo(f1, 12);
  },
);

it("finds the same optimum to the last bit however the rows are stored, and another one for other rows", () => {
  const [header, ...lines] = CSV.trimEnd().split("\n");
  const weights = (text: string) => trained(parseCsv(text, schema), schema, TARGETS, 0).weights;
  const table = parseCsv(CSV, schema);
  const codes = table.columns.map(({ name, codec, codes }) => ({ name, codec, codes }));
  const copied = Object.assign(Object.create(Object.getPrototypeOf(table)), { ...table, columns: codes });
  expect(trained(copied, schema, TARGETS, 0).weights).toEqual(weights(CSV));
  expect(weights([header, ...lines.slice(1)].join("\n"))).not.toEqual(weights(CSV));
});

it("takes classes of every type: categories, booleans, and the codes of numbers and dates that queries see", () => {
  const typed = parseSchema({
    missingValues: [""],
    fields: [
      { name: "text", type: "string", constraints: { enum: ["a", "b"] } },
      { name: "flag", type: "boolean", constraints: { required: true } },
      { name: "year", type: "year", constraints: { minimum: 2000, maximum: 2003 } },
      {
        name: "size",
        type: "number",
        constraints: { minimum: 0, maximum: 8, required: true },
        standin: { granularity: 0.5, bins: [0, 2, 4, 8] },
      },
      { name: "leaf", type: "integer", constraints: { minimum: 0, maximum: 3199 }, standin: { bins: "tree" } },
      { name: "day", type: "date", constraints: { minimum: "2024-01-01", maximum: "2024-01-04" } },
      { name: "at", type: "time", constraints: { minimum: "00:00:00", maximum: "23:59:59" } },
    ],
  });
  // All columns follow the first, so each is predicted without an error.
  const line = (which: number) =>
    [
      ["a", "true", 2001, 0.5, 150, "2024-01-02", "03:00:00"],
      ["b", "false", 2003, 7.5, 3000, "2024-01-04", "20:00:00"],
    ][which].join();
  const lines = Array.from({ length: 20 }, (_, at) => line(at % 2));
  const table = parseCsv(`text,flag,year,size,leaf,day,at\n${lines.join("\n")}\n`, typed);
  const classes = typed.attributes.map((_, target) => {
    const { codes, f1 } = trained(table, typed, [target], 0);
    expect(f1).toBe(1);
    return [...codes];
  });
  expect(classes).toEqual([
    [0, 1],
    [0, 1],
    [1, 3],
    [0, 2],
    [1, 30],
    [1, 3],
    [4, 26],
  ]);
});

it("splits off a share of the rows, the same ones each time, and leaves none out", () => {
  const counts = (share: number, seed: number) => {
    const examples = new Examples(parseCsv(CSV, schema), schema, TARGETS);
    examples.split(share, seed);
    const [others, some] = [0, 1].map((part) => [...examples.classCounts(1, part)]);
    examples.drop();
    return { others, some };
  };
  const { others, some } = counts(0.2, 0);
  expect(some[0] + some[1]).toBe(30);
  expect(others[0] + others[1]).toBe(120);
  expect(counts(0.2, 0)).toEqual({ others, some });
  const seeds = Array.from({ length: 20 }, (_, seed) => counts(0.2, seed).some.join());
  expect(new Set(seeds).size).toBeGreaterThan(2);
});

it("predicts the only class there is, and nothing from no rows", () => {
  const one = parseCsv("shop,member,age,price,colour,bought\na,true,20,5,red,no\nb,true,30,5,,no\n", schema);
  expect(trained(one, schema, TARGETS, 1)).toMatchObject({ codes: Uint16Array.of(0), f1: 1 });
  const none = parseCsv("shop,member,age,price,colour,bought\nb,true,30,5,,no\n", schema);
  expect(trained(none, schema, TARGETS, 0).codes).toHaveLength(0);
});
