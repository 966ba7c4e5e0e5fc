// RAP++ from a plan to rows: what its modules price and choose, what it resumes and refuses.
import { describe, expect, it } from "vitest";
import {
  measure,
  type PlanOptions,
  parseCsv,
  parseRelease,
  parseSchema,
  plan,
  type Release,
  resample,
  resume,
} from "../../src/node.js";

const category = (name: string) => ({
  ...{ name, type: "string", constraints: { enum: ["x", "y", "z"], required: true } },
});
const number = (name: string) => ({
  ...{ name, type: "integer", constraints: { minimum: 0, maximum: 99, required: true }, standin: { bins: "tree" } },
});
const schema = parseSchema({ fields: [...["a", "b"].map(category), ...["s", "t"].map(number)] });
/** a and b are equal, s grows with a, and t with s. */
const CSV = `a,b,s,t\n${Array.from({ length: 900 }, (_, row) => {
  const a = row % 3;
  const s = (30 * a + ((7 * row) % 30)) % 100;
  return `${"xyz"[a]},${"xyz"[a]},${s},${Math.min(99, s + (row % 10))}\n`;
}).join("")}`;
const table = parseCsv(CSV, schema);
const KEY = new Uint8Array(32).fill(5);
const COLUMNS = ["a", "b", "s", "t"];
const PREFIXES = { query: "random-prefixes", columns: COLUMNS, count: 200, seed: 1 } as const;
const HALF_SPACES = {
  ...{ query: "random-half-spaces", columns: COLUMNS, count: 200, seed: 2, labels: ["a"], each: true },
} as const;

const OPTIONS = {
  ...{ epsilon: 20, mechanism: "rap++", rounds: 2, perRound: 2 },
  ...{ workload: [["a", "b"], ["a", "s"], ["s", "t"], ["b", "t"], ["a", "t"], PREFIXES, HALF_SPACES] },
  search: { rows: 50, steps: 100 },
} as const;
const planned = (options: PlanOptions = {}) => plan(schema, { ...OPTIONS, ...options } as PlanOptions);
const drawn = (options?: PlanOptions) => measure(table, planned(options), { seed: 1, unsafeNoiseKey: KEY });

describe("rap++", () => {
  it("chooses sets and other queries in turn, each once, and makes rows with what it found", async () => {
    const release = await drawn();
    const chosen = release.items.flatMap((entry) => ("chosen" in entry ? entry.chosen : []));
    expect(new Set(chosen).size).toBe(8);
    // The first five candidates are the sets.
    expect(chosen.map((number) => number < 5)).toEqual([true, true, false, false, true, true, false, false]);
    const made = await resample(parseRelease(JSON.stringify(release)));
    expect(made.table.length).toBe(release.facts.rows);
    const rows = [...made.table.rows()];
    expect(rows.filter(({ a, b }) => a === b).length / rows.length).toBeGreaterThan(0.6);
    const means = ["x", "y", "z"].map((code) => {
      const own = rows.filter(({ a }) => a === code).map(({ s }) => Number(s));
      return own.reduce((sum, value) => sum + value, 0) / own.length;
    });
    expect(means[0]).toBeLessThan(means[1] - 10);
    expect(means[1]).toBeLessThan(means[2] - 10);
    expect([...(await resample(release)).table.rows()]).toEqual(rows);
  });

  it("is resumed to the bytes of a run that nothing stopped", async () => {
    const kept: string[] = [];
    const stopped = measure(table, planned(), {
      ...{ seed: 1, unsafeNoiseKey: KEY },
      onRound: (unfinished) => {
        if (kept.push(JSON.stringify(unfinished)) === 3) throw new Error("stopped");
      },
    });
    await expect(stopped).rejects.toThrow("stopped");
    const resumed = await resume(table, parseRelease(kept[2]), { unsafeNoiseKey: KEY });
    expect(JSON.stringify(resumed)).toBe(JSON.stringify(await drawn()));
  });

  it("can be cancelled in a fit", async () => {
    const release = await drawn();
    const control = new AbortController();
    const cancelled = resample(release, { onProgress: () => control.abort(), signal: control.signal });
    await expect(cancelled).rejects.toThrow(/abort/);
  });
});

describe("a plan", () => {
  it("measures as one query a set whose members it would all choose, and chooses among the others", async () => {
    const few = [...OPTIONS.workload.slice(0, 5), { ...PREFIXES, count: 4 }];
    const kept: string[] = [];
    const how = {
      ...{ seed: 1, unsafeNoiseKey: KEY },
      onRound: (part: Release) => void kept.push(JSON.stringify(part)),
    };
    const release = await measure(table, planned({ workload: few as PlanOptions["workload"] }), how);
    const drawn = release.items.map((entry) => ("chosen" in entry ? entry.item.candidates : entry.item.query));
    expect(drawn.slice(4, 6)).toEqual(["random-prefixes", 9]);
    expect(release.measurements[4].answers).toHaveLength(4);
    const resumed = await resume(table, parseRelease(kept[0]), { unsafeNoiseKey: KEY });
    expect(JSON.stringify(resumed)).toBe(JSON.stringify(release));
  });

  it("measures at the sensitivity of what is chosen, whatever module it is of", async () => {
    const declared = { neighbours: "replace", publicRows: 900 } as const;
    const release = await measure(table, planned(declared), { seed: 1, unsafeNoiseKey: KEY });
    const measured = release.items.flatMap((entry) => ("measurement" in entry ? [entry] : [])).slice(4);
    for (const { item, measurement } of measured) {
      const { kind, columns } = measurement.query;
      const partitions = kind === "tree" ? 5 : kind === "random-prefixes" ? 0 : 1;
      expect([kind, columns.length, item.partitions]).toEqual([kind, columns.length, partitions]);
      expect(item.sensitivity).toBe(Math.sqrt(2 * item.partitions + item.free));
    }
    const choices = planned(declared)
      .toJSON()
      .items.filter(({ kind }) => kind === "selection");
    expect(choices.map((item) => item.sensitivity)).toEqual([1, 1, 1, 1]);
  });

  it("divides the budget of rounds between the modules by the columns without and with an order", () => {
    const three = parseSchema({ fields: [...["a", "b", "c"].map(category), number("s")] });
    const sets = { columns: ["a", "b", "c", "s"], count: 100, seed: 1 };
    const workload = [
      ["a", "b"],
      ["a", "c"],
      ["b", "c"],
      { query: "random-half-spaces", ...sets },
    ] as PlanOptions["workload"];
    const { items } = plan(three, { ...OPTIONS, workload, perRound: 1 }).toJSON();
    const choices = items.filter(({ kind }) => kind === "selection").map(({ rho }) => rho);
    expect(choices).toHaveLength(4);
    expect(choices[0]).toBe(choices[2]);
    expect(choices[0] / choices[1]).toBeCloseTo(3, 4);
  });

  it("has one module where there are queries of one sort", () => {
    const { items } = planned({ workload: [PREFIXES], rounds: 3, perRound: 10 }).toJSON();
    const choices = items.filter((item) => item.kind === "selection");
    expect(choices.map((item) => "picks" in item && [item.picks, item.candidates])).toEqual(Array(3).fill([10, 200]));
  });

  it.each([
    ["workload/not-smooth", { queries: [{ expression: "s > 3" }] }],
    ["options/selection", { workload: [["a"], ["s"]] }],
    ["options/rounds", { rounds: 3 }],
    ["options/rounds", { rounds: undefined, perRound: 6 }],
    ["mechanism/settings", { search: { rate: -1 } }],
    ["mechanism/settings", { search: { stages: 17 } }],
    ["options/unknown", { selection: "max" }],
  ] as const)("refuses with %s what it cannot do (%#)", (code, options) => {
    expect(() => planned(options as PlanOptions)).toThrow(expect.objectContaining({ code }));
  });

  it("takes no memory for the number of rows, but for that of the relaxed ones", () => {
    expect(planned().memory(1e6)).toBe(planned().memory(1));
    expect(planned({ search: { rows: 50_000 } }).memory(1)).toBeGreaterThan(100 * planned().memory(1));
  });
});
