// MWEM, PEP and their versions with public rows from a plan to rows: what they price, choose, resume and refuse.
import { describe, expect, it } from "vitest";
import {
  measure,
  type PlanOptions,
  parseCsv,
  parseRelease,
  parseSchema,
  plan,
  resample,
  resume,
} from "../../src/node.js";

const schema = parseSchema({
  fields: [
    ...["a", "b", "c"].map((name) => ({
      ...{ name, type: "string", constraints: { enum: ["x", "y", "z"], required: true } },
    })),
    { name: "n", type: "integer", constraints: { minimum: 0, maximum: 99, required: true }, standin: { bins: 4 } },
    { name: "t", type: "integer", constraints: { minimum: 0, maximum: 99, required: true }, standin: { bins: "tree" } },
  ],
});
/** a and b are equal; c is independent. */
const csv = (rows: number) =>
  `a,b,c,n,t\n${Array.from({ length: rows }, (_, row) => `${"xyz"[row % 3]},${"xyz"[row % 3]},${"xyz"[Math.floor(row / 3) % 3]},${row % 100},1\n`).join("")}`;
const table = parseCsv(csv(900), schema);
/** Every combination of the columns a, b and c. */
const publicTable = parseCsv(
  `a,b,c,n,t\n${Array.from({ length: 270 }, (_, row) => `${"xyz"[row % 3]},${"xyz"[Math.floor(row / 3) % 3]},${"xyz"[Math.floor(row / 9) % 3]},5,1\n`).join("")}`,
  schema,
);
const KEY = new Uint8Array(32).fill(5);
const PAIRS = [
  ["a", "b"],
  ["a", "c"],
  ["b", "c"],
];

const planned = (mechanism: string, options: PlanOptions = {}) =>
  plan(schema, {
    ...{ epsilon: 20, mechanism, workload: PAIRS },
    ...(mechanism.endsWith("-pub") && { publicTable }),
    ...options,
  });
const drawn = (mechanism: string, options?: PlanOptions) =>
  measure(table, planned(mechanism, options), { seed: 1, unsafeNoiseKey: KEY });
const rowsOf = (mechanism: string) => (mechanism.endsWith("-pub") ? { publicTable } : {});

describe.each(["mwem", "mwem-past", "pep", "pmw-pub", "pep-pub"])("%s", (mechanism) => {
  it("chooses the marginal about which its density is most wrong, and makes rows with what it found", async () => {
    const release = await drawn(mechanism, { rounds: 2 });
    const chosen = release.items.flatMap((entry) => ("chosen" in entry ? [entry] : []));
    expect(chosen.map(({ item }) => [item.candidates, item.picks, item.sensitivity])).toEqual(Array(2).fill([3, 1, 1]));
    expect(chosen[0].chosen).toEqual([0]);
    const made = await resample(parseRelease(JSON.stringify(release)), rowsOf(mechanism));
    expect(made.table.length).toBe(release.facts.rows);
    const same = [...made.table.rows()].filter(({ a, b }) => a === b).length;
    expect(same / made.table.length).toBeGreaterThan(0.9);
    expect([...(await resample(release, rowsOf(mechanism))).table.rows()]).toEqual([...made.table.rows()]);
  });

  it("chooses cells, each once", async () => {
    const release = await drawn(mechanism, { selection: "cells", rounds: 4, perRound: 2 });
    const chosen = release.items.flatMap((entry) => ("chosen" in entry ? entry.chosen : []));
    expect(new Set(chosen).size).toBe(8);
    // The first nine cells are those of a and b.
    expect(chosen.slice(0, 2).every((cell) => cell < 9)).toBe(true);
    expect(release.measurements.slice(-8).map(({ query }) => query.kind)).toEqual(Array(8).fill("ranges"));
    const made = await resample(release, rowsOf(mechanism));
    const same = [...made.table.rows()].filter(({ a, b }) => a === b).length;
    expect(same / made.table.length).toBeGreaterThan(0.6);
  });

  it("spends its budget, and no more", () => {
    for (const options of [{}, { selection: "cells" }, { neighbours: "replace", publicRows: 900 }] as PlanOptions[]) {
      const { items, rho } = planned(mechanism, { ...options, epsilon: 1 }).toJSON();
      const spent = items.reduce((sum, item) => sum + item.rho, 0);
      expect(spent).toBeLessThanOrEqual(rho);
      expect(spent).toBeGreaterThan(rho * (1 - 1e-6));
    }
  });

  it("is resumed to the bytes of a run that nothing stopped", async () => {
    const options = { rounds: 2 };
    const kept: string[] = [];
    const stopped = measure(table, planned(mechanism, options), {
      ...{ seed: 1, unsafeNoiseKey: KEY },
      onRound: (unfinished) => {
        if (kept.push(JSON.stringify(unfinished)) === 2) throw new Error("stopped");
      },
    });
    await expect(stopped).rejects.toThrow("stopped");
    const resumed = await resume(table, parseRelease(kept[1]), { ...rowsOf(mechanism), unsafeNoiseKey: KEY });
    expect(JSON.stringify(resumed)).toBe(JSON.stringify(await drawn(mechanism, options)));
  });

  it("can be cancelled in a fit", async () => {
    const release = await drawn(mechanism);
    const control = new AbortController();
    const phases: string[] = [];
    const onProgress = ({ phase }: { phase: string }) => {
      phases.push(phase);
      control.abort();
    };
    const cancelled = resample(release, { ...rowsOf(mechanism), onProgress, signal: control.signal });
    await expect(cancelled).rejects.toThrow(/abort/);
    expect(phases).toEqual(["search"]);
  });

  it.each([
    ["workload/not-marginals", { workload: [["a", "t"]] }],
    ["workload/not-marginals", { queries: [{ expression: 'a == "x"' }] }],
    ["options/selection", { selection: "aim" }],
    ["options/iterate", { iterate: "first" }],
    ["options/rounds", { rounds: 10 }],
    ["mechanism/settings", { search: { slack: -1 } }],
    ["options/unknown", { stages: 1 }],
  ] as const)("refuses with %s what it cannot do (%#)", (code, options) => {
    expect(() => planned(mechanism, options as unknown as PlanOptions)).toThrow(expect.objectContaining({ code }));
  });
});

it("chooses sets of columns, and single columns where these are not measured first", async () => {
  const workload = [["a"], ["b"]];
  expect(() => planned("pep", { workload })).toThrow(expect.objectContaining({ code: "options/selection" }));
  const release = await drawn("pep-pub", { workload, rounds: 2 });
  expect(release.measurements.map(({ query }) => query.columns.length)).toEqual([0, 1, 1]);
});

it("measures one-ways first; where public rows tell them, only the number of rows, unless it is public", () => {
  const first = (mechanism: string, options?: PlanOptions) =>
    planned(mechanism, { rounds: 2, ...options })
      .toJSON()
      .items.flatMap((item) => (item.kind === "measurement" && item.columns ? [item.columns] : []));
  expect(first("pep")).toEqual([["a"], ["b"], ["c"]]);
  expect(first("pep-pub")).toEqual([[]]);
  expect(first("pep-pub", { neighbours: "replace", publicRows: 900 })).toEqual([]);
});

it.each(["pmw-pub", "pep-pub"])("%s needs public rows, which the others refuse", (mechanism) => {
  expect(() => planned(mechanism, { publicTable: undefined })).toThrow(
    expect.objectContaining({ code: "public/required" }),
  );
  const without = mechanism === "pep-pub" ? "pep" : "mwem-past";
  expect(() => planned(without, { publicTable })).toThrow(expect.objectContaining({ code: "public/unused" }));
});

describe("a density", () => {
  it("is kept in the parts that the workload names, which a plan states", () => {
    expect(planned("pep").toJSON().parts).toEqual([
      { columns: ["a", "b", "c"], points: 27 },
      { columns: ["n"], points: 4 },
      { columns: ["t"], points: 33 - 1 },
    ]);
    expect(
      planned("pep", {
        workload: [
          ["a", "b"],
          ["c", "n"],
        ],
      }).toJSON().parts,
    ).toEqual([
      { columns: ["a", "b"], points: 9 },
      { columns: ["c", "n"], points: 12 },
      { columns: ["t"], points: 32 },
    ]);
    expect(planned("pep-pub").toJSON().parts).toBeUndefined();
  });

  it("of numbers has their bins", async () => {
    const release = await drawn("pep", { workload: [["a", "n"]] });
    const { table: made } = await resample(release);
    const low = made.column("n").filter((value) => Number(value) < 25).length;
    expect(Math.abs(low / made.length - 0.25)).toBeLessThan(0.05);
  });

  it("is refused where it would be too large, with its size", () => {
    const fields = Array.from({ length: 28 }, (_, at) => ({ name: `c${at}`, type: "boolean" }));
    const wide = parseSchema({ fields: fields.map((field) => ({ ...field, constraints: { required: true } })) });
    const asked = (workload: PlanOptions["workload"]) => plan(wide, { epsilon: 1, mechanism: "pep", workload });
    expect(() => asked("2-way")).toThrow(/28 columns with 268,435,456 combinations of codes; the limit is 67,108,864/);
    expect(asked([["c0", "c1"]]).toJSON().parts).toHaveLength(27);
    const large = plan(wide, {
      ...{
        epsilon: 1,
        mechanism: "pep",
        workload: fields
          .slice(1, 27)
          .map(({ name }) => ["c1", name])
          .slice(1),
      },
    });
    expect(large.memory(1)).toBeGreaterThan(24 * 2 ** 26);
  });

  it("follows its last iterate, the mean of all, or the best", async () => {
    const release = await drawn("mwem", { rounds: 2, epsilon: 1 });
    const rows = async (iterate: "last" | "average" | "best") => {
      const own = await drawn("mwem", { rounds: 2, epsilon: 1, iterate });
      expect(own.facts.estimate).toBe(iterate);
      expect(own.items).toEqual(release.items);
      const { table: made } = await resample(parseRelease(JSON.stringify(own)));
      return made.column("a").join();
    };
    const texts = [await rows("last"), await rows("average"), await rows("best")];
    expect(new Set(texts).size).toBe(3);
    expect(texts[0]).toBe((await resample(release)).table.column("a").join());
  });
});
