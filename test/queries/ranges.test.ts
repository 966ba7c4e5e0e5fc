// Boxes from the plan to the rows: what is counted, what a release states of it, and what the rows answer.
import { expect, it } from "vitest";
import { fineCodes, type Grid } from "../../src/domain/grid.js";
import {
  measure,
  parseCsv,
  parseRelease,
  parseSchema,
  plan,
  resample,
  resume,
  synthesize,
  type Table,
  type Workload,
} from "../../src/node.js";
import { nonPrivateQueryErrors } from "../../src/owner.js";
import { uniforms } from "../reference/statistics.js";

const schema = parseSchema({
  fields: [
    { name: "sex", type: "string", constraints: { enum: ["F", "M"], required: true } },
    { name: "age", type: "integer", constraints: { minimum: 0, maximum: 99, required: true } },
    { name: "pay", type: "integer", constraints: { minimum: 0, maximum: 999 } },
    { name: "wealth", type: "integer", constraints: { minimum: -100_000, maximum: 10_000_000, required: true } },
  ],
});

const uniform = uniforms(3);
const ROWS = Array.from({ length: 600 }, () => {
  const age = Math.floor(100 * uniform());
  const pay = uniform() < 0.1 ? "" : Math.floor(10 * age * uniform());
  return [uniform() < age / 100 ? "F" : "M", age, pay, Math.floor(50_000 * age * uniform())] as const;
});
const table = parseCsv(`sex,age,pay,wealth\n${ROWS.map((row) => row.join()).join("\n")}\n`, schema);

/** The threshold of a value that is so far into its column's values. */
const at = (value: number, of: number) => Math.floor((value / of) * 2 ** 32);

const ASKED = {
  query: "ranges",
  columns: ["sex", "age", "pay"],
  boxes: [
    [null, [0, at(30, 100)], [0, at(77, 1000)]],
    [null, [at(30, 100), at(60, 100)], [at(77, 1000), at(500, 1000)]],
    [null, [0, 2 ** 32], [0, at(403, 1000)]],
  ],
} as const;
const WORKLOAD: Workload = [["sex", "age"], ASKED];
const LOUD = { rho: 400, delta: 1e-9 };
const KEYED = { seed: 1, unsafeNoiseKey: new Uint8Array(32).fill(7) };

const inBox = (row: readonly unknown[], ages: readonly number[], pays: readonly number[]) => {
  const [, age, pay] = row;
  const isPaid = pay !== "" && pay !== null && pays[0] <= Number(pay) && Number(pay) < pays[1];
  return isPaid && ages[0] <= Number(age) && Number(age) < ages[1];
};
const answersOf = (rows: readonly (readonly unknown[])[]) =>
  (
    [
      [
        [0, 30],
        [0, 77],
      ],
      [
        [30, 60],
        [77, 500],
      ],
      [
        [0, 100],
        [0, 403],
      ],
    ] as const
  ).flatMap(([ages, pays]) =>
    ["F", "M"].map((sex) => rows.filter((row) => row[0] === sex && inBox(row, ages, pays)).length),
  );
const rowsOf = (made: Table) => [...made.rows()].map(({ sex, age, pay, wealth }) => [sex, age, pay, wealth]);

it("counts values against thresholds, not leaves, and only columns with thresholds have finer codes", async () => {
  const asked = plan(schema, { ...LOUD, workload: WORKLOAD });
  expect(asked.toJSON()).toMatchObject({
    fine: ["pay"],
    items: [{ query: "marginal" }, { query: "ranges", cells: 6, partitions: 3, free: 0, sensitivity: Math.sqrt(3) }],
  });
  const release = await measure(table, asked, KEYED);
  expect([...release.measurements[1].answers]).toEqual(answersOf(ROWS));
});

it("leaves the codes of other plans alone", () => {
  const asked = plan(schema, { epsilon: 1 });
  expect(asked.toJSON()).not.toHaveProperty("fine");
  expect(asked.schema).toBe(schema);
});

it("has a code for each point of a grid, or 32,768 codes, if leaves are coarser", () => {
  const grid = { tree: true } as Grid;
  const codes = [32, 33, 65_534, 65_535].map((points) => fineCodes({ ...grid, points }));
  expect(codes).toEqual([undefined, 33, 65_534, 32_768]);
  expect(fineCodes({ ...grid, points: 100, tree: false })).toBeUndefined();
});

it.each([{ method: "descent" }, { method: "paper", generations: 60_000 }])(
  "makes rows that answer like the table, inside the right leaves (%j)",
  async (search) => {
    const workload = [["sex"], ["pay"], ASKED] as const;
    const asked = plan(schema, { ...LOUD, workload, search } as never);
    const { table: made } = await synthesize(table, asked, KEYED);
    const counts = answersOf(rowsOf(made));
    for (const [cell, count] of answersOf(ROWS).entries()) expect(Math.abs(counts[cell] - count)).toBeLessThan(4);
    expect(nonPrivateQueryErrors(table, made, schema, workload).maxError).toBeLessThan(0.01);
    // Rows of one answer are spread over its values.
    expect(new Set(rowsOf(made).map(([, , pay]) => pay)).size).toBeGreaterThan(100);
  },
);

it("makes the same rows from a release that was written and read", async () => {
  const columns = ["age", "wealth"] as const;
  const boxes = [
    [
      [0, at(50, 100)],
      [0, 2 ** 31],
    ],
  ] as const;
  const workload: Workload = [["sex", "wealth"], { query: "ranges", columns, boxes }];
  const made = await synthesize(table, plan(schema, { epsilon: 3, workload }), KEYED);
  const text = JSON.stringify(made);
  const read = parseRelease(text);
  expect(read.facts.fine).toEqual(["wealth"]);
  expect(JSON.stringify(read)).toBe(text);
  expect(rowsOf((await resample(read)).table)).toEqual(rowsOf(made.table));
});

it("is chosen in rounds, which continue with the same codes", async () => {
  const workload: Workload = [["sex", "age"], ["sex", "pay"], { ...ASKED, weight: 100 }];
  const asked = plan(schema, { ...LOUD, workload, selection: "l1", rounds: 2, perRound: 1 });
  const kept: string[] = [];
  const onRound = (release: object) => void kept.push(JSON.stringify(release));
  const release = await measure(table, asked, { ...KEYED, onRound });
  expect(release.items.some(({ item }) => "query" in item && item.query === "ranges")).toBe(true);
  expect(JSON.stringify(parseRelease(JSON.stringify(release)))).toBe(JSON.stringify(release));
  const again = await resume(table, parseRelease(kept[1]), { unsafeNoiseKey: KEYED.unsafeNoiseKey });
  expect(again.facts).toEqual(release.facts);
});

it.each([
  ["does not state its fine columns", { fine: undefined }],
  ["states others", { fine: ["wealth"] }],
  ["states none", { fine: [] }],
  ["states a column without a tree", { fine: ["age", "pay"] }],
  ["states no list", { fine: "pay" }],
])("refuses a release that %s", async (_, change) => {
  const release = await measure(table, plan(schema, { epsilon: 1, workload: WORKLOAD }), KEYED);
  const json = { ...JSON.parse(JSON.stringify(release)), ...change };
  expect(() => parseRelease(JSON.stringify(json))).toThrow(/which columns are compared with thresholds/);
});

it.each([
  [{ boxes: [] }],
  [{ boxes: [[null, [0, 1]]] }],
  [{ boxes: [[null, [1, 1], [0, 1]]] }],
  [{ boxes: [[null, [0, 2 ** 32 + 1], [0, 1]]] }],
  [{ boxes: [[null, [0.5, 1], [0, 1]]] }],
  [{ boxes: [[null, [-1, 1], [0, 1]]] }],
  [{ boxes: [[2, [0, 1], [0, 1]]] }],
  [
    {
      boxes: [
        [
          [0, 1],
          [0, 1],
          [0, 1],
        ],
      ],
    },
  ],
  [{ boxes: [[0, [0, 1], null]] }],
  [{ boxes: [[0, [0, 1], 3]] }],
  [
    {
      boxes: [
        [0, [0, 1], [0, 1]],
        [null, [0, 1], [0, 1]],
      ],
    },
  ],
])("refuses %j", (change) => {
  const workload = [{ ...ASKED, ...change }] as never;
  expect(() => plan(schema, { epsilon: 1, workload })).toThrow(
    expect.objectContaining({ code: "workload/query", message: expect.stringContaining("boxes") }),
  );
});

it("keeps rows within constraints", async () => {
  const standin = { constraints: ["pay <= wealth"] };
  const { fields } = schema.toJSON();
  const linked = parseSchema({ fields, standin });
  const rows = parseCsv(`sex,age,pay,wealth\n${ROWS.map((row) => row.join()).join("\n")}\n`, linked);
  const workload: Workload = [["sex", "pay"], ["wealth"], ASKED];
  const { table: made } = await synthesize(rows, plan(linked, { ...LOUD, workload }), KEYED);
  for (const [, , pay, wealth] of rowsOf(made))
    if (pay !== null) expect(Number(pay)).toBeLessThanOrEqual(Number(wealth));
});
