import { expect, it } from "vitest";
import { Table as PlainTable } from "../../src/core/table.js";
import {
  Budget,
  measure,
  parseCsv,
  parseRelease,
  parseSchema,
  plan,
  resample,
  synthesize,
  type Table,
} from "../../src/index.js";
import { watchedMemories } from "../memories.js";
import { measureItems } from "./door.js";

const schema = parseSchema({
  fields: [
    { name: "sex", type: "string", constraints: { enum: ["F", "M"], required: true } },
    { name: "code", type: "integer", constraints: { minimum: 0, maximum: 99, required: true } },
    { name: "pay", type: "integer", constraints: { minimum: 0, maximum: 9999 } },
  ],
});
const key = (seed: number) => Uint8Array.from({ length: 32 }, (_, at) => (at ? 0 : seed));
const rowAt = (row: number) => `${row % 3 ? "F" : "M"},${(row * 7919) % 100},${row % 5 ? (row * 104729) % 10000 : ""}`;
const tableOf = (rows: number[]): Table => parseCsv(`sex,code,pay\n${rows.map(rowAt).join("\n")}\n`, schema);
const upTo = (rows: number) => Array.from({ length: rows }, (_, row) => row);
const oneStage = plan(schema, { epsilon: 1, estimate: "raw" });
const { ledger } = oneStage;
const answersOf = (table: Table, options: object = {}) =>
  measureItems(table, schema, ledger, { unsafeNoiseKey: key(1), ...options });

it("gives the same answers whatever the order of rows", async () => {
  const rows = upTo(40_000);
  const expected = await answersOf(tableOf(rows));
  const shuffled = rows.map((row) => (row * 31) % rows.length);
  expect(await answersOf(tableOf(shuffled))).toEqual(expected);
});

it("one more row changes one cell of a marginal and one cell per level of a tree, and nothing else", async () => {
  const before = await answersOf(tableOf(upTo(500)));
  const after = await answersOf(tableOf(upTo(501)));
  const changes = after.map((answers, item) =>
    [...answers].map((answer, cell) => answer - before[item][cell]).filter(Boolean),
  );
  expect(changes).toEqual([[1], [1, 1, 1, 1, 1], [1, 1, 1, 1, 1]]);
});

it("refuses a table read with another schema, or with other persons, before anything is charged", async () => {
  const budget = new Budget({ epsilon: 9, delta: 1e-9, neighbours: "add-remove", unit: "row" });
  const longer = { ...schema.toJSON().fields[0], constraints: { enum: ["F", "M", "X"], required: true } };
  const others = [
    { fields: [longer, ...schema.toJSON().fields.slice(1)] },
    { fields: schema.toJSON().fields.slice(1) },
    {
      fields: [...schema.toJSON().fields, { name: "who", standin: { role: "drop" } }],
      standin: { unit: { column: "who", maxRows: 1 } },
    },
  ].map((descriptor) => parseCsv("sex,code,pay,who\nX,1,1,ann\n", parseSchema(descriptor)));
  const { columns, length, names } = tableOf([1]);
  for (const table of [...others, { columns, length, names } as Table])
    await expect(measure(table, plan(schema, { epsilon: 1 }), { budget })).rejects.toThrow(
      /schema other than|has read/,
    );
  const cancelled = measure(tableOf([1]), plan(schema, { epsilon: 1 }), { budget, signal: AbortSignal.abort() });
  await expect(cancelled).rejects.toThrow(/abort/i);
  expect(budget.toJSON().spent).toEqual([]);
  const semicolons = parseSchema({ ...schema.toJSON(), dialect: { delimiter: ";" } });
  await measure(parseCsv("sex;code;pay\nF;1;1\n", semicolons), plan(schema, { epsilon: 1 }), { budget });
  expect(budget.toJSON().spent).toHaveLength(1);
});

it("counts an invalid code of a column as a valid one, and nothing outside a query's cells", async () => {
  const { columns, length, persons, descriptor } = parseCsv("sex,code,pay\nF,1,1\n", schema);
  const [{ name, codec }, ...others] = columns;
  const wild = new PlainTable(
    [{ name, codec, codes: Uint16Array.of(65_535) }, ...others],
    length,
    ",",
    persons,
    descriptor,
  );
  const before = await answersOf(tableOf([]));
  const after = await answersOf(wild);
  for (const [item, answers] of after.entries())
    expect(
      answers.reduce((sum, answer) => sum + answer, 0) - before[item].reduce((sum, answer) => sum + answer, 0),
    ).toBe(ledger.items[item].partitions);
});

it("draws fresh noise for every release and every item", async () => {
  const table = tableOf(upTo(50));
  const [first, second] = [await measure(table, oneStage), await measure(table, oneStage)];
  for (const [item, { answers }] of first.measurements.entries())
    expect([...answers]).not.toEqual([...second.measurements[item].answers]);
  const [, a, b] = await answersOf(tableOf([]));
  expect([...a.subarray(0, 200)]).not.toEqual([...b.subarray(0, 200)]);
});

const PATTERN = [83, 2, 97, 41, 59, 26, 5, 35];
const planted = () => parseCsv(`sex,code,pay\n${PATTERN.map((code) => `F,${code},1\n`).join("")}`, schema);
/** How many of the memories contain the planted column. */
const holdersOf = (memories: readonly WebAssembly.Memory[]) =>
  memories.filter(({ buffer }) => Buffer.from(buffer).includes(Buffer.from(Uint16Array.from(PATTERN).buffer))).length;

it("keeps private rows out of every memory but the table's and the vault's, and the vault zeroed", async () => {
  const table = planted();
  const memories = watchedMemories();
  const seen = { measure: 0, round: 0, search: 0 };
  await synthesize(table, plan(schema, { epsilon: 1, selection: "max", rounds: 2 }), {
    rows: 500,
    onProgress: ({ phase }) => {
      const holders = holdersOf(memories);
      if (phase === "measure") seen.measure = Math.max(seen.measure, holders);
      if (phase === "round") seen.round = Math.max(seen.round, holders);
      if (phase === "measured" || phase === "search") seen.search = Math.max(seen.search, holders);
    },
  });
  expect(memories.length).toBeGreaterThanOrEqual(2);
  expect(seen).toEqual({ measure: 1, round: 1, search: 0 });
  expect(holdersOf(memories)).toBe(0);
});

it.each(["is cancelled", "fails"])("zeroes the vault when a run %s", async (how) => {
  const table = planted();
  const memories = watchedMemories();
  const control = new AbortController();
  let held = 0;
  const run = measure(table, plan(schema, { epsilon: 1, selection: "max", rounds: 2 }), {
    signal: control.signal,
    onProgress: ({ phase }) => {
      if (phase !== "round") return;
      held = holdersOf(memories);
      if (how === "fails") throw new Error("abort");
      control.abort();
    },
  });
  await expect(run).rejects.toThrow(/abort/i);
  expect({ held, left: holdersOf(memories) }).toEqual({ held: 1, left: 0 });
});

it("keeps at most maxRows rows of a person, a missing number being a person of one row", async () => {
  const persons = parseSchema({
    fields: [
      { name: "who", type: "string", standin: { role: "drop" } },
      { name: "sex", type: "string", constraints: { enum: ["F", "M"], required: true } },
    ],
    standin: { unit: { column: "who", maxRows: 2 } },
  });
  const rows = [...upTo(9).map(() => "anna,F"), "ben,M", "carl,M", "carl,M", "carl,M", ",M", ",M", ",M"];
  const table = parseCsv(`who,sex\n${rows.join("\n")}\n`, persons);
  const { ledger } = plan(persons, { epsilon: 1000, workload: "1-way" });
  expect(ledger.items[0]).toMatchObject({ noise: { delta2: 4n } });
  const [answers] = await measureItems(table, persons, ledger, { unsafeNoiseKey: key(3) });
  expect([...answers]).toEqual([2, 6]);
});

it("says what a release may hold, and holds nothing else", async () => {
  const release = await measure(tableOf(upTo(200)), plan(schema, { epsilon: 1 }), { seed: 5 });
  const json = JSON.parse(JSON.stringify(release));
  expect(Object.keys(json).sort()).toEqual(
    [
      "standin",
      "mechanism",
      "estimate",
      "stages",
      "neighbours",
      "epsilon",
      "delta",
      "rho",
      "items",
      "schema",
      "columns",
      "delimiter",
      "total",
    ]
      .concat(["rows", "search", "guarantee"])
      .sort(),
  );
  for (const item of json.items)
    expect(Object.keys(item).filter((member) => member !== "groups")).toEqual([
      "kind",
      "query",
      "columns",
      "cells",
      "partitions",
      "free",
      "sensitivity",
      "sigma2",
      "rho",
      "noise",
      "answers",
    ]);
  // The noise is shown with the mean cell of a table of N̂ rows: each level of a tree counts every row once.
  for (const { noise, sigma2, cells, partitions } of json.items)
    expect(noise).toEqual({ sigma: Math.sqrt(sigma2), meanCell: expect.closeTo((json.total * partitions) / cells, 9) });
  expect(json.guarantee).toEqual({ epsilon: 1, delta: 1e-9, unit: "row", neighbours: "add-remove" });
  expect(json.search.seed).toBe(5);
  expect(json.schema.fields).toEqual(schema.toJSON().fields);
});

it("makes the same rows again from its JSON, and others from another seed", async () => {
  const release = await synthesize(tableOf(upTo(300)), plan(schema, { epsilon: 1 }), { seed: 5 });
  const again = await resample(parseRelease(JSON.stringify(release)));
  expect([...again.table.rows()]).toEqual([...release.table.rows()]);
  const other = await resample(parseRelease(JSON.stringify(release)), { seed: 6 });
  expect([...other.table.rows()]).not.toEqual([...release.table.rows()]);
  expect((await resample(release, { rows: 17 })).table.length).toBe(17);
});

it("promises nothing if the noise is known or facts were read from the rows", async () => {
  const known = await measure(tableOf([1]), plan(schema, { epsilon: 1 }), { unsafeNoiseKey: key(1) });
  expect(known.facts.guarantee).toBeNull();
  expect(known.facts.noGuarantee).toMatch(/known key/);
  const fields = [
    { name: "sex", type: "string", constraints: { enum: ["F", "M"] }, standin: { provenance: { enum: "read" } } },
    { name: "code", type: "integer", constraints: { minimum: 0, maximum: 9 } },
  ];
  const proposed = parseSchema({ fields });
  expect(() => plan(proposed, { epsilon: 1 })).toThrow(/1 fact of the schema was read from the rows: sex: enum/);
  const accepted = plan(proposed, { epsilon: 1, allowUnreviewedSchema: true });
  const release = await measure(parseCsv("sex,code\nF,1\n", proposed), accepted);
  expect(release.facts.guarantee).toBeNull();
  expect(release.facts.noGuarantee).toMatch(/NOT differentially private: 1 fact/);
});

it.each([0, 1, 2])("takes a table of %i rows like any other", async (rows) => {
  const { table, facts } = await synthesize(tableOf(upTo(rows)), plan(schema, { epsilon: 1 }), { rows: 20 });
  expect(table.length).toBe(20);
  expect(facts.rows).toBe(20);
});

it("refuses a known key of zeros, and a release that was tampered with", async () => {
  await expect(
    measure(tableOf([1]), plan(schema, { epsilon: 1 }), { unsafeNoiseKey: new Uint8Array(32) }),
  ).rejects.toThrow();
  const json = JSON.parse(JSON.stringify(await measure(tableOf(upTo(9)), plan(schema, { epsilon: 1 }))));
  json.schema.fields.push({ name: "note", standin: { role: "drop" } });
  const broken = (change: (copy: typeof json) => void) => {
    const copy = structuredClone(json);
    change(copy);
    return () => parseRelease(JSON.stringify(copy));
  };
  const changes: [(copy: typeof json) => void, RegExp][] = [
    [(copy) => (copy.items[0].answers[0] = 2 ** 31), /whole numbers/],
    [(copy) => (copy.items[0].sigma2 = 5e-324), /sigma2/],
    [(copy) => (copy.items[0].sigma2 = [1]), /sigma2/],
    [(copy) => (copy.columns = [...copy.columns, "sex"]), /a column twice/],
    [(copy) => (copy.schema.fields[1].standin = { role: "drop" }), /modelled columns/],
    [(copy) => copy.columns.push("note"), /not keep/],
    [(copy) => (copy.delimiter = "\n"), /delimiter/],
    [(copy) => delete copy.guarantee, /makes no promise/],
    [(copy) => (copy.guarantee = { epsilon: "1" }), /promises something other/],
    [(copy) => (copy.guarantee.unit = null), /a unit other/],
    [(copy) => (copy.guarantee.delta = [1e-9]), /promises something other/],
  ];
  for (const [change, message] of changes) expect(broken(change)).toThrow(message);
  expect(() => parseRelease("{")).toThrow(/is not JSON/);
  expect(() => parseRelease("[]")).toThrow(/not a standin release/);
  expect(broken((copy) => copy.items[0].answers.pop())).toThrow(/do not fit/);
  expect(broken((copy) => (copy.items[0].answers[0] = 0.5))).toThrow(/whole numbers/);
  expect(broken((copy) => (copy.items[0].columns = ["age"]))).toThrow(/modelled columns/);
  expect(broken((copy) => (copy.columns = ["sex"]))).toThrow(/lacks a modelled column/);
  expect(broken((copy) => (copy.rows = 0))).toThrow(/number of rows/);
  expect(broken((copy) => (copy.search.seed = -1))).toThrow(/seed/);
  expect(broken((copy) => (copy.schema.fields[0].constraints.enum = []))).toThrow(/sex/);
});

it("says what was expected if an argument is something else", async () => {
  const [table, planned] = [tableOf([1]), plan(schema, { epsilon: 1 })];
  const release = await measure(table, planned);
  const wrong = expect.objectContaining({ name: "StandinError" });
  for (const call of [
    () => measure(planned as never, table as never),
    () => measure(table, schema as never),
    () => measure(table, planned, { budget: { epsilon: 1 } as never }),
    () => measure(table, planned, { onprogress() {} } as never),
    () => resample(JSON.stringify(release) as never),
  ])
    await expect(call()).rejects.toEqual(wrong);
  expect(() => plan({ fields: [] } as never, { epsilon: 1 })).toThrow(/parseSchema has read/);
  expect(() => parseCsv("a", undefined as never)).toThrow(/parseSchema has read/);
  expect(() => plan(schema)).toThrow(/epsilon is missing/);
});

it("warns of columns that no set measures", () => {
  const { warnings } = plan(schema, { epsilon: 1, workload: [["sex"]] }).ledger;
  expect(warnings).toEqual(["Nothing is measured about code, pay: their cells will be uniform over their values."]);
});

it("counts groups of codes as the sums of their codes, and a release keeps its groups", async () => {
  const wide = parseSchema({
    fields: ["a", "b"].map((name) => ({
      name,
      type: "integer",
      constraints: { minimum: 0, maximum: 99, required: true },
    })),
  });
  const lines = upTo(900).map((row) => `${(row * row) % 100},${(row * 37) % 90}`);
  const table = parseCsv(`a,b\n${lines.join("\n")}\n`, wide);
  // Almost no noise, but too many cells for the rows: ρ is large, and the number of rows small.
  const release = await measure(table, plan(wide, { rho: 30 }), { unsafeNoiseKey: key(1) });
  const [{ query, answers }] = release.measurements.filter((measurement) => measurement.query.groups);
  const [first, second] = query.groups!.map((map) => map!);
  const counts = new Map<number, number>();
  for (const line of lines) {
    const [a, b] = line.split(",").map(Number);
    const cell = first[a] * (Math.max(...second) + 1) + second[b];
    counts.set(cell, (counts.get(cell) ?? 0) + 1);
  }
  const errors = [...answers].map((answer, cell) => Math.abs(answer - (counts.get(cell) ?? 0)));
  expect(Math.max(...errors)).toBeLessThanOrEqual(4);
  const json = JSON.parse(JSON.stringify(release));
  expect(parseRelease(JSON.stringify(json)).measurements).toEqual(release.measurements);
  const at = json.items.findIndex((item: { groups?: unknown }) => item.groups);
  for (const groups of [[first], [first, null], [first.map(() => 1), second], [first.slice(1), second], "all"]) {
    const items = json.items.map((item: object, place: number) => (place === at ? { ...item, groups } : item));
    expect(() => parseRelease(JSON.stringify({ ...json, items }))).toThrow(/groups|answers do not fit/);
  }
});
