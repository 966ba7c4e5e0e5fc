// FEM and DualQuery from a plan to rows: what they price, choose, resume and refuse.
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { finished } from "../../src/core/progress.js";
import { mechanismNamed } from "../../src/mechanisms/registry.js";
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
import { queryOf } from "../../src/queries/query.js";
import { RowAnswers } from "../../src/queries/row-answers.js";
import { modelCodes } from "../../src/schema/encode.js";

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
const CANDIDATES = 2 * 27;

const planned = (options: PlanOptions) => plan(schema, { epsilon: 20, workload: PAIRS, ...options });
const drawn = (options: PlanOptions) => measure(table, planned(options), { seed: 1, unsafeNoiseKey: KEY });
const choicesIn = (release: Release) => release.items.flatMap((entry) => ("chosen" in entry ? [entry] : []));

describe.each([
  ["fem", 1],
  ["fem", 3],
  ["dual-query", 5],
])("%s, %d in each of 30 rounds", (mechanism, perRound) => {
  const options = { mechanism, rounds: 30, perRound };

  it("chooses as often as planned, within the budget, and makes rows with what it found", async () => {
    const release = await drawn(options);
    const choices = choicesIn(release);
    expect(choices.map(({ item, chosen }) => [item.score, item.candidates, chosen.length, item.sensitivity])).toEqual(
      Array(30).fill(["signed", CANDIDATES, perRound, 1]),
    );
    expect(release.ledger).toEqual(
      planned(options)
        .toJSON()
        .items.map(({ noise: _, ...item }: Record<string, unknown>) => item),
    );
    const { rho } = release.facts;
    const spent = release.ledger.reduce((sum, item) => sum + item.rho, 0);
    expect(spent).toBeLessThanOrEqual(rho);
    expect(spent).toBeGreaterThan(rho * (1 - 1e-6));
    const made = await resample(parseRelease(JSON.stringify(release)), { rows: 700 });
    expect(made.table.length).toBe(700);
    const same = [...made.table.rows()].filter(({ a, b }) => a === b).length;
    expect(same / 700).toBeGreaterThan(0.6);
    expect(made.outcome).toMatchObject({ steps: 30, noiseRatio: Number.NaN });
    expect([...(await resample(release, { rows: 700 })).table.rows()]).toEqual([...made.table.rows()]);
    expect([...(await resample(release, { rows: 700, seed: 2 })).table.rows()]).not.toEqual([...made.table.rows()]);
  });

  it("chooses first the cells, or complements, that its random records are furthest below", async () => {
    const asked = planned({ ...options, rounds: 1, epsilon: 1000, neighbours: "replace", publicRows: 900 });
    const [{ chosen }] = choicesIn(await measure(table, asked, { seed: 1, unsafeNoiseKey: KEY }));
    const model = mechanismNamed(mechanism).model(asked.problem);
    const observed = { measurements: [], total: 900, adaptive: true, choices: { rounds: [], of: 1, perRound } };
    await finished(model.fit(observed, { rows: 1, seed: 1 }), {});
    const queries = PAIRS.map((names) =>
      queryOf(
        names.map((name) => "abc".indexOf(name)),
        schema.attributes,
      ),
    );
    const counts = RowAnswers.ofCodes(schema.attributes, modelCodes(table, schema));
    const answers = await model.answers(queries);
    const errors = queries.map((query, at) => Array.from(counts.of(query), (count, cell) => count - answers[at][cell]));
    const scores = errors.flatMap((of) => [...of, ...of.map((error) => -error)]);
    const best = Math.max(...scores);
    expect(best).toBeGreaterThan(200);
    // Choices without replacement take the next ones.
    const least = mechanism === "fem" ? [...scores].sort((x, y) => y - x)[perRound - 1] : best;
    for (const number of chosen) expect(scores[number]).toBeGreaterThan(least - 15);
  });

  it("is resumed to the bytes of a run that nothing stopped", async () => {
    const kept: string[] = [];
    const stopped = measure(table, planned(options), {
      ...{ seed: 1, unsafeNoiseKey: KEY },
      onRound: (unfinished) => {
        if (kept.push(JSON.stringify(unfinished)) === 7) throw new Error("stopped");
      },
    });
    await expect(stopped).rejects.toThrow("stopped");
    const resumed = await resume(table, parseRelease(kept[6]), { unsafeNoiseKey: KEY });
    expect(JSON.stringify(resumed)).toBe(JSON.stringify(await drawn(options)));
  });

  it("tells of its rounds, and can be cancelled between them", async () => {
    const control = new AbortController();
    const told: unknown[] = [];
    const onProgress = (progress: { phase: string; done?: number }) => {
      if (progress.phase !== "round") return;
      told.push(progress);
      if (progress.done === 2) control.abort();
    };
    const run = measure(table, planned(options), { seed: 1, unsafeNoiseKey: KEY, onProgress, signal: control.signal });
    await expect(run).rejects.toThrow(/abort/);
    expect(told).toEqual([0, 1, 2].map((done) => ({ phase: "round", done, of: 30 })));
  });

  it("needs no noisy number of rows where that is declared", async () => {
    const { items } = planned({ ...options, neighbours: "replace", publicRows: 900 }).toJSON();
    expect(items.map(({ kind }) => kind)).toEqual(Array(30).fill("selection"));
    const [total, ...rest] = planned(options).toJSON().items;
    expect(total).toMatchObject({ kind: "measurement", query: "total" });
    expect(total.rho / planned(options).toJSON().rho).toBeCloseTo(0.02, 5);
    expect(rest.map(({ kind }) => kind)).toEqual(Array(30).fill("selection"));
  });

  it("multiplies errors by the weights of the workload", async () => {
    const workload = PAIRS.map((columns, at) => ({ columns, weight: at ? 1e-4 : 1 }));
    const chosen = choicesIn(await drawn({ ...options, workload: workload as never })).flatMap((entry) => entry.chosen);
    expect(chosen.filter((number) => number < 18).length / chosen.length).toBeGreaterThan(0.8);
  });
});

describe("prices", () => {
  const rhos = (options: PlanOptions) =>
    planned({ neighbours: "replace", publicRows: 900, ...options })
      .toJSON()
      .items.map(({ rho }) => rho);

  it("are equal in all rounds of FEM, and grow with the square of the records in DualQuery", () => {
    const fem = rhos({ mechanism: "fem", rounds: 4 });
    for (const rho of fem) expect(rho / fem[0]).toBeCloseTo(1, 9);
    const dual = rhos({ mechanism: "dual-query", rounds: 4 });
    for (const [at, ratio] of [1, 4, 9, 16].entries()) expect(dual[at] / dual[0]).toBeCloseTo(ratio, 6);
  });

  it("allow more rounds and choices where there is more budget, or there are more rows", () => {
    const counts = (mechanism: string, epsilon: number, publicRows: number) => {
      const { items } = planned({ mechanism, epsilon, neighbours: "replace", publicRows }).toJSON();
      return [items.length, "picks" in items[0] && items[0].picks];
    };
    expect(counts("fem", 1, 50_000)).toEqual([100, 20]);
    expect(counts("fem", 0.1, 50_000)).toEqual([100, 1]);
    expect(counts("fem", 0.1, 5000)).toEqual([11, 1]);
    expect(counts("fem", 1, 1e6)).toEqual([100, 20]);
    const [few] = counts("dual-query", 0.1, 50_000);
    const [many, picks] = counts("dual-query", 1, 50_000);
    expect([few, many, picks]).toEqual([33, 99, 25]);
  });
});

describe("permute-and-flip", () => {
  const options = { mechanism: "fem", rounds: 3, law: "permute-and-flip" } as const;

  it("is an option, stated by the release, at the same price", async () => {
    const release = await drawn(options);
    expect(choicesIn(release).map(({ item }) => item.law)).toEqual(Array(3).fill("permute-and-flip"));
    const usual = await drawn({ ...options, law: "exponential" });
    expect(release.ledger.map(({ rho }) => rho)).toEqual(usual.ledger.map(({ rho }) => rho));
    expect(choicesIn(usual)[0].item).not.toHaveProperty("law");
    expect(parseRelease(JSON.stringify(release)).ledger).toEqual(release.ledger);
  });
});

it.each([
  ["fem", 3],
  ["private-gsd", 1],
  ["mwem", 3],
  ["rap", 3],
])("%s gives back what its model takes, when rows are made and when that is cancelled", async (mechanism, rounds) => {
  const release = await drawn({ mechanism, rounds });
  const { model } = mechanismNamed(mechanism);
  const events: string[] = [];
  const opened = vi.spyOn(mechanismNamed(mechanism), "model").mockImplementation((modelled) => {
    const made = model.call(mechanismNamed(mechanism), modelled);
    for (const name of ["fit", "tables", "close"] as const) {
      const original = made[name].bind(made) as (...given: unknown[]) => never;
      made[name] = (...given: unknown[]) => {
        events.push(name);
        return original(...given);
      };
    }
    return made;
  });
  onTestFinished(() => opened.mockRestore());
  await resample(release, { rows: 10 });
  expect(events.slice(-2)).toEqual(["tables", "close"]);
  await expect(resample(release, { rows: 10, signal: AbortSignal.abort() })).rejects.toThrow();
  expect(events.slice(-2)).toEqual(["fit", "close"]);
});

describe("refusals", () => {
  it.each([
    ["workload/not-marginals", { workload: [["a", "t"]] }],
    ["workload/not-marginals", { queries: [{ expression: 'a == "x"' }] }],
    ["options/perRound", { perRound: CANDIDATES + 1 }],
    ["options/rounds", { rounds: 10_001 }],
    ["options/rounds", { rounds: Number.MAX_SAFE_INTEGER }],
    ["options/perRound", { rounds: 10_000, perRound: 11 }],
    ["options/perRound", { mechanism: "dual-query", rounds: 1, perRound: 100_001 }],
    ["options/perRound", { mechanism: "dual-query", perRound: Number.MAX_SAFE_INTEGER }],
    ["options/law", { law: "gumbel" }],
    ["mechanism/settings", { search: { samples: 0 } }],
    ["mechanism/settings", { search: { rate: 1 } }],
    ["budget/too-small", { rho: 1e-14, epsilon: undefined, rounds: 1000 }],
    ["options/unknown", { stages: 1 }],
  ] as const)("%s (%#)", (code, options) => {
    expect(() => planned({ mechanism: "fem", ...options } as PlanOptions)).toThrow(expect.objectContaining({ code }));
  });

  it("DualQuery draws more queries than there are", () => {
    expect(planned({ mechanism: "dual-query", perRound: CANDIDATES + 1, rounds: 2 }).toJSON().items).toHaveLength(3);
  });

  it("a release that does not say what it chose from", async () => {
    const json = JSON.parse(JSON.stringify(await drawn({ mechanism: "fem", rounds: 2 })));
    expect(json.chosenFrom).toEqual(PAIRS);
    const edited = (change: object) => () => parseRelease(JSON.stringify({ ...json, ...change }));
    for (const chosenFrom of [
      undefined,
      PAIRS.slice(1),
      [
        ["a", "b"],
        ["a", "c"],
        ["c", "b"],
      ],
      [["a", "t"]],
      "a",
      [[]],
    ])
      expect(edited({ chosenFrom })).toThrow(/which cells were chosen from/);
    const items = json.items.map((item: object) => ("chosen" in item ? { ...item, law: "gumbel" } : item));
    expect(edited({ items })).toThrow(/unknown law/);
    const twice = json.items.map((item: object) => ("chosen" in item ? { ...item, picks: 2, chosen: [3, 3] } : item));
    expect(edited({ items: twice })).toThrow(/twice/);
  });
});
