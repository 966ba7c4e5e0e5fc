// Mechanisms added by these tests go through plan, command line, ledger, resuming, releases, progress and cancelling.
// Nothing changes except the list of mechanisms.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { bundled, type Change } from "../bundled.js";

type Package = typeof import("../../src/node.js");

const LISTED: readonly Change[] = [
  {
    file: "src/mechanisms/registry.ts",
    text: '"private-gsd": privateGsd',
    instead: '"private-gsd": privateGsd, independent, "two-tables": twoTables, "from-public": fromPublic',
  },
  {
    file: "src/mechanisms/registry.ts",
    text: 'import { privateGsd } from "./private-gsd.js";',
    instead: `import { privateGsd } from "./private-gsd.js";
      import { fromPublic, independent, twoTables } from "${resolve("test/mechanisms/independent.ts")}";`,
  },
];

const SCHEMA = {
  fields: ["a", "b", "c"].map((name) => ({
    name,
    type: "string",
    constraints: { enum: ["x", "y", "z"], required: true },
  })),
};
/** a and b are equal; c is independent. */
const CSV = `a,b,c\n${Array.from({ length: 900 }, (_, row) => `${"xyz"[row % 3]},${"xyz"[row % 3]},${"xyz"[Math.floor(row / 3) % 3]}\n`).join("")}`;
const KEY = new Uint8Array(32).fill(5);

let standin: Package;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "standin-"));
  writeFileSync(join(folder, "node.mjs"), await bundled('export * from "./src/node.ts";', LISTED));
  writeFileSync(join(folder, "cli.mjs"), await bundled('import "./src/cli/main.ts";', LISTED));
  writeFileSync(join(folder, "schema.json"), JSON.stringify(SCHEMA));
  writeFileSync(join(folder, "table.csv"), CSV);
  standin = await import(join(folder, "node.mjs"));
}, 60_000);

const planned = (options: object = {}) =>
  standin.plan(standin.parseSchema(SCHEMA), { epsilon: 20, mechanism: "independent", ...options } as never);
const table = () => standin.parseCsv(CSV, standin.parseSchema(SCHEMA));
const cli = (...args: string[]) => spawnSync(process.execPath, ["cli.mjs", ...args], { cwd: folder, encoding: "utf8" });

describe("an added mechanism", () => {
  it("plans, measures, chooses the pair that independent columns fit worst, and makes rows again from its release", async () => {
    expect(
      planned()
        .toJSON()
        .items.map(({ kind }) => kind),
    ).toEqual([...Array(3).fill("measurement"), ...["selection", "measurement"]]);
    const told: string[] = [];
    const made = await standin.synthesize(table(), planned(), { seed: 1, onProgress: ({ phase }) => told.push(phase) });
    expect(made.items[3]).toMatchObject({ chosen: [0] });
    expect(made.facts.guarantee).toMatchObject({ epsilon: 20 });
    expect(new Set(told)).toEqual(new Set(["measure", "search", "measured"]));
    const again = await standin.resample(standin.parseRelease(JSON.stringify(made)));
    expect([...again.table.rows()]).toEqual([...made.table.rows()]);
    expect(made.table.length).toBe(made.facts.rows);
  });

  it("is resumed where it stopped, counted by a shared budget, and can be cancelled", async () => {
    const budget = new standin.Budget({ epsilon: 30, delta: 1e-9, neighbours: "add-remove", unit: "row" });
    const kept: string[] = [];
    const options = { seed: 1, unsafeNoiseKey: KEY, budget };
    const stopped = standin.measure(table(), planned(), {
      ...options,
      onRound: (unfinished) => {
        kept.push(JSON.stringify(unfinished));
        throw new Error("stopped");
      },
    });
    await expect(stopped).rejects.toThrow("stopped");
    const begun = standin.parseRelease(kept[0]);
    expect(begun.items).toHaveLength(3);
    const whole = await standin.measure(table(), planned(), { seed: 1, unsafeNoiseKey: KEY });
    const resumed = await standin.resume(table(), begun, { unsafeNoiseKey: KEY, budget });
    expect(JSON.stringify(resumed)).toBe(JSON.stringify(whole));
    await expect(standin.resume(table(), begun, { budget })).rejects.toMatchObject({ code: "budget/resumed" });
    await expect(standin.measure(table(), planned(), { budget })).rejects.toMatchObject({ code: "budget/exceeded" });
    const signal = AbortSignal.abort();
    await expect(standin.measure(table(), planned(), { signal })).rejects.toThrow(/abort/);
  });

  it("refuses options that it does not have", () => {
    expect(() => planned({ rounds: 2 })).toThrow('independent has no option "rounds". These have: ');
  });

  it("refuses public rows unless it says that it uses them, and insists on those that it needs", () => {
    const publicTable = table();
    expect(() => planned({ publicTable })).toThrow("The mechanism independent does not use public rows.");
    expect(() => planned({ mechanism: "two-tables" })).not.toThrow();
    expect(() => planned({ mechanism: "from-public" })).toThrow("The mechanism from-public needs public rows.");
    expect(planned({ mechanism: "from-public", publicTable }).problem.publicTable?.rows).toBe(900);
  });

  it("goes through the command line: plan, ledger, release, more rows", () => {
    const asked = ["--schema", "schema.json", "--epsilon", "20", "--mechanism", "independent"];
    expect(cli("plan", ...asked).stdout).toMatch(/^independent, rounds, budget/m);
    writeFileSync(
      join(folder, "ledger.json"),
      JSON.stringify({ epsilon: 30, delta: 1e-9, neighbours: "add-remove", unit: "row", spent: [] }),
    );
    const synth = cli(
      "synth",
      "table.csv",
      ...asked,
      "--ledger",
      "ledger.json",
      "--release",
      "r.json",
      "-o",
      "out.csv",
    );
    expect(synth).toMatchObject({ status: 0, stderr: expect.stringContaining("Independent columns need no search.") });
    expect(readFileSync(join(folder, "out.csv"), "utf8")).toMatch(/^a,b,c\n([xyz],[xyz],[xyz]\n){500}/);
    expect(cli("synth", "--from", "r.json", "--rows", "7", "-o", "-").stdout.split("\n")).toHaveLength(9);
    const twice = cli("synth", "table.csv", ...asked, "--ledger", "ledger.json", "-o", "out.csv");
    expect(twice).toMatchObject({ status: 2, stderr: expect.stringContaining("is left") });
  });
});

describe("a mechanism of two tables", () => {
  it("makes both from one release, and they differ", async () => {
    const made = await standin.synthesize(table(), planned({ mechanism: "two-tables" }), { rows: 300 });
    const texts = made.tables.map((one) => JSON.stringify([...one.rows()]));
    expect(texts).toHaveLength(2);
    expect(texts[0]).not.toBe(texts[1]);
    expect(made.table).toBe(made.tables[0]);
  });

  it("writes numbered files, and refuses an output that holds one before anything is spent", () => {
    const asked = ["--schema", "schema.json", "--epsilon", "20", "--mechanism", "two-tables"];
    expect(cli("synth", "table.csv", ...asked, "-o", "two.csv").status).toBe(0);
    expect(readdirSync(folder).filter((name) => name.startsWith("two"))).toEqual(["two-1.csv", "two-2.csv"]);
    const refused = cli("synth", "table.csv", ...asked, "--release", "never.json");
    expect(refused).toMatchObject({ status: 2, stderr: expect.stringContaining("makes 2 tables") });
    expect(readdirSync(folder)).not.toContain("never.json");
  });
});
