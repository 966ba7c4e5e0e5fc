// Interrupted runs with a ledger. Each can be resumed once, whenever it was killed, and no copy draws the same rounds
// again.
import { readFileSync, renameSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { lock } from "../../src/cli/lock.js";
import { type Folder, SYNTH, wideFolder } from "./cli.js";

const ROUNDS = 20;
const LEDGER = { epsilon: 20, delta: 1e-8, neighbours: "add-remove", unit: "row", spent: [] };
const BEGIN = [...SYNTH, "--selection", "max", "--rounds", String(ROUNDS), "--rows", "20"];
const CHARGED = [...BEGIN, "--release", "r.json", "--ledger", "ledger.json"];
/** One-ways, then a choice and a measurement per round. */
const ITEMS = 9 + 2 * ROUNDS;

const resume = (file: string, ...more: string[]) => ["synth", "people.csv", "--resume", file, "-o", "out.csv", ...more];
const WITH = ["--ledger", "ledger.json"];
const json = (folder: Folder, name: string) => JSON.parse(readFileSync(folder.at(name), "utf8"));
const charges = (folder: Folder) => json(folder, "ledger.json").spent;
const leftovers = (folder: Folder) => folder.names().filter((name) => /lock|tmp/.test(name));
const write = (folder: Folder, name: string, value: unknown) => folder.write(name, JSON.stringify(value));

/** A run that was killed in a round: its folder and its unfinished file. */
async function killed() {
  const folder = wideFolder();
  write(folder, "ledger.json", LEDGER);
  const run = folder.start(CHARGED);
  await run.said(/^round 2 of/m);
  run.child.kill("SIGKILL");
  await run.ended;
  const kept = json(folder, "r.json");
  expect(kept.unfinished).toBeDefined();
  return { folder, kept };
}

/** What the folder must contain once the run is finished. */
function expectWhole(folder: Folder, kept: { items: unknown[]; unfinished: { release: string } }): void {
  const whole = json(folder, "r.json");
  expect(whole.unfinished).toBeUndefined();
  expect(whole.items).toHaveLength(ITEMS);
  expect(whole.items.slice(0, kept.items.length)).toMatchObject(kept.items);
  const { release } = kept.unfinished;
  expect(charges(folder)).toEqual([{ rho: expect.any(String), delta: 0, release, items: ITEMS }]);
  expect(leftovers(folder)).toEqual([]);
}

it("can be resumed once: a copy that was overtaken is refused before the table is opened", async () => {
  const { folder, kept } = await killed();
  const { release, run } = kept.unfinished;
  expect(charges(folder)).toEqual([{ rho: expect.any(String), delta: 0, release, run, items: kept.items.length }]);
  write(folder, "copy.json", kept);
  const without = await folder.run(resume("r.json"));
  expect(without).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/started with a ledger.*with --ledger\.\n$/),
  });
  const end = await folder.run(resume("r.json", ...WITH));
  expect(end.code).toBe(0);
  expectWhole(folder, kept);
  const before = readFileSync(folder.at("ledger.json"), "utf8");
  folder.write("people.csv", "");
  const { code, stderr } = await folder.run(resume("copy.json", ...WITH));
  expect(stderr).toMatch(/Another run has continued this release: the ledger .*ledger\.json has seen all its 49 items/);
  expect(stderr).toMatch(/Continue with what that run kept\. This copy would measure the same items again/);
  expect(code).toBe(2);
  expect(readFileSync(folder.at("ledger.json"), "utf8")).toBe(before);
  expect(leftovers(folder)).toEqual([]);
});

it("of two runs resumed from copies at the same time, one is refused and keeps nothing", async () => {
  const { folder, kept } = await killed();
  const names = ["a.json", "b.json", "c.json"];
  for (const name of names) write(folder, name, kept);
  const runs = names.map((name, at) =>
    folder.run(["synth", "people.csv", "--resume", name, "-o", `out${at}.csv`, ...WITH]),
  );
  const ended = await Promise.all(runs);
  expect(ended.map(({ code }) => code).sort()).toEqual([0, 2, 2]);
  for (const [at, { code, stderr }] of ended.entries()) {
    if (code === 0) expect(json(folder, names[at]).items).toHaveLength(ITEMS);
    else {
      expect(stderr).toMatch(/Another run has continued this release/);
      expect(json(folder, names[at])).toEqual(kept);
    }
  }
  expect(charges(folder)).toHaveLength(1);
  expect(leftovers(folder)).toEqual([]);
});

it("can be resumed after kills at any moment", { timeout: 120_000 }, async () => {
  const { folder, kept } = await killed();
  for (let kill = 0; kill < 8; kill++) {
    const run = folder.start(resume("r.json", ...WITH));
    await Promise.race([run.ended, sleep(150 + 60 * kill)]);
    run.child.kill("SIGKILL");
    const { stderr } = await run.ended;
    expect(stderr).not.toMatch(/^standin: /m);
    if (json(folder, "r.json").unfinished === undefined) break;
  }
  // The last kill may have come when everything was measured, but the rows were not in place.
  const { unfinished } = json(folder, "r.json");
  const rest = unfinished ? resume("r.json", ...WITH) : ["synth", "--from", "r.json", "-o", "out.csv"];
  expect(await folder.run(rest)).toMatchObject({ code: 0, stderr: expect.any(String) });
  (await lock(folder.at("ledger.json.lock")))(); // which removes what the killed runs left of their locks
  expectWhole(folder, kept);
});

/** Resumes, and is interrupted as soon as one more round than was kept is measured. */
async function interrupted(folder: Folder, { items }: { items: unknown[] }): Promise<void> {
  const run = folder.start(resume("r.json", ...WITH));
  await run.said(new RegExp(`^round ${(items.length - 9) / 2 + 2} of`, "m"));
  run.child.kill("SIGINT");
  const { stderr } = await run.ended;
  expect(stderr).toMatch(
    /at no cost with: standin synth people\.csv --resume r\.json --ledger ledger\.json -o out\.csv\n$/,
  );
  expect(json(folder, "r.json").items.slice(0, items.length)).toEqual(items);
}

/**
 * A folder as a kill leaves it when a round is staged: whether the ledger was already updated, and what is in place.
 */
async function killedWhenStaged(told: boolean, placed: "older" | "nothing") {
  const { folder, kept } = await killed();
  renameSync(folder.at("r.json"), folder.at(".r.json.standin-tmp"));
  const older = { ...kept, items: kept.items.slice(0, 9) };
  write(folder, "elsewhere.json", older);
  if (placed === "older") write(folder, "r.json", older);
  const [charge] = charges(folder);
  if (!told) write(folder, "ledger.json", { ...LEDGER, spent: [{ ...charge, items: placed === "older" ? 9 : 0 }] });
  return { folder, kept };
}

it.each([
  [true, "older"],
  [true, "nothing"],
  [false, "older"],
  [false, "nothing"],
] as const)("what was staged whole is not measured again (ledger told: %s; in place: %s)", async (told, placed) => {
  const { folder, kept } = await killedWhenStaged(told, placed);
  if (told)
    expect(await folder.run(resume("elsewhere.json", ...WITH))).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/has seen \d+ of its items measured, but this copy holds 9\./),
    });
  await interrupted(folder, kept);
  const late = await folder.run(resume("elsewhere.json", ...WITH));
  expect(late).toMatchObject({ code: 2, stderr: expect.stringMatching(/Another run has continued/) });
  expect((await folder.run(resume("r.json", ...WITH))).code).toBe(0);
  expectWhole(folder, kept);
});

it("a staged part that was overtaken by a copy is removed", async () => {
  const { folder, kept } = await killedWhenStaged(false, "older");
  expect((await folder.run(resume("elsewhere.json", ...WITH))).code).toBe(0);
  const before = json(folder, "r.json");
  const { code, stderr } = await folder.run(resume("r.json", ...WITH));
  expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringMatching(/has seen all its 49 items/) });
  expect(json(folder, "r.json")).toEqual(before);
  expect(leftovers(folder)).toEqual([]);
  expect(json(folder, "elsewhere.json").items.slice(9)).not.toMatchObject(kept.items.slice(9));
});

it.each([true, false])("rows are made from a part that was staged to its end (ledger updated: %s)", async (told) => {
  const { folder, kept } = await killed();
  const before = charges(folder);
  expect((await folder.run(resume("r.json", ...WITH))).code).toBe(0);
  renameSync(folder.at("r.json"), folder.at(".r.json.standin-tmp"));
  write(folder, "r.json", kept);
  if (!told) write(folder, "ledger.json", { ...LEDGER, spent: before });
  const { code, stderr } = await folder.run(resume("r.json", ...WITH));
  expect({ code, stderr }).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/already fully measured\. Make rows from it/),
  });
  expectWhole(folder, kept);
  expect((await folder.run(["synth", "--from", "r.json", "-o", "out.csv"])).code).toBe(0);
});

it("a staged part that is incomplete, or another release's, is removed", async () => {
  const { folder, kept } = await killed();
  const { kept: other } = await killed();
  const finished = { ...other, unfinished: undefined };
  for (const staged of [JSON.stringify(other), JSON.stringify(finished), JSON.stringify(kept).slice(0, -9)]) {
    folder.write(".r.json.standin-tmp", staged);
    await interrupted(folder, json(folder, "r.json"));
  }
  expect((await folder.run(resume("r.json", ...WITH))).code).toBe(0);
  expectWhole(folder, kept);
});

it("a full disk leaves file and ledger in agreement", async () => {
  const { folder, kept } = await killed();
  const limit = Math.floor(readFileSync(folder.at("r.json")).length / 1024);
  const { code, stderr } = await folder.run(resume("r.json", ...WITH), { before: `ulimit -f ${limit}; ` });
  expect(stderr).toMatch(/^standin: r\.json grew larger than a file may be here/m);
  expect(code).toBe(2);
  const { items, unfinished } = json(folder, "r.json");
  expect(charges(folder)).toMatchObject([{ run: unfinished.run, items: items.length }]);
  expect(leftovers(folder)).toEqual([]);
  expect((await folder.run(resume("r.json", ...WITH))).code).toBe(0);
  expectWhole(folder, kept);
});

it("a ledger goes with a release that was begun with it, and with no other", async () => {
  const { folder } = await killed();
  write(folder, "ledger.json", LEDGER);
  const unknown = await folder.run(resume("r.json", ...WITH));
  expect(unknown).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/ledger\.json has no charge for this release/),
  });
  const run = folder.start([...BEGIN, "--release", "free.json"]);
  await run.said(/^round 2 of/m);
  run.child.kill("SIGKILL");
  await run.ended;
  const stray = await folder.run(resume("free.json", ...WITH));
  expect(stray).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/started without a ledger\. Leave --ledger out/),
  });
  expect((await folder.run(resume("free.json"))).code).toBe(0);
});
