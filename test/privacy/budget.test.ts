// The budget that several releases share: what its text may say, and how far each release has come.
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { Budget, measure, parseRelease, plan, type Release, resume } from "../../src/index.js";
import { adaptivePlan, people, schema } from "../frame/people.js";

const refusal = (code: string, message = /./) =>
  expect.objectContaining({ code, message: expect.stringMatching(message) });
const fresh = () => new Budget({ epsilon: 9, delta: 1e-8, neighbours: "add-remove", unit: "row" });
const copyOf = (release: Release) => parseRelease(JSON.stringify(release));
const spent = (budget: Budget) => budget.toJSON().spent;

const CASES: Record<"budgets" | "noBudgets", { text: string; message: string }[]> = JSON.parse(
  readFileSync("test/privacy/budget-cases.json", "utf8"),
);

it.each(CASES.noBudgets)("refuses $text", ({ text, message }) => {
  expect(() => Budget.fromJSON(text)).toThrow(refusal("budget/state", /^The shared budget (has|is|does) /));
  expect(() => Budget.fromJSON(text)).toThrow(message);
});

it.each(CASES.budgets)("takes $text", ({ text }) => {
  expect(JSON.stringify(Budget.fromJSON(text))).toBe(text);
  expect(JSON.stringify(new Budget(JSON.parse(text)))).toBe(text);
});

it.each<[object, RegExp]>([
  [
    { spent: undefined },
    /^The ledger l\.json does not say what is spent\. Write "spent": \[\] if nothing is spent; otherwise restore/,
  ],
  [{ spnet: [] }, /has a member "spnet"\. Its members are epsilon, delta, neighbours, unit, spent\.$/],
  [{ unit: { maxRows: 1, column: "p" } }, /a unit with a member "column"/],
  [
    { spent: [{ rho: "1", delta: 0, note: "" }] },
    /charge \(number 1 in spent\) with a member "note"\. Its members are rho, delta/,
  ],
])("says what is wrong with %j", (change, message) => {
  const state = { epsilon: 3, delta: 1e-8, neighbours: "add-remove", unit: "row", spent: [], ...change };
  expect(() => Budget.fromJSON(JSON.stringify(state), "ledger l.json")).toThrow(refusal("budget/state", message));
  // In code, a budget may begin without charges.
  if (!("spent" in change) || change.spent)
    expect(() => new Budget(state as never)).toThrow(refusal("budget/state", message));
});

it("a plan without rounds leaves its charge alone", async () => {
  const budget = fresh();
  const planned = plan(schema, { epsilon: 1 });
  const release = await measure(people, planned, { budget });
  expect(spent(budget)).toEqual([{ rho: String(planned.ledger.charge), delta: 0 }]);
  expect(JSON.stringify(release)).not.toContain('"unfinished"');
});

/** A release with three rounds, and the state of it and its budget whenever it had grown. */
async function measured(budget = fresh()) {
  const begun: Release[] = [];
  const states: string[] = [];
  const onRound = (release: Release) => {
    begun.push(copyOf(release));
    states.push(JSON.stringify(budget));
  };
  const release = await measure(people, adaptivePlan(), { budget, onRound });
  return { budget, begun, states, release };
}

it("counts what is measured before giving it out, under random names", async () => {
  const { budget, begun, states, release } = await measured();
  const names = new Set<unknown>();
  for (const [round, unfinished] of begun.entries()) {
    const { release: name, run } = unfinished.facts.unfinished!;
    expect(unfinished.items).toHaveLength(4 + 2 * round);
    expect(JSON.parse(states[round]).spent).toMatchObject([{ release: name, run, items: unfinished.items.length }]);
    names.add(name).add(run);
  }
  expect(names.size).toBe(2);
  for (const name of names) expect(name).toMatch(/^[0-9a-f]{32}$/);
  const [{ rho, delta, ...standing }] = spent(budget);
  expect({ rho, delta }).toEqual({ rho: String(adaptivePlan().ledger.charge), delta: 0 });
  expect(standing).toEqual({ release: begun[0].facts.unfinished!.release, items: 10 });
  expect(release.facts.unfinished).toBeUndefined();
});

it("resumes a release that matches its charge, and no earlier one", async () => {
  const { begun, states } = await measured();
  const budget = Budget.fromJSON(states[1]);
  await expect(resume(people, begun[0], { budget })).rejects.toThrow(
    refusal("budget/resumed", /has seen 6 of its items measured, but this copy holds 4\. Continue with what/),
  );
  expect(JSON.stringify(budget)).toBe(states[1]);
  const release = await resume(people, begun[1], { budget });
  expect(release.items).toHaveLength(10);
  expect(spent(budget)).toHaveLength(1);
  for (const copy of begun)
    await expect(resume(people, copy, { budget })).rejects.toThrow(refusal("budget/resumed", /all its 10 items/));
});

it("of two runs from one place, one is refused before it draws", async () => {
  const { begun, states } = await measured();
  const budget = Budget.fromJSON(states[0]);
  const given: Release[][] = [[], []];
  const runs = given.map((list) =>
    resume(people, copyOf(begun[0]), { budget, onRound: (release) => void list.push(release) }),
  );
  const ended = await Promise.allSettled(runs);
  expect(ended.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  const [lost] = ended.flatMap((end) => (end.status === "rejected" ? [end.reason] : []));
  expect(lost).toEqual(refusal("budget/resumed"));
  // The first state that it gave out is the one from which it continued, under its own name.
  expect(given.map(({ length }) => length).sort()).toEqual([0, 3]);
});

it("a run that was overtaken gives out nothing more", async () => {
  const budget = fresh();
  const given: Release[] = [];
  const onRound = async (release: Release) => {
    given.push(release);
    if (given.length === 2) await resume(people, copyOf(release), { budget });
  };
  await expect(measure(people, adaptivePlan(), { budget, onRound })).rejects.toThrow(refusal("budget/resumed"));
  expect(given).toHaveLength(2);
});

it("a resumed run that fails can be resumed from what it gave out, also from its start", async () => {
  const { begun, states } = await measured();
  const budget = Budget.fromJSON(states[1]);
  const given: Release[] = [];
  const onRound = (release: Release) => {
    given.push(copyOf(release));
    throw new Error("given up");
  };
  await expect(resume(people, begun[1], { budget, onRound })).rejects.toThrow("given up");
  expect(given[0].items).toHaveLength(6);
  await expect(resume(people, begun[1], { budget })).rejects.toThrow(refusal("budget/resumed"));
  expect((await resume(people, given[0], { budget })).items).toHaveLength(10);
});

it("a file that does not match its plan does not displace the one that does", async () => {
  const { begun, states } = await measured();
  const budget = Budget.fromJSON(states[1]);
  const json = JSON.parse(JSON.stringify(begun[1]));
  Object.assign(json.unfinished.request, { workload: [["sex", "home"]], rounds: 1, perRound: 1 });
  await expect(resume(people, parseRelease(JSON.stringify(json)), { budget })).rejects.toThrow(/Item 1/);
  expect((await resume(people, begun[1], { budget })).items).toHaveLength(10);
});

it("needs the budget that it began with, and no other", async () => {
  const { begun } = await measured();
  await expect(resume(people, begun[0])).rejects.toThrow(refusal("budget/missing", /Give that budget/));
  await expect(resume(people, begun[0], { budget: fresh() })).rejects.toThrow(refusal("budget/unknown", /no charge/));
  const free: Release[] = [];
  await measure(people, adaptivePlan(), { onRound: (release) => void free.push(release) });
  expect(JSON.parse(JSON.stringify(free[0])).unfinished).not.toHaveProperty("release");
  await expect(resume(people, free[0], { budget: fresh() })).rejects.toThrow(refusal("budget/unknown", /without/));
  for (const budget of [{}, null, false])
    await expect(resume(people, free[0], { budget: budget as never })).rejects.toThrow(refusal("options/argument"));
});

it.each([{ release: "x" }, { run: undefined }, { release: undefined }, { run: "A".repeat(32) }])(
  "a file whose names are %j is not a release",
  async (change) => {
    const json = JSON.parse(JSON.stringify((await measured()).begun[0]));
    Object.assign(json.unfinished, change);
    expect(() => parseRelease(JSON.stringify(json))).toThrow(
      refusal("release/broken", /how a shared budget identifies it/),
    );
  },
);
