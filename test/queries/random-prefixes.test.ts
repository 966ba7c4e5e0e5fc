// Sets of random prefixes against their definition, and from the plan to the release.
import fc from "fast-check";
import { expect, it } from "vitest";
import { type Attribute, codesOf } from "../../src/domain/attribute.js";
import { STREAM_QUERIES } from "../../src/engine/layout.js";
import { measure, parseCsv, parseRelease, parseSchema, plan, resample, synthesize } from "../../src/node.js";
import { structureOf } from "../../src/queries/query.js";
import type { RandomPrefixes } from "../../src/queries/random-prefixes.js";
import { RowAnswers } from "../../src/queries/row-answers.js";
import { workloadQueries } from "../../src/queries/workload.js";
import { below, word } from "../reference/philox.js";
import { uniforms } from "../reference/statistics.js";

const ATTRIBUTES: Attribute[] = [
  { name: "sex", size: 2, tree: false, missing: false },
  { name: "age", size: 20, tree: false, missing: false, ordered: true },
  { name: "race", size: 4, tree: false, missing: true },
  { name: "pay", size: 33, tree: true, missing: true, ordered: true, fine: 1000 },
  { name: "hours", size: 32, tree: true, missing: false, ordered: true, fine: 168 },
];
const uniform = uniforms(5);
const TABLE = { attributes: ATTRIBUTES, fields: [] };
const CODES = ATTRIBUTES.map((attribute) =>
  Uint16Array.from({ length: 300 }, () => Math.floor(codesOf(attribute) * uniform())),
);

/** Whether a code is on the side of a threshold; missing never is. */
function isBeside(code: number, threshold: number, attribute: Attribute, { side, strict }: RandomPrefixes): boolean {
  const values = BigInt(codesOf(attribute) - Number(attribute.missing));
  if (BigInt(code) >= values) return false;
  const difference = (BigInt(code) << 32n) - BigInt(threshold) * values;
  if (difference === 0n) return !strict;
  return difference < 0n === (side === "below");
}

/** The answers by definition, row by row. */
function answersOf(query: RandomPrefixes): number[] {
  const { columns, count, seed, categories, thresholds, each, distinct } = query;
  const numeric = columns.filter((column) => ATTRIBUTES[column].ordered);
  const categorical = columns.filter((column) => !ATTRIBUTES[column].ordered);
  const sizes = each ? categorical.map((column) => ATTRIBUTES[column].size) : [];
  const cells = sizes.reduce((product, size) => product * size, 1);
  return Array.from({ length: count }, (_, number) => {
    const drawn = (at: number) => word(seed, STREAM_QUERIES, Math.floor(number / 4096), 16 * (number % 4096) + at);
    const tests: ((row: number) => boolean)[] = [];
    const left = [...categorical];
    for (let draw = 0; draw < categories; draw++) {
      const [column] = left.splice(below(left.length, drawn(2 * draw)), 1);
      const { size, missing } = ATTRIBUTES[column];
      const value = below(size - Number(missing), drawn(2 * draw + 1));
      tests.push((row) => CODES[column][row] === value);
    }
    const numbers = [...numeric];
    for (let draw = 0; draw < thresholds; draw++) {
      const at = below(numbers.length, drawn(8 + 2 * draw));
      const column = distinct ? numbers.splice(at, 1)[0] : numbers[at];
      const threshold = drawn(9 + 2 * draw);
      tests.push((row) => isBeside(CODES[column][row], threshold, ATTRIBUTES[column], query));
    }
    const counts = new Array<number>(cells).fill(0);
    for (let row = 0; row < 300; row++)
      if (tests.every((test) => test(row)))
        counts[each ? categorical.reduce((cell, column, at) => cell * sizes[at] + CODES[column][row], 0) : 0]++;
    return counts;
  }).flat();
}

const drawings = fc.record({
  seed: fc.integer({ min: 0, max: 2 ** 32 - 1 }),
  count: fc.oneof({ weight: 9, arbitrary: fc.integer({ min: 1, max: 40 }) }, fc.constant(400)),
  categories: fc.integer({ min: 0, max: 2 }),
  thresholds: fc.integer({ min: 1, max: 3 }),
  side: fc.constantFrom("below", "above"),
  strict: fc.boolean(),
  distinct: fc.boolean(),
  each: fc.boolean(),
});

it("counts as the definition does", () => {
  const rows = RowAnswers.ofCodes(ATTRIBUTES, CODES);
  fc.assert(
    fc.property(drawings, ({ categories, each, ...drawing }) => {
      const stated = { query: "random-prefixes", columns: ATTRIBUTES.map(({ name }) => name), ...drawing, each };
      const workload = [{ ...stated, categories: each ? 0 : categories }] as never;
      const [query] = workloadQueries(workload, TABLE);
      expect([...rows.of(query)]).toEqual(answersOf(query as RandomPrefixes));
    }),
    { seed: 1, numRuns: 150 },
  );
  rows.drop();
});

it("draws the same prefixes in sets of any size", () => {
  const rows = RowAnswers.ofCodes(ATTRIBUTES, CODES);
  const asked = (count: number) => {
    const entry = { query: "random-prefixes", columns: ["sex", "age", "pay"], seed: 9, count } as const;
    return rows.of(workloadQueries([entry], TABLE)[0]);
  };
  const many = asked(9000);
  expect(asked(70)).toEqual(many.slice(0, 70));
  const [query] = workloadQueries([{ query: "random-prefixes", columns: ["sex", "age"], seed: 9, count: 4100 }], TABLE);
  expect([...rows.of(query).slice(4090)]).toEqual(answersOf(query as RandomPrefixes).slice(4090));
  rows.drop();
});

it("by default has one category and two numbers, as far as there are any", () => {
  const drawnFrom = (columns: string[], more = {}) =>
    workloadQueries([{ query: "random-prefixes", columns, count: 3, seed: 0, ...more }], TABLE)[0];
  expect(drawnFrom(["sex", "age", "race", "pay", "hours"])).toMatchObject({
    categories: 1,
    thresholds: 2,
    each: false,
  });
  expect(drawnFrom(["age"])).toMatchObject({
    categories: 0,
    thresholds: 1,
    side: "below",
    strict: true,
    distinct: true,
  });
  expect(drawnFrom(["sex", "race", "pay"], { each: true })).toMatchObject({ categories: 0, thresholds: 1 });
  expect(structureOf(drawnFrom(["sex", "race", "pay"], { each: true }), ATTRIBUTES).partitions).toEqual([
    ...[0, 1, 2].map(() => ({ shape: [2, 4], isWhole: false })),
  ]);
});

it.each([
  [
    { count: 0 },
    /count is not a whole number from 1 to 1,000,000\. Besides "columns" and "weight", it can have "count"/,
  ],
  [{ count: 1_000_001 }, /count/],
  [{ count: 1.5 }, /count/],
  [{ seed: -1 }, /seed/],
  [{ seed: 2 ** 32 }, /seed/],
  [{ categories: 2 }, /categories are not a whole number from 0 to 1/],
  [{ thresholds: 3 }, /thresholds are not a whole number from 0 to 2/],
  [{ thresholds: 5, distinct: false }, /thresholds are not a whole number from 0 to 4/],
  [{ categories: 0, thresholds: 0 }, /no category and no threshold/],
  [{ categories: 1, each: true }, /categories are not a whole number from 0 to 0/],
  [{ columns: ["age", "pay"], each: true }, /no categorical column/],
  [{ columns: ["sex"], thresholds: 1 }, /thresholds are not a whole number from 0 to 0/],
  [{ each: 1 }, /"each" is neither true nor false/],
  [{ side: "left" }, /side is neither/],
  [{ strict: "yes" }, /"strict" is neither/],
  [{ distinct: null }, /"distinct" is neither/],
  [{ threshold: 1 }, /with the unknown member "threshold"/],
  [{ columns: ["pay", "sex"] }, /not in the schema's order\. Write \["sex","pay"\]/],
])("refuses %j", (change, message) => {
  const entry = { query: "random-prefixes", columns: ["sex", "age", "pay"], count: 5, seed: 1, ...change };
  expect(() => workloadQueries([entry] as never, TABLE)).toThrow(
    expect.objectContaining({ code: "workload/query", message: expect.stringMatching(message) }),
  );
});

it("refuses more cells than can be measured", () => {
  const entry = {
    query: "random-prefixes",
    columns: ["race", "pay"],
    count: 20_000_000 / 20,
    seed: 1,
    each: true,
  } as const;
  const wide = ATTRIBUTES.map((one) => (one.name === "race" ? { ...one, size: 60 } : one));
  expect(() => workloadQueries([entry], { attributes: wide, fields: [] })).toThrow(/more than 50,000,000 cells/);
});

const FIELDS = [
  { name: "sex", type: "string", constraints: { enum: ["F", "M"], required: true } },
  { name: "pay", type: "integer", constraints: { minimum: 0, maximum: 999 } },
  { name: "hours", type: "integer", constraints: { minimum: 0, maximum: 167, required: true } },
];

it("is stated in a release by its seed, and the rows answer it", async () => {
  const schema = parseSchema({ fields: FIELDS });
  const rows = Array.from({ length: 500 }, () => {
    const hours = Math.floor(168 * uniform() ** 2);
    return `${uniform() < hours / 168 ? "F" : "M"},${Math.floor(5 * hours * uniform())},${hours}`;
  });
  const table = parseCsv(`sex,pay,hours\n${rows.join("\n")}\n`, schema);
  const prefixes = { query: "random-prefixes", columns: ["sex", "pay", "hours"], count: 100, seed: 3 } as const;
  const workload = [["sex"], { ...prefixes, each: true }] as const;
  const key = { seed: 1, unsafeNoiseKey: new Uint8Array(32).fill(7) };
  const asked = plan(schema, { rho: 400, delta: 1e-9, workload });
  expect(asked.toJSON().items).toMatchObject([{ query: "marginal" }, { partitions: 100, free: 0, sensitivity: 10 }]);
  const release = await measure(table, asked, key);
  const text = JSON.stringify(release);
  expect(text).toContain('"count":100,"seed":3,"categories":0,"thresholds":2,"each":true');
  const read = parseRelease(text);
  expect(JSON.stringify(read)).toBe(text);
  const made = await synthesize(table, asked, key);
  const { table: again, outcome } = await resample(read);
  expect([...again.rows()]).toEqual([...made.table.rows()]);
  expect(outcome.loss).toBeLessThan(outcome.startLoss / 30);
});
