// Sets of random queries in rounds: their members are candidates, next to other queries and by their weights.
import { expect, it } from "vitest";
import { finished } from "../../src/core/progress.js";
import { estimateTotal } from "../../src/estimate/total.js";
import { expectReadable } from "../../src/frame/facts.js";
import {
  measure,
  type Plan,
  parseCsv,
  parseRelease,
  parseSchema,
  plan,
  type Release,
  resample,
  resume,
} from "../../src/index.js";
import { privateGsd } from "../../src/mechanisms/private-gsd.js";
import { RowAnswers } from "../../src/queries/row-answers.js";
import { modelCodes } from "../../src/schema/encode.js";
import { exponentialLaw } from "../reference/exponential.js";
import { ALPHA, goodnessOfFit } from "../reference/statistics.js";
import { adaptivePlan, key, people, schema } from "./people.js";

const COLUMNS = ["sex", "work", "home", "pay"];
const set = (more: object = {}) => ({
  ...({ query: "random-prefixes", columns: COLUMNS, count: 40, seed: 3, thresholds: 1 } as const),
  ...more,
});
const PAIRS = [
  ["sex", "work"],
  ["work", "home"],
];
const choicesOf = ({ items }: Release) => items.flatMap((entry) => ("chosen" in entry ? [...entry.chosen] : []));

it("members are chosen once each, and measured as items of their own", async () => {
  const workload = [PAIRS[0], set(), PAIRS[1], set({ seed: 4, numbers: [5, 7, 11] })];
  const planned = adaptivePlan({ workload, rounds: 5, perRound: 8 });
  expect(planned.toJSON().items[4]).toMatchObject({ kind: "selection", candidates: 45, picks: 8 });
  const release = await measure(people, planned, { unsafeNoiseKey: key(1) });
  const choices = choicesOf(release);
  expect(new Set(choices).size).toBe(40);
  expect(choices.every((number) => number < 45)).toBe(true);
  const expected = choices.map((number) => {
    if (number === 0 || number === 41) return { query: "marginal", columns: PAIRS[number && 1] };
    const [seed, numbers] = number < 41 ? [3, [number - 1]] : [4, [[5, 7, 11][number - 42]]];
    return { query: "random-prefixes", columns: COLUMNS, seed, numbers, cells: 1, partitions: 0, free: 1 };
  });
  expect(release.ledger.filter(({ kind }) => kind === "measurement").slice(4)).toMatchObject(expected);
  const read = parseRelease(JSON.stringify(release));
  expect(JSON.stringify(read)).toBe(JSON.stringify(release));
  expect((await resample(read, { rows: 50 })).table.length).toBe(50);
});

it("divided members are as many partitions each, and are chosen by all their cells", async () => {
  const workload = [set({ each: true, columns: ["sex", "pay"] }), PAIRS[0]];
  const release = await measure(people, adaptivePlan({ workload, rounds: 1, perRound: 30 }), {
    unsafeNoiseKey: key(1),
  });
  const members = release.ledger.filter((item) => "columns" in item && item.query === "random-prefixes");
  expect(members.length).toBeGreaterThan(28);
  for (const member of members) expect(member).toMatchObject({ cells: 2, partitions: 1, free: 0, sensitivity: 1 });
});

it("the plan and the release say what each class takes", async () => {
  const workload = [...PAIRS, set({ weight: 2 }), { expression: "pay < 100" }];
  const planned = adaptivePlan({ workload, rounds: 3, perRound: 2 });
  const open = planned.toJSON().items[5].rho;
  const [first] = planned.toJSON().items;
  expect(planned.toJSON().classes).toEqual([
    { query: "marginal", items: 3 + 2, candidates: 2, rho: expect.closeTo(3 * first.rho + 2 * open, 12) },
    { query: "tree", items: 1, candidates: 0, rho: planned.toJSON().items[3].rho },
    { query: "random-prefixes", items: 6, candidates: 40, rho: expect.closeTo(6 * open, 12) },
    { query: "expression", items: 1, candidates: 1, rho: open },
  ]);
  const release = await measure(people, planned, { unsafeNoiseKey: key(1) });
  const { classes } = JSON.parse(JSON.stringify(release));
  expect(classes).toEqual(release.classes);
  for (const { query, items, candidates, rho } of release.classes) {
    const own = release.ledger.filter((item) => "columns" in item && item.query === query);
    expect(items).toBe(own.length);
    expect(rho).toBeCloseTo(
      own.reduce((sum, item) => sum + item.rho, 0),
      12,
    );
    expect(candidates).toBe({ marginal: 2, tree: 0, "random-prefixes": 40, expression: 1 }[query]);
  }
});

it("a release whose classes are not those of its candidates is refused", async () => {
  const workload = [PAIRS[0], set(), { expression: "pay < 100" }, { expression: "pay < 200" }];
  const text = JSON.stringify(await measure(people, adaptivePlan({ workload, rounds: 1 }), { unsafeNoiseKey: key(1) }));
  expect(JSON.stringify(parseRelease(text))).toBe(text);
  const { classes } = JSON.parse(text);
  expect(classes.some((of: { items: number }) => !of.items)).toBe(true);
  for (const place of classes.keys())
    for (const change of [{ query: "x" }, { query: "__proto__" }, { candidates: 7 }, { items: 9 }, { rho: 0.5 }]) {
      const changed = JSON.parse(text);
      Object.assign(changed.classes[place], change);
      expect(() => parseRelease(JSON.stringify(changed))).toThrow(/class/);
    }
});

it("a plan is refused if a query that it may measure changes once a release states it", () => {
  const planned = adaptivePlan({ workload: [...PAIRS, set({ numbers: [1, 2] })], rounds: 1 });
  const withNumbers = (numbers: readonly number[]) => {
    const candidates = planned.ledger.candidates.map((group) =>
      group.query.numbers ? { ...group, query: { ...group.query, numbers } } : group,
    );
    return { ...planned, ledger: { ...planned.ledger, candidates } } as unknown as Plan;
  };
  expect(() => expectReadable(withNumbers([1, 2]))).not.toThrow();
  expect(() => expectReadable(withNumbers([2, 1]))).toThrow(/has a query "random-prefixes" that changes/);
});

it("an interrupted run continues to the bytes of an uninterrupted one", async () => {
  const planned = adaptivePlan({ workload: [...PAIRS, set({ weight: 0.3 })], rounds: 3, perRound: 4 });
  const kept: string[] = [];
  const unsafeNoiseKey = key(1);
  const onRound = (unfinished: Release) => void kept.push(JSON.stringify(unfinished));
  const whole = JSON.stringify(await measure(people, planned, { seed: 5, unsafeNoiseKey, onRound }));
  expect(kept).toHaveLength(3);
  for (const text of kept)
    expect(JSON.stringify(await resume(people, parseRelease(text), { unsafeNoiseKey }))).toBe(whole);
  const changed = JSON.parse(kept[1]);
  const place = changed.items.findIndex((item: { numbers?: unknown }) => item.numbers);
  changed.items[place].numbers[0] = (changed.items[place].numbers[0] + 1) % 40;
  await expect(resume(people, parseRelease(JSON.stringify(changed)), { unsafeNoiseKey })).rejects.toThrow(
    `Item ${place + 1} of this release is not what its plan would draw`,
  );
});

it("by default, rounds choose thirty members of a set per column at ε = 1", () => {
  const items = (options: object) =>
    plan(schema, { epsilon: 1, ...options } as object)
      .toJSON()
      .items.filter(({ kind }) => kind === "measurement");
  // Four one-ways, and 30 · 4 choices.
  expect(items({ workload: [set({ count: 5000 })] })).toHaveLength(4 + 120);
  expect(items({ workload: [set({ count: 5000 })], selection: "none" })).toHaveLength(2);
  expect(() => plan(schema, { epsilon: 1, workload: [set()], rounds: 41 })).toThrow(/would choose 41 of 40 candidates/);
  expect(() => plan(schema, { epsilon: 1, workload: [set()], selection: "aim" })).toThrow(/AIM chooses among column/);
});

it("shares of a workload that is measured at once are in proportion to the weights", () => {
  const workload = [{ columns: ["sex", "work"], weight: 2 }, ["home"], { ...set(), weight: 0.5 }] as const;
  const { items, stages } = plan(schema, { epsilon: 1, workload, selection: "none" }).toJSON();
  expect(stages).toBe(1);
  const [pair, home, prefixes] = items.map(({ rho }) => rho);
  expect(pair / home).toBeCloseTo(2, 5);
  expect(prefixes / home).toBeCloseTo(0.5, 5);
  const even = plan(schema, { epsilon: 1, workload: [["sex"], { columns: ["work"], weight: 1 }], stages: 1 });
  expect(even.toJSON().items[0].rho).toBe(even.toJSON().items[1].rho);
  const asked = { epsilon: 1, workload: "2-way", queries: [{ columns: ["sex", "pay"], weight: 3 }] } as const;
  expect(plan(schema, asked).toJSON().stages).toBe(1);
  expect(() => plan(schema, { ...asked, stages: 2 })).toThrow(/Two stages divide a budget so that/);
});

it("AIM counts what a candidate shares with the sets by their weights", async () => {
  const first = async (weight: number) => {
    const workload = [PAIRS[0], { columns: PAIRS[1], weight }];
    const planned = adaptivePlan({ workload, selection: "aim", rounds: undefined, epsilon: 50 });
    return choicesOf(await measure(people, planned, { unsafeNoiseKey: key(1) }))[0];
  };
  expect([await first(1), await first(1000)]).toEqual([0, 1]);
});

/** The weights of a pair, a set and another pair, and what they are in units of 2^−16 of the largest. */
const WEIGHTS = [5.5, 10, 3];
const WHOLE = [36_045, 65_536, 19_661];
const RUNS = 800;

it("the first choice has the exponential mechanism's law, in which errors count by their weights", {
  timeout: 300_000,
}, async () => {
  const asked = [{ columns: PAIRS[0] }, set({ count: 8 }), { columns: PAIRS[1] }];
  const workload = asked.map((entry, at) => ({ ...entry, weight: WEIGHTS[at] }));
  const planned = adaptivePlan({ epsilon: 0.5, workload, rounds: 1 });
  let begun: Release | undefined;
  const onRound = (unfinished: Release) => {
    begun = unfinished;
  };
  const { item } = (await measure(people, planned, { seed: 5, unsafeNoiseKey: key(1), onRound })).items[4];
  if (item.kind !== "selection") throw new Error("no selection");
  const counts = new Array<number>(10).fill(0);
  for (let run = 0; run < RUNS; run++) {
    const entry = (await resume(people, begun!, { unsafeNoiseKey: key(run + 2) })).items[4];
    if ("chosen" in entry) counts[entry.chosen[0]]++;
  }
  const { attributes } = schema;
  const { measurements } = begun!;
  const model = privateGsd.model(planned.problem);
  const total = estimateTotal(measurements, attributes);
  await finished(model.fit({ measurements, total, adaptive: true }, { rows: 2000, seed: 6 }), {});
  const real = RowAnswers.ofCodes(planned.schema.attributes, modelCodes(people, planned.schema));
  const targets = await model.answers(planned.problem.workload);
  const errors = planned.problem.workload.map((query, at) =>
    Array.from(real.of(query), (count, cell) => Math.abs(count - targets[at][cell])),
  );
  const worst = [[Math.max(...errors[0])], errors[1], [Math.max(...errors[2])]];
  const scores = worst.flatMap((group, at) => group.map((error) => (error * WHOLE[at]) / 65_536));
  const law = exponentialLaw(scores, Math.sqrt(8 * item.rho), 1);
  expect(Math.max(...law)).toBeLessThan(0.95);
  expect(goodnessOfFit(counts, law)).toBeGreaterThan(ALPHA);
  // Choices without the weights, or with twice the exponent, are detected.
  const plain = exponentialLaw(worst.flat(), Math.sqrt(8 * item.rho), 1);
  expect(goodnessOfFit(counts, plain)).toBeLessThan(ALPHA);
  expect(goodnessOfFit(counts, exponentialLaw(scores, 2 * Math.sqrt(8 * item.rho), 1))).toBeLessThan(ALPHA);
});

it("200,000 candidates take little memory in plan and release, and little time in a round", async () => {
  const fields = COLUMNS.map((name) => ({
    ...{ name, type: "integer", constraints: { minimum: 0, maximum: 999, required: true } },
  }));
  const wide = parseSchema({ fields });
  const lines = Array.from({ length: 2000 }, (_, row) => COLUMNS.map((_, at) => (row * (at + 7) * 37) % 1000).join());
  const table = parseCsv(`${COLUMNS.join()}\n${lines.join("\n")}\n`, wide);
  const workload = [PAIRS[0], set({ count: 200_000, thresholds: 2 })];
  const planned = plan(wide, { epsilon: 1, workload, selection: "max", rounds: 4, perRound: 5 });
  expect(JSON.stringify(planned).length).toBeLessThan(10_000);
  // Counts, targets, scores, the order of the candidates, and the prefixes as the engine reads them.
  expect(planned.vaultMemory(2000)).toBeLessThan(200_000 * 100);
  expect(planned.ledger.candidates).toHaveLength(2);
  const times: number[] = [];
  let last = performance.now();
  const onRound = () => {
    times.push(performance.now() - last);
    last = performance.now();
  };
  const release = await measure(table, planned, { onRound, unsafeNoiseKey: key(1) });
  expect(choicesOf(release)).toHaveLength(20);
  expect(JSON.stringify(release).length).toBeLessThan(30_000);
  expect(Math.min(...times.slice(2))).toBeLessThan(3000);
});
