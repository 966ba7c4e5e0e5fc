import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { measure, type PlanOptions, parseRelease, plan, type Release, resample, resume } from "../../src/index.js";
import { unitsOf } from "../../src/privacy/accounting.js";
import { chargeOf } from "../../src/privacy/items.js";
import { adaptivePlan, key, people, schema } from "./people.js";

const text = async (release: Release) => {
  const made = await resample(release, { rows: 300 });
  return JSON.stringify([release, [...made.table.rows()]]);
};

describe("a plan of rounds", () => {
  it("lists every round before any data is seen, its queries open", () => {
    const { items } = adaptivePlan({ rounds: 2, perRound: 2 }).toJSON();
    const kinds = ["selection", "measurement", "measurement"];
    expect(items.map(({ kind }) => kind)).toEqual([...Array(4).fill("measurement"), ...kinds, ...kinds]);
    expect(items[4]).toMatchObject({ score: "max", candidates: 6, picks: 2, sensitivity: 1 });
    // The largest candidate is a tree on pay: five partitions.
    expect(items[5]).toMatchObject({ query: null, columns: null, partitions: 5, sensitivity: Math.sqrt(5) });
  });

  it("is released with its choices, each a candidate once, and what was chosen is what was measured", async () => {
    const release = await measure(people, adaptivePlan({ rounds: 2, perRound: 2 }), { unsafeNoiseKey: key(1) });
    const choices = release.items.flatMap((entry) => ("chosen" in entry ? [...entry.chosen] : []));
    expect(new Set(choices).size).toBe(4);
    const pairs = ["sex,work", "sex,home", "sex,pay", "work,home", "work,pay", "home,pay"];
    const measured = release.ledger.flatMap((item) => (item.kind === "measurement" ? [item.columns!.join()] : []));
    expect(measured.slice(4)).toEqual(choices.map((choice) => pairs[choice]));
  });

  it("pays for no choice where it would choose everything", async () => {
    const all = adaptivePlan({ rounds: 3, perRound: 2 });
    const { items } = all.toJSON();
    expect(items.map(({ kind }) => kind)).toEqual(Array(4 + 6).fill("measurement"));
    const { charge, budget } = all.ledger;
    expect(Number(charge)).toBeGreaterThan(0.9999 * Number(budget));
    const onRound = () => expect.unreachable("there is no round to keep");
    const release = await measure(people, all, { unsafeNoiseKey: key(1), onRound });
    const measured = release.ledger.map((item) => (item.kind === "measurement" ? item.columns!.join() : ""));
    expect(measured.slice(4)).toEqual(["sex,work", "sex,home", "sex,pay", "work,home", "work,pay", "home,pay"]);
  });

  it("chooses what the rows are most wrong about", async () => {
    // Home and sex are independent of pay; sex follows from work.
    const { items } = await measure(people, adaptivePlan({ epsilon: 100, rounds: 1 }), { unsafeNoiseKey: key(1) });
    expect(items[4]).toMatchObject({ chosen: [0] });
  });

  it.each([
    [{ rounds: 7 }, /7 rounds of 1 would choose 7 of 6/],
    [{ rounds: 2, perRound: 4 }, /2 rounds of 4 would choose 8 of 6/],
    [{ rounds: 0 }, /rounds is 0/],
    [{ rounds: undefined, perRound: 1.5 }, /perRound is 1.5/],
    [{ selection: "none" }, /Without a selection/],
    [{ selection: "aim" }, /AIM's rounds follow/],
    [{ selection: "best" }, /selection is "best"/],
    [{ workload: "1-way" }, /nothing to choose/],
    [{ epsilon: 1e-6 }, /8 million rows|chance/],
  ])("refuses %j", (options, message) => {
    expect(() => adaptivePlan(options as PlanOptions)).toThrow(message);
  });

  it("is the default if a column set has three columns and the budget is not enough for all", () => {
    const kinds = (options: PlanOptions) => plan(schema, options).ledger.items.map(({ kind }) => kind);
    expect(kinds({ epsilon: 0.1, workload: "3-way" })).toContain("selection");
    expect(kinds({ epsilon: 9, workload: "3-way" })).not.toContain("selection");
    expect(kinds({ epsilon: 0.1, workload: "2-way" })).not.toContain("selection");
    expect(kinds({ epsilon: 0.1, workload: "3-way", selection: "none" })).not.toContain("selection");
  });
});

describe("an interrupted run", () => {
  const planned = adaptivePlan();

  /** What was kept when the run was given up: after `rounds` rounds, before another is drawn. */
  async function keptAfter(rounds: number): Promise<string> {
    let kept = "";
    let done = -1;
    const run = measure(people, planned, {
      seed: 5,
      unsafeNoiseKey: key(1),
      onRound: (unfinished) => {
        kept = JSON.stringify(unfinished);
        if (++done === rounds) throw new Error("given up");
      },
    });
    await expect(run).rejects.toThrow("given up");
    return kept;
  }

  it.each([0, 1, 2])(
    "continues after round %i to the bytes of an uninterrupted one, under the same key",
    async (rounds) => {
      const whole = await measure(people, planned, { seed: 5, unsafeNoiseKey: key(1) });
      const unfinished = parseRelease(await keptAfter(rounds));
      expect(unfinished.items).toHaveLength(4 + 2 * rounds);
      expect(await text(await resume(people, unfinished, { unsafeNoiseKey: key(1) }))).toBe(await text(whole));
    },
  );

  it("draws the rest under a fresh key, and keeps what was drawn", async () => {
    const unfinished = parseRelease(await keptAfter(1));
    const [one, other] = [await resume(people, unfinished), await resume(people, unfinished)];
    const json = (release: Release) => JSON.parse(JSON.stringify(release));
    for (const { items } of [json(one), json(other)])
      expect(items.slice(0, 6)).toMatchObject(JSON.parse(await keptAfter(1)).items);
    expect(json(one).items.slice(6)).not.toEqual(json(other).items.slice(6));
    expect(json(one).unfinished).toBeUndefined();
    // Part of its noise is known.
    expect(one.facts.guarantee).toBeNull();
  });

  it("is refused if there is nothing to resume, or something other than its plan", async () => {
    const unfinished = JSON.parse(await keptAfter(1));
    await expect(resample(parseRelease(JSON.stringify(unfinished)))).rejects.toThrow(/unfinished/);
    const whole = await measure(people, planned, { unsafeNoiseKey: key(1) });
    await expect(resume(people, whole)).rejects.toThrow(/already fully measured/);
    const request = { ...unfinished.unfinished.request, workload: [["sex", "home"]], rounds: 1, perRound: 1 };
    const changed = parseRelease(JSON.stringify({ ...unfinished, unfinished: { request } }));
    await expect(resume(people, changed)).rejects.toThrow(/Item 1 of this release is not what its plan would draw/);
    expect(() => parseRelease(JSON.stringify({ ...unfinished, standin: "0.0.1" }))).toThrow(
      /started by standin 0\.0\.1/,
    );
  });
});

it("charges what it planned, within the budget, whatever the rounds", async () => {
  const plans = fc.record({
    epsilon: fc.double({ min: 0.5, max: 50, noNaN: true }),
    selection: fc.constantFrom("max", "l1", "aim"),
    shape: fc.constantFrom([1, 1], [2, 1], [3, 2], [1, 4], [6, 1]),
    workload: fc.constantFrom("2-way", "3-way", [["sex", "pay"], ["work"], ["work", "home"]]),
    neighbours: fc.constantFrom("add-remove", "replace"),
  });
  await fc.assert(
    fc.asyncProperty(plans, async ({ epsilon, selection, shape: [rounds, perRound], workload, neighbours }) => {
      const size = { "2-way": 6, "3-way": 4 }[workload as string] ?? 2;
      fc.pre(selection === "aim" || rounds * perRound <= size);
      const planned = plan(schema, {
        ...({ epsilon, selection, workload, neighbours } as PlanOptions),
        ...(neighbours === "replace" ? { publicRows: 400 } : {}),
        ...(selection === "aim" ? {} : { rounds, perRound }),
      });
      const release = await measure(people, planned, { unsafeNoiseKey: key(1) });
      const { budget, charge, items, cap } = planned.ledger;
      // Doubles represent these charges exactly: they are below 2^53 units each, or multiples of more.
      const spent = release.ledger.reduce((sum, { rho }) => sum + BigInt(rho * 2 ** 52), 0n);
      expect(spent <= charge && charge <= budget && budget === unitsOf(planned.ledger.rho)).toBe(true);
      expect(Number(spent)).toBeGreaterThan(Number(budget) * (1 - 1e-6));
      if (cap === undefined) expect(charge).toBe(items.reduce((sum, item) => sum + chargeOf(item), 0n));
    }),
    { numRuns: 25, seed: 1 },
  );
});
