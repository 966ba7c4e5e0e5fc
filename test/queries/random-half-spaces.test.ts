// Sets of random half-spaces: what is asked, from the plan to the release, and what a search makes of them.
import { describe, expect, it } from "vitest";
import type { Attribute } from "../../src/domain/attribute.js";
import { measure, parseCsv, parseRelease, parseSchema, plan, resample, synthesize } from "../../src/node.js";
import { classOf, keyOf, structureOf } from "../../src/queries/query.js";
import type { RandomHalfSpaces } from "../../src/queries/random-half-spaces.js";
import { RowAnswers } from "../../src/queries/row-answers.js";
import { workloadQueries } from "../../src/queries/workload.js";
import { uniforms } from "../reference/statistics.js";

const ATTRIBUTES: Attribute[] = [
  { name: "sex", size: 2, tree: false, missing: false },
  { name: "age", size: 20, tree: false, missing: false, ordered: true },
  { name: "race", size: 4, tree: false, missing: true },
  { name: "pay", size: 33, tree: true, missing: true, ordered: true, fine: 1000 },
];
const TABLE = { attributes: ATTRIBUTES, fields: [] };
const SET = { query: "random-half-spaces", columns: ["sex", "age", "race", "pay"], count: 50, seed: 1 } as const;
const asked = (more: object = {}) => workloadQueries([{ ...SET, ...more }], TABLE)[0] as RandomHalfSpaces;

it("by default has no labels, and counts sums below the threshold and at it", () => {
  expect(asked()).toMatchObject({ labels: [], each: false, side: "below", strict: false });
  expect(structureOf(asked(), ATTRIBUTES)).toEqual({ partitions: [], free: 50 });
  expect(structureOf(asked({ labels: ["race"] }), ATTRIBUTES)).toEqual({ partitions: [], free: 50 });
  const divided = asked({ labels: ["race", "sex"], each: true, numbers: [2, 9] });
  expect(divided.labels).toEqual(["sex", "race"]);
  const partition = { shape: [2, 4], isWhole: false };
  expect(structureOf(divided, ATTRIBUTES)).toEqual({ partitions: [partition, partition], free: 0 });
});

it("can ask for some of a set, and all of it is the set", () => {
  const members = classOf(asked()).members!;
  const all = Array.from({ length: 50 }, (_, number) => number);
  const some = members.only(asked(), [3, 7, 49]);
  expect([asked(), some].map((query) => members.count(query))).toEqual([50, 3]);
  expect(keyOf(some)).toBe(keyOf(asked({ numbers: [3, 7, 49] })));
  expect(keyOf(some)).not.toBe(keyOf(asked()));
  for (const whole of [members.whole(some), members.only(some, all), asked({ numbers: all })])
    expect(keyOf(whole)).toBe(keyOf(asked()));
  expect(keyOf(members.only(some, [1]))).toBe(keyOf(asked({ numbers: [1] })));
});

it.each([
  [{ count: 0 }, /count/],
  [{ count: 1_000_001 }, /count/],
  [{ seed: -1 }, /seed/],
  [{ seed: 2 ** 32 }, /seed/],
  [{ each: true }, /has no labels/],
  [{ each: 1, labels: ["sex"] }, /"each" is neither/],
  [{ side: "left" }, /side/],
  [{ strict: "yes" }, /"strict" is neither/],
  [{ columns: ["sex", "race"], labels: ["sex", "race"] }, /all of whose columns/],
  [{ labels: "sex" }, /whose labels/],
  [{ labels: ["pay"] }, /whose labels/],
  [{ labels: ["sex", "sex"] }, /whose labels/],
  [{ columns: ["age", "race"], labels: ["sex"] }, /whose labels/],
  [{ numbers: [] }, /whose numbers/],
  [{ numbers: [3, 3] }, /whose numbers/],
  [{ numbers: [4, 3] }, /whose numbers/],
  [{ numbers: [50] }, /whose numbers/],
  [{ numbers: [-1] }, /whose numbers/],
  [{ numbers: [0.5] }, /whose numbers/],
  [{ numbers: Object.assign([], { 1: 3 }) }, /whose numbers/],
  [{ columns: [] }, /1 to 64 modelled columns/],
])("refuses %j", (change, message) => {
  expect(() => asked(change)).toThrow(
    expect.objectContaining({ code: "workload/query", message: expect.stringMatching(message) }),
  );
});

it("refuses more cells than can be measured, unless fewer members are asked for", () => {
  const many = { count: 1_000_000, labels: ["race"], each: true };
  const wide = ATTRIBUTES.map((one) => (one.name === "race" ? { ...one, size: 60 } : one));
  const over = (more: object) => workloadQueries([{ ...SET, ...many, ...more }], { attributes: wide, fields: [] });
  expect(() => over({})).toThrow(/more than 50,000,000 cells/);
  expect(over({ numbers: [0, 999_999] })).toHaveLength(1);
});

it("has two sides that add up to all rows", () => {
  const uniform = uniforms(4);
  const codes = [2, 20, 4, 1001].map((size) => Uint16Array.from({ length: 500 }, () => Math.floor(size * uniform())));
  const rows = RowAnswers.ofCodes(ATTRIBUTES, codes);
  for (const strict of [false, true]) {
    const [below, above] = [asked({ strict }), asked({ side: "above", strict: !strict })].map((query) =>
      rows.of(query),
    );
    expect(below.map((count, at) => count + above[at])).toEqual(new Int32Array(50).fill(500));
  }
  rows.drop();
});

const FIELDS = [
  { name: "sex", type: "string", constraints: { enum: ["F", "M"], required: true } },
  { name: "pay", type: "integer", constraints: { minimum: 0, maximum: 999 } },
  { name: "hours", type: "integer", constraints: { minimum: 0, maximum: 167, required: true } },
  { name: "job", type: "string", constraints: { enum: ["a", "b", "c"] } },
];
const KEY = { seed: 1, unsafeNoiseKey: new Uint8Array(32).fill(7) };

function people() {
  const uniform = uniforms(9);
  const schema = parseSchema({ fields: FIELDS });
  const lines = Array.from({ length: 400 }, () => {
    const hours = Math.floor(168 * uniform() ** 2);
    const pay = uniform() < 0.1 ? "" : Math.floor(5 * hours * uniform());
    return `${uniform() < hours / 168 ? "F" : "M"},${pay},${hours},${"abc"[Math.floor(3 * uniform() ** 2)]}`;
  });
  return { schema, table: parseCsv(`sex,pay,hours,job\n${lines.join("\n")}\n`, schema) };
}

describe.each([
  ["half-spaces", {}, { partitions: 0, free: 60 }],
  ["half-spaces with labels", { labels: ["sex", "job"], side: "above" }, { partitions: 0, free: 60 }],
  ["half-spaces asked about each label", { labels: ["sex"], each: true, strict: true }, { partitions: 60, free: 0 }],
] as const)("a release of %s", (_, options, structure) => {
  const set = { query: "random-half-spaces", columns: FIELDS.map(({ name }) => name), count: 200, seed: 3 } as const;
  const numbers = Array.from({ length: 60 }, (_, at) => 3 * at);
  const workload = [["sex"], { ...set, ...options, numbers }] as const;

  it.each(["descent", "paper"] as const)("states the seed, and its rows answer it (%s)", async (method) => {
    const { schema, table } = people();
    const settled = plan(schema, { rho: 400, delta: 1e-9, workload, search: { method } });
    expect(settled.toJSON().items).toMatchObject([{ query: "marginal" }, structure]);
    const release = await measure(table, settled, KEY);
    const text = JSON.stringify(release);
    expect(text).toContain('"count":200,"seed":3,');
    const read = parseRelease(text);
    expect(JSON.stringify(read)).toBe(text);
    const { table: made, outcome } = await resample(read);
    expect([...made.rows()]).toEqual([...(await synthesize(table, settled, KEY)).table.rows()]);
    expect(outcome.loss).toBeLessThan(outcome.startLoss / 10);
  });
});
