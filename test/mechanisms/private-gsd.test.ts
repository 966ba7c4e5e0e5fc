import { describe, expect, it } from "vitest";
import { measure, type PlanOptions, parseRelease, plan, type Release, resample, resume } from "../../src/index.js";
import { nonPrivateQueryErrors } from "../../src/owner.js";
import { adaptivePlan, key, people, schema } from "../frame/people.js";

const planned = (options: PlanOptions) => plan(schema, { epsilon: 1, ...options });
const measured = (options: PlanOptions) => measure(people, planned(options), { seed: 1, unsafeNoiseKey: key(1) });
const rowsOf = async (release: Release) => [...(await resample(release)).table.rows()];
const reread = (release: Release, changes: object = {}) =>
  parseRelease(JSON.stringify({ ...release.toJSON(), ...changes }));

describe("what rows match, and the number of stages in which it is measured", () => {
  it.each([
    [{}, "shrunk", 2],
    [{ stages: 2 }, "shrunk", 2],
    [{ stages: 1 }, "shrunk", 1],
    [{ estimate: "raw" }, "raw", 1],
    [{ search: { method: "paper" } }, "raw", 1],
    [{ search: { method: "paper" }, estimate: "shrunk" }, "shrunk", 2],
    [{ workload: "1-way" }, "shrunk", 1],
    [{ workload: "3-way", epsilon: 0.1, stages: 1 }, "shrunk", 1],
    [{ workload: "3-way", epsilon: 0.1, stages: 2 }, "shrunk", 2],
    [{ workload: "3-way", epsilon: 0.1 }, "shrunk", undefined],
    [{ selection: "max", rounds: 2, estimate: "raw" }, "raw", undefined],
  ] as [PlanOptions, string, number | undefined][])("%j: %s, %s", (options, estimate, stages) => {
    const made = planned(options);
    const { ledger } = made;
    expect(made.toJSON()).toMatchObject({ estimate });
    expect(made.toJSON().stages).toBe(stages);
    expect(ledger.shown.length > 0).toBe(stages === 2);
    expect(ledger.items.some(({ kind }) => kind === "selection")).toBe(stages === undefined);
  });

  it("a budget whose ε is 0 chooses once", () => {
    const { ledger } = planned({ epsilon: undefined, rho: 0.01, delta: 0.5, selection: "max" });
    expect(ledger.epsilon).toBe(0);
    expect(ledger.items.filter(({ kind }) => kind === "selection")).toHaveLength(1);
  });

  it("one stage measures the whole workload with equal shares, and nothing else", () => {
    const { items } = planned({ stages: 1, workload: [["sex", "work"], ["home"], ["sex", "home"]] }).toJSON();
    expect(items.map((item) => "columns" in item && item.columns)).toEqual([
      ["sex", "work"],
      ["home"],
      ["sex", "home"],
    ]);
    expect(new Set(items.map(({ rho }) => rho)).size).toBe(1);
    expect(planned({ stages: 1 }).ledger.items).toEqual(planned({ estimate: "raw" }).ledger.items);
  });

  it.each([
    [{ estimate: "shrink" }, /estimate is "shrink"/],
    [{ stages: 0 }, /stages is 0/],
    [{ stages: "2" }, /stages is the string "2"/],
    [{ stages: 2, estimate: "raw" }, /Two stages measure tables by groups/],
    [{ stages: 2, selection: "l1" }, /not the workload in stages/],
    [{ stages: 1, perRound: 2 }, /not the workload in stages/],
    [{ stages: 2, workload: "1-way" }, /nothing for a second stage/],
    [{ search: { estimate: "raw" } }, /no setting "estimate"/],
  ])("refuses %j", (options, message) => {
    expect(() => planned(options as never)).toThrow(message);
  });
});

describe("a release", () => {
  it("records both, and makes its rows again by them", async () => {
    const one = await measured({ stages: 1 });
    expect(one.toJSON()).toMatchObject({ estimate: "shrunk", stages: 1 });
    expect(await rowsOf(reread(one))).toEqual(await rowsOf(one));
    // The same noisy answers, unchanged.
    const raw = await measured({ estimate: "raw" });
    expect(raw.ledger).toEqual(one.ledger);
    expect(await rowsOf(reread(one, { estimate: "raw" }))).toEqual(await rowsOf(raw));
  });

  it("comes closer to the truth with estimates than with the same answers raw", async () => {
    const error = async (release: Release) =>
      nonPrivateQueryErrors(people, (await resample(release)).table, schema).meanTv;
    const [one, raw] = [await measured({ stages: 1 }), await measured({ estimate: "raw" })];
    expect(await error(one)).toBeLessThan(0.9 * (await error(raw)));
  });

  it("that does not say what its rows match is invalid, and raw answers of groups cannot be matched", async () => {
    const release = await measured({ selection: "none", stages: 1 });
    expect(() => reread(release, { estimate: undefined })).toThrow(/does not say what its rows match/);
    await expect(resample(reread(release, { estimate: "best" }))).rejects.toThrow(/estimate is "best"/);
    const grouped = release.toJSON();
    grouped.items = grouped.items.map((item) =>
      "answers" in item && item.columns?.join() === "work,home"
        ? { ...item, groups: [[0, 0, 1], null], cells: 8, answers: item.answers.slice(0, 8), noise: undefined }
        : item,
    );
    await expect(resample(reread(release, { ...grouped, estimate: "raw" }))).rejects.toThrow(/measured by groups/);
    expect(await rowsOf(reread(release, grouped))).toHaveLength(release.facts.rows);
  });

  it("with rounds that was interrupted continues with the estimate that it began with", async () => {
    const made = adaptivePlan({ estimate: "raw" });
    const options = { seed: 5, unsafeNoiseKey: key(1) };
    const kept: Release[] = [];
    const onRound = (unfinished: Release) => {
      kept.push(unfinished);
    };
    const whole = await measure(people, made, { ...options, onRound });
    const resumed = await resume(people, reread(kept[0]), { unsafeNoiseKey: key(1) });
    expect(JSON.stringify(resumed)).toBe(JSON.stringify(whole));
    expect(resumed.facts.estimate).toBe("raw");
    expect(await rowsOf(resumed)).toEqual(await rowsOf(whole));
  });
});
