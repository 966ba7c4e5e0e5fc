// RAP and RAPsoftmax from a plan to rows: what they price, choose, resume and refuse.
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
    { name: "t", type: "integer", constraints: { minimum: 0, maximum: 99, required: true }, standin: { bins: "tree" } },
  ],
});
/** a and b are equal; c is independent. */
const CSV = `a,b,c,t\n${Array.from({ length: 900 }, (_, row) => `${"xyz"[row % 3]},${"xyz"[row % 3]},${"xyz"[Math.floor(row / 3) % 3]},${row % 100}\n`).join("")}`;
const table = parseCsv(CSV, schema);
const KEY = new Uint8Array(32).fill(5);
const PAIRS = [
  ["a", "b"],
  ["a", "c"],
  ["b", "c"],
];
const SEARCH = { rows: 100 };

const planned = (options: PlanOptions = {}) =>
  plan(schema, { epsilon: 20, mechanism: "rap-softmax", workload: PAIRS, search: SEARCH, ...options });
const drawn = (options?: PlanOptions) => measure(table, planned(options), { seed: 1, unsafeNoiseKey: KEY });

describe.each(["rap-softmax", "rap"])("%s", (mechanism) => {
  const options = { mechanism, rounds: 3, perRound: 3, search: { ...SEARCH, rate: mechanism === "rap" ? 0.01 : 0.1 } };

  it("chooses cells that its rows are wrong about, each once, and makes rows with what it found", async () => {
    const release = await drawn(options);
    const chosen = release.items.flatMap((entry) => ("chosen" in entry ? [entry] : []));
    expect(chosen.map(({ item }) => [item.candidates, item.picks, item.sensitivity])).toEqual(
      Array(3).fill([27, 3, 1]),
    );
    expect(new Set(chosen.flatMap((entry) => entry.chosen)).size).toBe(9);
    // The first nine cells are those of a and b.
    expect(chosen[0].chosen.every((cell) => cell < 9)).toBe(true);
    const cells = release.measurements.slice(3);
    expect(cells.map(({ query }) => query.kind)).toEqual(Array(9).fill("ranges"));
    const made = await resample(parseRelease(JSON.stringify(release)));
    expect(made.table.length).toBe(release.facts.rows);
    const same = [...made.table.rows()].filter(({ a, b }) => a === b).length;
    expect(same / made.table.length).toBeGreaterThan(0.75);
    expect([...(await resample(release)).table.rows()]).toEqual([...made.table.rows()]);
  });

  it("measures whole marginals where it would choose all of their cells", async () => {
    const all = { ...options, perRound: 9 };
    const { items, rho } = planned(all).toJSON();
    expect(items.map((item) => item.kind === "measurement" && [item.query, item.cells])).toEqual([
      ...Array(3).fill(["marginal", 3]),
      ...Array(3).fill(["marginal", 9]),
    ]);
    // Of nine tenths of the budget, each has a third: no cell alone has less noise than at that price.
    expect(items[3].rho).toBeCloseTo(0.3 * rho, 5);
    const release = await drawn(all);
    const made = await resample(parseRelease(JSON.stringify(release)));
    expect([...made.table.rows()].filter(({ a, b }) => a === b).length / made.table.length).toBeGreaterThan(0.9);
  });

  it("is resumed to the bytes of a run that nothing stopped", async () => {
    const kept: string[] = [];
    const stopped = measure(table, planned(options), {
      ...{ seed: 1, unsafeNoiseKey: KEY },
      onRound: (unfinished) => {
        if (kept.push(JSON.stringify(unfinished)) === 2) throw new Error("stopped");
      },
    });
    await expect(stopped).rejects.toThrow("stopped");
    const resumed = await resume(table, parseRelease(kept[1]), { unsafeNoiseKey: KEY });
    expect(JSON.stringify(resumed)).toBe(JSON.stringify(await drawn(options)));
  });

  it("can be cancelled in a fit", async () => {
    const release = await drawn(options);
    const control = new AbortController();
    const phases: string[] = [];
    const onProgress = ({ phase }: { phase: string }) => {
      phases.push(phase);
      control.abort();
    };
    await expect(resample(release, { onProgress, signal: control.signal })).rejects.toThrow(/abort/);
    expect(phases).toEqual(["search"]);
  });
});

describe("a plan", () => {
  it("gives a tenth of ρ to the one-ways, and of the rest most to choices among cells, half to those among marginals", () => {
    for (const [selection, ...parts] of [
      ["cells", 0.1, 0.63, 0.27],
      ["max", 0.1, 0.45, 0.45],
    ] as const) {
      const { items, rho } = planned({ selection, rounds: 2 }).toJSON();
      const spent = (kind: string, open: boolean) =>
        items.reduce((sum, item) => {
          const isOpen = item.kind === "measurement" && item.columns === null;
          return sum + (item.kind === kind && isOpen === open ? item.rho : 0);
        }, 0);
      const found = [spent("measurement", false), spent("selection", false), spent("measurement", true)];
      for (const [at, part] of parts.entries()) expect(found[at] / rho).toBeCloseTo(part, 3);
    }
  });

  it("states the cells as candidates of their class, measured at the sensitivity of one", () => {
    const { classes, items } = planned({ neighbours: "replace", publicRows: 900 }).toJSON();
    expect(classes.find(({ query }) => query === "ranges")).toMatchObject({ candidates: 27 });
    expect(items.filter(({ kind }) => kind === "selection").map(({ sensitivity }) => sensitivity)[0]).toBe(1);
    const open = items.find((item) => item.kind === "measurement" && item.columns === null);
    expect(open).toMatchObject({ cells: 1, partitions: 0, free: 1, sensitivity: 1 });
  });

  it("can choose whole marginals", async () => {
    const release = await drawn({ selection: "max", rounds: 2, perRound: 1 });
    expect(release.measurements.slice(3).map(({ query }) => query.kind)).toEqual(["marginal", "marginal"]);
    expect(release.items.flatMap((entry) => ("chosen" in entry ? entry.chosen : []))[0]).toBe(0);
  });

  it.each([
    ["workload/not-marginals", { workload: [["a", "t"]] }],
    ["workload/not-marginals", { queries: [{ expression: 'a == "x"' }] }],
    ["options/selection", { workload: [["a"], ["b"]] }],
    ["options/selection", { selection: "aim" }],
    ["options/rounds", { rounds: 10, perRound: 3 }],
    ["mechanism/settings", { search: { rate: -1 } }],
    ["mechanism/settings", { search: { rows: 1e6 } }],
    ["options/unknown", { stages: 1 }],
  ] as const)("refuses with %s what it cannot do (%#)", (code, options) => {
    expect(() => planned(options as PlanOptions)).toThrow(expect.objectContaining({ code }));
  });

  it("takes no memory for the number of rows, but for that of the relaxed ones", () => {
    expect(planned().memory(1e6)).toBe(planned().memory(1));
    expect(planned({ search: { rows: 50_000 } }).memory(1) - planned().memory(1)).toBe(4 * 6 * (9 + 32) * 49_900);
  });
});
