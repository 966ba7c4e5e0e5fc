// MST, AIM, MWEM+PGM, PGM and HDMM from a plan to rows: what they price, choose, resume and refuse.
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

const LABELLED = ["a", "b", "c", "d"].map((name) => ({
  ...{ name, type: "string", constraints: { enum: ["x", "y", "z"], required: true } },
}));
const schema = parseSchema({
  fields: [
    ...LABELLED,
    { name: "t", type: "integer", constraints: { minimum: 0, maximum: 99, required: true }, standin: { bins: "tree" } },
    ...["big", "huge"].map((name) => ({
      ...{ name, type: "integer", constraints: { minimum: 0, maximum: 999, required: true }, standin: { bins: 1000 } },
    })),
  ],
});
/** a and b are equal, d follows from both a and c, and these are independent. z is rare in c. */
const CSV = `a,b,c,d,t,big,huge\n${Array.from({ length: 900 }, (_, row) => {
  const [a, c] = [row % 3, row === 450 ? 2 : Math.floor(row / 3) % 2];
  return `${"xyz"[a]},${"xyz"[a]},${"xyz"[c]},${"xyz"[(a + c) % 3]},${row % 100},${row},${row}\n`;
}).join("")}`;
const table = parseCsv(CSV, schema);
const KEY = new Uint8Array(32).fill(5);
const pairs = (names: string) => [...names].flatMap((one, at) => [...names.slice(at + 1)].map((other) => [one, other]));

const planned = (options: PlanOptions = {}) => plan(schema, { epsilon: 50, workload: pairs("abcd"), ...options });
const drawn = (options?: PlanOptions) => measure(table, planned(options), { seed: 1, unsafeNoiseKey: KEY });
const chosenOf = ({ items }: Awaited<ReturnType<typeof drawn>>) =>
  items.flatMap((entry) => ("chosen" in entry ? [...entry.chosen] : []));

describe.each(["mst", "aim", "mwem-pgm", "pgm", "hdmm"])("%s", (mechanism) => {
  it("makes rows that follow what it measured, and the same ones again from its release", async () => {
    const release = await drawn({ mechanism });
    const made = await resample(parseRelease(JSON.stringify(release)));
    expect(made.table.length).toBe(release.facts.rows);
    const rows = [...made.table.rows()];
    expect(rows.filter(({ a, b }) => a === b).length / rows.length).toBeGreaterThan(0.97);
    expect(rows.filter(({ c }) => c === "x").length / rows.length).toBeCloseTo(0.5, 1);
    expect([...(await resample(release)).table.rows()]).toEqual(rows);
    expect(made.outcome.stop).toMatch(
      /after \d+ steps: (the loss has settled|answers are as close as noise alone would leave them)\.$/,
    );
  });

  it("spends its budget, and never more", async () => {
    for (const relation of [{}, { neighbours: "replace", publicRows: 900 }] as const) {
      const { ledger, facts } = await drawn({ mechanism, ...relation });
      const spent = ledger.reduce((sum, { rho }) => sum + rho, 0);
      expect(spent).toBeLessThanOrEqual(facts.rho);
      expect(spent).toBeGreaterThan(0.999 * facts.rho);
      for (const item of ledger)
        if (item.kind === "selection") expect(item.sensitivity).toBe("neighbours" in relation ? 2 : 1);
    }
  });

  it("answers with weights, and protects persons", async () => {
    const workload = [
      { columns: ["a", "b"], weight: 3 },
      { columns: ["b", "c"], weight: 1 },
    ];
    const unit = parseSchema({ fields: LABELLED, standin: { unit: { maxRows: 2 } } });
    const options = { epsilon: 50, mechanism, workload };
    const release = await measure(parseCsv(CSV, unit), plan(unit, options), { seed: 1 });
    expect(release.facts.guarantee).toMatchObject({ epsilon: 50, unit: { maxRows: 2 } });
    expect((await resample(release)).table.length).toBe(release.facts.rows);
  });

  it("refuses what is no marginal, and models that are too large", () => {
    const code = (of: string) => expect.objectContaining({ code: of });
    expect(() => planned({ mechanism, workload: [["a", "t"]] })).toThrow(code("workload/not-marginals"));
    expect(() => planned({ mechanism, queries: [{ expression: 'a == "x"' }] })).toThrow(code("workload/not-marginals"));
    if (mechanism === "mwem-pgm") expect(() => planned({ mechanism, rounds: 1e9 })).toThrow(code("options/rounds"));
    const large = { mechanism, workload: [["big", "huge"]] };
    expect(() => planned({ ...large, megabytes: 7 })).toThrow(code("options/megabytes"));
    expect(planned({ ...large, megabytes: 9 }).memory(1)).toBeGreaterThan(2 * 8e6);
    expect(() => planned({ mechanism, search: { steps: -1 } })).toThrow(code("mechanism/settings"));
    expect(() => planned({ mechanism, stages: 1 } as never)).toThrow(code("options/unknown"));
  });
});

describe.each(["mst", "aim", "mwem-pgm"])("%s", (mechanism) => {
  it("is resumed to the bytes of a run that nothing stopped", async () => {
    const kept: string[] = [];
    const stopped = measure(table, planned({ mechanism }), {
      ...{ seed: 1, unsafeNoiseKey: KEY },
      onRound: (unfinished) => {
        if (kept.push(JSON.stringify(unfinished)) === 3) throw new Error("stopped");
      },
    });
    await expect(stopped).rejects.toThrow("stopped");
    const resumed = await resume(table, parseRelease(kept[2]), { unsafeNoiseKey: KEY });
    expect(JSON.stringify(resumed)).toBe(JSON.stringify(await drawn({ mechanism })));
  });

  it("can be cancelled in a fit", async () => {
    const control = new AbortController();
    const onProgress = () => control.abort();
    const release = await drawn({ mechanism });
    await expect(resample(release, { onProgress, signal: control.signal })).rejects.toThrow(/abort/);
  });
});

describe("mst", () => {
  it("gives a third of ρ each to one-ways, choices and pairs, and connects all columns without a cycle", async () => {
    const { items, rho } = planned({ mechanism: "mst" }).toJSON();
    const sum = (of: typeof items) => of.reduce((sum, item) => sum + item.rho, 0);
    expect(sum(items.slice(0, 4)) / rho).toBeCloseTo(1 / 3, 6);
    expect(sum(items.filter(({ kind }) => kind === "selection")) / rho).toBeCloseTo(1 / 3, 6);
    const release = await drawn({ mechanism: "mst" });
    const edges = release.measurements.slice(4).map(({ query }) => query.columns);
    expect(edges).toHaveLength(3);
    expect(new Set(edges.flat()).size).toBe(4);
    expect(edges[0]).toEqual([0, 1]);
  });

  it("measures rare codes of a column as one cell", async () => {
    const release = await drawn({ mechanism: "mst", epsilon: 1, workload: [["a", "big"]] });
    const { query, answers } = release.measurements[2];
    expect(query.groups?.[0]).toBeNull();
    const cells = new Set(query.groups?.[1]).size;
    expect(cells).toBeLessThan(100);
    expect(answers).toHaveLength(3 * cells);
    const made = await resample(release);
    // The rows of the cell are spread over its codes again.
    expect(new Set([...made.table.rows()].map(({ big }) => big)).size).toBeGreaterThan(300);
  });

  it("measures one-ways alone if no set has two columns", async () => {
    const release = await drawn({ mechanism: "mst", workload: [["a"], ["b"]] });
    expect(release.items.every((entry) => "measurement" in entry)).toBe(true);
    await resample(release);
  });
});

describe("pgm", () => {
  it("fits noisy answers as closely as noise lets it tell them from a smoother model", async () => {
    const workload = ["abc", "abd", "acd", "bcd"].map((names) => [...names]);
    const stepsOf = async (more: PlanOptions) =>
      (await resample(await drawn({ mechanism: "pgm", epsilon: 1, workload, ...more }))).outcome.steps;
    expect(await stepsOf({})).toBeLessThan(0.5 * (await stepsOf({ search: { noise: 0 } })));
  });

  it("fits a large model in stages, the first of them a small part of it", async () => {
    const workload = [
      ["a", "b"],
      ["big", "huge"],
    ];
    const release = await drawn({ mechanism: "pgm", workload, search: { noise: 0 } });
    const steps: number[] = [];
    const made = await resample(release, {
      onProgress: (progress) => {
        if (progress.phase === "search" && progress.stop === undefined) steps.push(progress.step);
      },
    });
    expect(steps.filter((step, at) => step < steps[at - 1])).toHaveLength(1);
    const rows = [...made.table.rows()];
    expect(rows.filter(({ a, b }) => a === b).length / rows.length).toBeGreaterThan(0.97);
    // These are 900 cells of a million, far from where the fit starts.
    expect(rows.filter(({ big, huge }) => big === huge).length / rows.length).toBeGreaterThan(0.6);
  });
});

describe("aim and mwem-pgm", () => {
  it("choose what the model is most wrong about", async () => {
    for (const mechanism of ["aim", "mwem-pgm"]) {
      const first = chosenOf(await drawn({ mechanism }))[0];
      expect(pairs("abcd")[first]).toEqual(["a", "b"]);
    }
  });

  it("find a column that follows from two others", async () => {
    const made = await resample(await drawn({ mechanism: "aim", epsilon: 100, workload: [["a", "c", "d"]] }));
    const rows = [...made.table.rows()];
    const code = (value: unknown) => "xyz".indexOf(String(value));
    const right = rows.filter(({ a, c, d }) => code(d) === (code(a) + code(c)) % 3);
    expect(right.length / rows.length).toBeGreaterThan(0.95);
  });

  it("stay within the room for the model's tables", async () => {
    // A tree of three pairs and the cycle's chords would have 27 cells a clique; the room is for pairs alone.
    const room = { search: { megabytes: 1 } };
    const release = await drawn({ mechanism: "mwem-pgm", rounds: 6, ...room });
    expect(chosenOf(release)).toHaveLength(6);
  });

  it("refuse workloads of single columns", () => {
    for (const mechanism of ["aim", "mwem-pgm"])
      expect(() => planned({ mechanism, workload: [["a"], ["b"]] })).toThrow(
        expect.objectContaining({ code: "options/selection" }),
      );
  });
});
