import { describe, expect, it } from "vitest";
import "../engine.js";
import type { Progress } from "../../src/core/progress.js";
import { parseCsv } from "../../src/files/csv.js";
import { macroF1, nonPrivateUtility } from "../../src/owner/utility.js";
import { parseSchema } from "../../src/schema/schema.js";
import { rejection } from "../files/tables.js";

const schema = parseSchema({
  missingValues: [""],
  fields: [
    { name: "x", type: "string", constraints: { enum: ["a", "b", "c"] } },
    { name: "n", type: "integer", constraints: { minimum: 0, maximum: 9 } },
    { name: "y", type: "boolean", constraints: {} },
    { name: "z", type: "string", constraints: { enum: ["p", "q"], required: true } },
  ],
});
const table = (...rows: string[]) => parseCsv(`x,n,y,z\n${rows.join("\n")}\n`, schema);
const many = (...rows: string[]) => table(...Array.from({ length: 10 }, () => rows).flat());

describe("macro F1 by hand", () => {
  it.each([
    // Class 0: 2·2 / (3 + 2). Class 1: 2·1 / (1 + 2).
    [[3, 1], [2, 2], [2, 1], (4 / 5 + 2 / 3) / 2],
    // A class that is predicted but does not occur counts as 0; one that neither occurs nor is predicted does not.
    [[4, 0, 0], [3, 1, 0], [3, 0, 0], (6 / 7 + 0) / 2],
    [[2, 0, 5], [0, 0, 7], [0, 0, 5], (0 + 10 / 12) / 2],
    [[0, 3], [0, 3], [0, 3], 1],
  ])("of %j actual, %j predicted, %j right", (actual, predicted, hits, f1) => {
    expect(macroF1(actual, predicted, hits)).toBeCloseTo(f1, 15);
  });
});

it("compares training on synthetic rows with training on real ones, on rows that were held out", async () => {
  const real = many("a,1,true,p", "b,8,false,q");
  // The synthetic rows say the opposite about y, and the same about z.
  const synthetic = many("a,1,false,p", "b,8,true,q");
  const test = table("a,2,true,p", "b,7,false,q", "a,1,,q");
  expect(await nonPrivateUtility(real, synthetic, schema, ["y", "z"], { test })).toEqual({
    private: false,
    testRows: 3,
    targets: [
      { target: "y", f1: { real: 1, synthetic: 0 }, f1WithPairs: { real: 1, synthetic: 0 }, f1MostFrequent: 1 / 3 },
      // Of three rows, p is predicted for the first and the last: 2·1 / (1 + 2) and 2·1 / (2 + 1).
      {
        target: "z",
        f1: { real: 2 / 3, synthetic: 2 / 3 },
        f1WithPairs: { real: 2 / 3, synthetic: 2 / 3 },
        f1MostFrequent: 1 / 4,
      },
    ],
  });
});

it("sees what only two columns together say, by pairs of them", async () => {
  const rows = many("a,1,true,p", "a,8,false,p", "b,1,false,p", "b,8,true,p");
  const { targets } = await nonPrivateUtility(rows, rows, schema, ["y"], { test: rows });
  expect(targets[0].f1.real).toBeLessThan(0.6);
  expect(targets[0].f1WithPairs).toEqual({ real: 1, synthetic: 1 });
  expect(targets[0].f1MostFrequent).toBeCloseTo(1 / 3, 15);
});

it("leaves pairs out where there are none, or too many", async () => {
  const utility = async (columns: number, rows: number) => {
    const names = Array.from({ length: columns }, (_, at) => `c${at}`);
    const wide = parseSchema({ fields: names.map((name) => ({ name, type: "boolean" })) });
    const line = (at: number) => `${names.map((_, column) => (at >> (column % 2)) % 2 > 0)}\n`;
    const read = parseCsv(`${names}\n${Array.from({ length: rows }, (_, at) => line(at)).join("")}`, wide);
    return (await nonPrivateUtility(read, read, wide, ["c0"])).targets[0];
  };
  expect(await utility(2, 20)).not.toHaveProperty("f1WithPairs");
  expect(await utility(3, 20)).toHaveProperty("f1WithPairs.real", 1);
  // 1,128 pairs of 5,000 rows.
  expect(await utility(49, 5000)).not.toHaveProperty("f1WithPairs");
});

it("a target is no feature of another one", async () => {
  // Only z says what y is.
  const rows = many("a,1,true,p", "a,1,false,q");
  const alone = await nonPrivateUtility(rows, rows, schema, ["y"], { test: rows });
  const both = await nonPrivateUtility(rows, rows, schema, ["y", "z"], { test: rows });
  expect(alone.targets[0].f1.real).toBe(1);
  expect(both.targets[0].f1.real).toBeCloseTo(1 / 3, 15);
});

it("holds a fifth of the real rows out where no table is given, and says so", async () => {
  const real = many("a,1,true,p", "b,8,false,q");
  const found = await nonPrivateUtility(real, table("a,1,true,p", "b,8,false,q"), schema, ["z"]);
  expect(found).toMatchObject({ testRows: 4, heldOut: { share: 0.2, seed: 0 } });
  expect(found.targets[0].f1).toEqual({ real: 1, synthetic: 1 });
});

it("has no F1 where there is nothing to train on, or to test on", async () => {
  const real = many("a,1,true,p", "b,8,false,q");
  const unknown = many("a,1,,p", "b,8,,q");
  const f1 = async (one: typeof real, other: typeof real, test?: typeof real) =>
    (await nonPrivateUtility(one, other, schema, ["y"], { test })).targets[0].f1;
  expect(await f1(real, unknown, real)).toEqual({ real: 1, synthetic: null });
  expect(await f1(unknown, real, real)).toEqual({ real: null, synthetic: 1 });
  expect(await f1(real, real, unknown)).toEqual({ real: null, synthetic: null });
  // A fifth of a single row is none.
  expect(await f1(table("a,1,true,p"), real)).toEqual({ real: null, synthetic: null });
  expect(await f1(table("a,1,true,p"), real, table("b,8,false,q"))).toEqual({ real: 0, synthetic: 1 });
});

it("refuses tables without rows, and targets that are not there", async () => {
  const rows = table("a,1,true,p");
  const none = table();
  const code = async (...given: Parameters<typeof nonPrivateUtility>) =>
    (await rejection(nonPrivateUtility(...given))) as { code: string; message: string };
  expect((await code(none, rows, schema, ["y"])).message).toMatch(/real table has no rows/);
  expect((await code(rows, none, schema, ["y"])).message).toMatch(/synthetic table has no rows/);
  expect((await code(rows, rows, schema, ["y"], { test: none })).message).toMatch(/test table has no rows/);
  expect((await code(rows, rows, schema, "y" as never)).message).toMatch(/a list of columns to predict/);
  for (const [targets, words] of [
    [[], /No target was named/],
    [["y", "w"], /"w" is not a column that the schema models. Modelled columns: x, n, y, z\./],
    [["y", "y"], /"y" was named twice/],
  ] as const) {
    const error = await code(none, none, schema, targets);
    expect(error.code).toBe("evaluate/target");
    expect(error.message).toMatch(words);
  }
});

it("refuses tables of another schema", async () => {
  const other = parseSchema({ missingValues: [""], fields: [{ name: "y", type: "boolean" }] });
  const [rows, others] = [table("a,1,true,p"), parseCsv("y\ntrue\n", other)];
  for (const given of [
    [others, rows],
    [rows, others],
  ] as const)
    expect(await rejection(nonPrivateUtility(...given, schema, ["y"]))).toHaveProperty("code", "schema/other-table");
});

it("reports which classifier it trains, and can be cancelled", async () => {
  const rows = many("a,1,true,p", "b,8,false,q", "c,4,true,q");
  const seen: Progress[] = [];
  await nonPrivateUtility(rows, rows, schema, ["y", "z"], {
    test: rows,
    onProgress: (progress) => seen.push(progress),
  });
  expect(new Set(seen.map((progress) => JSON.stringify(progress)))).toEqual(
    new Set([0, 1, 2, 3, 4, 5, 6, 7].map((done) => JSON.stringify({ phase: "train", done, of: 8 }))),
  );
  const reason = new Error("enough");
  const onProgress = () => caller.abort(reason);
  const caller = new AbortController();
  const { signal } = caller;
  expect(await rejection(nonPrivateUtility(rows, rows, schema, ["y"], { onProgress, signal }))).toBe(reason);
});
