// Public rows: they are never counted, cost nothing, and are recognised when a release is continued.
import { beforeAll, describe, expect, it } from "vitest";
import {
  measure,
  parseCsv,
  parseRelease,
  parseSchema,
  plan,
  type Release,
  resample,
  resume,
  synthesize,
  type Table,
} from "../../src/index.js";
import { key } from "./people.js";

const schema = parseSchema({
  fields: ["a", "b", "c"].map((name) => ({
    name,
    type: "integer",
    constraints: { minimum: 0, maximum: 1, required: true },
  })),
});
const csv = (rows: number, cells: (row: number) => readonly number[]) =>
  parseCsv(["a,b,c", ...Array.from({ length: rows }, (_, row) => cells(row).join()), ""].join("\n"), schema);
const bit = (row: number, column: number) => (row >> column) & 1;
/** Rows in which c is a ⊕ b, which no single column and no pair shows. */
const parity = csv(1200, (row) => [bit(row, 0), bit(row, 1), bit(row, 0) ^ bit(row, 1)]);
/** The same one-ways, without the law. */
const table = csv(1600, (row) => [bit(row, 0), bit(row, 1), bit(row, 2)]);
const OPTIONS = { epsilon: 2, workload: "1-way" } as const;
const SETTINGS = { seed: 3, unsafeNoiseKey: key(4) };

const following = (rows: Table) => {
  const [a, b, c] = ["a", "b", "c"].map((name) => rows.column(name).map(Number));
  return a.filter((value, row) => (value ^ b[row]) === c[row]).length / rows.length;
};

describe("a release with a public table", () => {
  let release: Release;
  beforeAll(async () => {
    release = await measure(table, plan(schema, { ...OPTIONS, publicTable: parity }), SETTINGS);
  });

  it("costs and counts what it does without one", async () => {
    const without = await measure(table, plan(schema, OPTIONS), SETTINGS);
    expect(release.items).toEqual(without.items);
    expect(release.facts.total).toBe(without.facts.total);
    expect({ ...release.facts, publicTable: undefined }).toEqual({ ...without.facts, publicTable: undefined });
    expect(release.facts.publicTable).toEqual({ rows: 1200, fingerprint: expect.stringMatching(/^[0-9a-f]{16}$/) });
  });

  it("makes rows that keep what the measured queries say nothing about", async () => {
    const { table: rows } = await resample(release, { publicTable: parity });
    expect(following(rows)).toBeGreaterThan(0.9);
    const { table: without } = await synthesize(table, plan(schema, OPTIONS), SETTINGS);
    expect(following(without)).toBeLessThan(0.6);
  });

  it("samples a sorted table evenly, whether fewer or more rows are made than it has", async () => {
    const sorted = csv(1000, (row) => [row < 500 ? 0 : 1, 0, 0]);
    const half = csv(1000, (row) => [row % 2, 0, 0]);
    const planned = plan(schema, { epsilon: 100, workload: [["b"]], publicTable: sorted });
    const measured = await measure(half, planned, SETTINGS);
    for (const rows of [100, 2300]) {
      const { table: made } = await resample(measured, { publicTable: sorted, rows });
      const ones = made.column("a").filter((value) => value === 1).length / rows;
      expect(Math.abs(ones - 0.5)).toBeLessThan(rows < 1000 ? 0.2 : 0.02);
    }
  });

  it("makes the same rows from its file, given the same public table", async () => {
    const { table: first } = await synthesize(table, plan(schema, { ...OPTIONS, publicTable: parity }), SETTINGS);
    const { table: again } = await resample(parseRelease(JSON.stringify(release)), { publicTable: parity });
    expect([...again.rows()]).toEqual([...first.rows()]);
    const { table: paper } = await synthesize(
      table,
      plan(schema, { ...OPTIONS, search: { method: "paper" }, publicTable: parity }),
      SETTINGS,
    );
    expect(following(paper)).toBeGreaterThan(0.9);
  });

  it("refuses to make rows without that table, with another one, or with the same rows in another order", async () => {
    const reversed = csv(1200, (row) => [
      bit(1199 - row, 0),
      bit(1199 - row, 1),
      bit(1199 - row, 0) ^ bit(1199 - row, 1),
    ]);
    await expect(resample(release)).rejects.toMatchObject({ code: "public/missing" });
    const other = await resample(release, { publicTable: table }).catch((error: Error) => error);
    expect(other).toMatchObject({ code: "public/other-table" });
    expect(String(other)).not.toMatch(/1600|1,600/); // what was given may be private after all
    await expect(resample(release, { publicTable: reversed })).rejects.toMatchObject({ code: "public/other-table" });
    const without = await measure(table, plan(schema, OPTIONS), SETTINGS);
    await expect(resample(without, { publicTable: parity })).rejects.toMatchObject({ code: "public/unused" });
  });

  it("is refused as broken where its public table cannot be understood", () => {
    const json = JSON.parse(JSON.stringify(release));
    for (const publicTable of [null, 7, {}, { rows: 0, fingerprint: "0".repeat(16) }, { rows: 1, fingerprint: "x" }])
      expect(() => parseRelease(JSON.stringify({ ...json, publicTable }))).toThrow(/release/);
  });
});

describe("a plan with a public table", () => {
  it("states how many rows it has, and nothing else of it", () => {
    const publicTable = { rows: 1200, fingerprint: expect.any(String) };
    const stated = plan(schema, { ...OPTIONS, publicTable: parity }).toJSON();
    expect(stated).toEqual({ ...plan(schema, OPTIONS).toJSON(), publicTable });
  });

  it("refuses one without rows, of another schema, or that is no table", () => {
    const empty = parseCsv("a,b,c\n", schema);
    const other = parseSchema({ fields: [{ name: "a", type: "boolean" }] });
    const planned = (publicTable: unknown) => () => plan(schema, { ...OPTIONS, publicTable } as never);
    expect(planned(empty)).toThrow(expect.objectContaining({ code: "public/empty" }));
    expect(planned(parseCsv("a\ntrue\n", other))).toThrow(expect.objectContaining({ code: "schema/other-table" }));
    expect(planned("rows.csv")).toThrow(expect.objectContaining({ code: "options/argument" }));
  });

  it("refuses to measure the public table itself", async () => {
    const planned = plan(schema, { ...OPTIONS, publicTable: table });
    await expect(measure(table, planned)).rejects.toMatchObject({ code: "public/private-table" });
  });
});

describe("rounds with a public table", () => {
  const options = { epsilon: 4, rounds: 2, publicTable: parity } as const;
  const begun: Release[] = [];
  beforeAll(async () => {
    const onRound = (unfinished: Release) => void begun.push(parseRelease(JSON.stringify(unfinished)));
    await measure(table, plan(schema, options), { ...SETTINGS, onRound });
  });

  it("are resumed given the same table, and refused otherwise before anything is measured", async () => {
    const [unfinished] = begun;
    await expect(resume(table, unfinished)).rejects.toMatchObject({ code: "public/missing" });
    await expect(resume(table, unfinished, { publicTable: csv(3, () => [0, 0, 0]) })).rejects.toMatchObject({
      code: "public/other-table",
    });
    await expect(resume(parity, unfinished, { publicTable: parity })).rejects.toMatchObject({
      code: "public/private-table",
    });
    await expect(resume(table, unfinished, { publicTable: table })).rejects.toMatchObject({
      code: "public/private-table",
      message: expect.not.stringMatching(/1600/),
    });
    const release = await resume(table, unfinished, { publicTable: parity });
    expect(release.facts.unfinished).toBeUndefined();
    expect(release.facts.publicTable).toEqual(unfinished.facts.publicTable);
    expect(JSON.stringify(unfinished.facts.unfinished)).not.toContain("publicTable");
  });
});
