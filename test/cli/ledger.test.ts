import { execFileSync, spawnSync } from "node:child_process";
import { linkSync, readFileSync } from "node:fs";
import { hostname } from "node:os";
import { expect, it } from "vitest";
import { Folder, synth } from "./cli.js";

const LEDGER = { epsilon: 3, delta: 1e-8, neighbours: "add-remove", unit: "row", spent: [] };
const TERMS = ["--epsilon", "1", "--ledger", "ledger.json", "--rows", "5"];
const CHARGED = [...synth(...TERMS), "--quiet"];

function ledger(folder: Folder, change: object = {}): void {
  folder.write("ledger.json", JSON.stringify({ ...LEDGER, ...change }));
}
const spent = (folder: Folder): { rho: string; delta: number }[] =>
  JSON.parse(readFileSync(folder.at("ledger.json"), "utf8")).spent;

it("each run adds its charge, until the budget is exceeded; more rows of a release cost nothing", async () => {
  const folder = new Folder();
  ledger(folder);
  const codes: (number | null)[] = [];
  for (let run = 0; run < 20 && !codes.includes(2); run++)
    codes.push((await folder.run([...CHARGED, "--release", "r.json"])).code);
  // CKS: ρ(3, 1e-8) = .13656 pays nine times for ρ(1, 1e-9) = .014973.
  expect(codes).toEqual([...Array(9).fill(0), 2]);
  expect(spent(folder)).toHaveLength(9);
  for (const { rho, delta } of spent(folder)) {
    expect(Number(rho) * 2 ** -52).toBeCloseTo(0.014973, 6);
    expect(rho).toMatch(/^\d+$/);
    expect(delta).toBe(0);
  }
  expect((await folder.run(["synth", "--from", "r.json", "-o", "more.csv"])).code).toBe(0);
  expect(spent(folder)).toHaveLength(9);
  expect(folder.names().filter((name) => /lock|tmp/.test(name))).toEqual([]);
});

it("says nothing of other releases when a ledger bounds them", async () => {
  const folder = new Folder();
  ledger(folder);
  expect((await folder.run(CHARGED)).stderr).toBe("ε = 1, δ = 1e-9 for one row (add-remove)\n");
});

it.each<[string, object, RegExp]>([
  ["another relation", { neighbours: "replace" }, /replace.*add-remove/],
  ["another unit", { unit: { maxRows: 2 } }, /maxRows/],
  ["no unit", { unit: undefined }, /unit/],
  ["no epsilon", { epsilon: "3" }, /epsilon/],
  ["a delta of 0", { delta: 0 }, /delta/],
  ["δ spent", { spent: [{ rho: "1", delta: 1e-8 }] }, /is left/],
  ["ρ spent", { spent: [{ rho: String(2n ** 52n), delta: 0 }] }, /is left/],
  ["a charge that is a number", { spent: [{ rho: 5, delta: 0 }] }, /number 1 in spent\) whose rho/],
  [
    "no charges",
    { spent: undefined },
    /does not say what is spent\. Write "spent": \[\] if nothing is spent; otherwise restore/,
  ],
  ["misspelt charges", { spent: undefined, spend: [] }, /has a member "spend"\. Its members are epsilon/],
  ["a note", { note: "the clinic's people" }, /ledger\.json has a member "note"/],
  ["a charge with a note", { spent: [{ rho: "5", delta: 0, at: "" }] }, /with a member "at"\. Its members are rho/],
])("refuses a ledger with %s, and leaves it as it was", async (_, change, words) => {
  const folder = new Folder();
  ledger(folder, change);
  const before = readFileSync(folder.at("ledger.json"), "utf8");
  const { code, stderr } = await folder.run(CHARGED);
  expect(code).toBe(2);
  expect(stderr).toMatch(words);
  expect(readFileSync(folder.at("ledger.json"), "utf8")).toBe(before);
  expect(folder.names()).toEqual(["ledger.json", "people.csv", "people.schema.json"]);
});

it("refuses a ledger that is not JSON", async () => {
  const folder = new Folder();
  for (const text of ["null", "", '{"epsilon": 3', "[]"]) {
    folder.write("ledger.json", text);
    const { code, stderr } = await folder.run(CHARGED);
    expect(code).toBe(2);
    expect(stderr).toMatch(/^standin: The ledger .*ledger\.json is not (JSON|a JSON object)\. Restore it from a copy/);
  }
});

it("a table that does not fit costs nothing; a charge stays if the run fails once measuring began", async () => {
  const folder = new Folder();
  ledger(folder);
  const table = readFileSync(folder.at("people.csv"));
  folder.write("people.csv", "name,grup,score\nx,a,1\n");
  expect((await folder.run(CHARGED)).code).toBe(2);
  expect(spent(folder)).toEqual([]);
  folder.write("people.csv", table);
  const { code, stderr } = await folder.run([...CHARGED, "--release", "/dev/full"]);
  expect(code).toBe(2);
  expect(stderr).toMatch(/Measuring had begun, so the charge stays in ledger\.json\.\n$/);
  expect(spent(folder)).toHaveLength(1);
});

it("plan shows a ledger's refusal and charges nothing", async () => {
  const folder = new Folder();
  ledger(folder);
  const args = ["plan", "--schema", "people.schema.json", "--ledger", "ledger.json", "--epsilon"];
  expect((await folder.run([...args, "1"])).code).toBe(0);
  const { code, stdout, stderr } = await folder.run([...args, "4"]);
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toMatch(/is left/);
  expect(spent(folder)).toEqual([]);
});

it("simultaneous runs never overspend", async () => {
  const folder = new Folder();
  ledger(folder, { epsilon: 1.8 });
  // CKS: ρ(1.8, 1e-8) = .05243 pays three times for ρ(1, 1e-9) = .014973.
  const runs = Array.from({ length: 6 }, (_, at) => folder.run([...synth(...TERMS, "-o", `out${at}.csv`), "--quiet"]));
  const codes = (await Promise.all(runs)).map(({ code }) => code).sort();
  expect(codes).toEqual([0, 0, 0, 2, 2, 2]);
  expect(spent(folder)).toHaveLength(3);
});

/** The number of a process that has ended. */
const deadPid = () => spawnSync(process.execPath, ["-e", ""]).pid;
const deadLock = (nonce: string) => JSON.stringify({ pid: deadPid(), host: hostname(), nonce });

it.each<[string, Record<string, () => string>]>([
  ["of a dead process", { lock: () => deadLock("dead") }],
  ["that is empty, as a full disk or a kill left it", { lock: () => "" }],
  ["that nobody can read", { lock: () => '{"pid": 5, "ho' }],
  [
    "that two dead processes were about to take away",
    {
      lock: () => deadLock("dead"),
      "lock.dead": () => deadLock("first"),
      "lock.first": () => deadLock("second"),
      "lock.dead.first.tmp": () => deadLock("first"),
    },
  ],
])("takes over a lock %s, at most one run at a time", async (_, left) => {
  const folder = new Folder();
  ledger(folder, { epsilon: 1.8 });
  for (const [name, text] of Object.entries(left)) folder.write(`ledger.json.${name}`, text());
  const runs = Array.from({ length: 6 }, (_, at) => folder.run([...synth(...TERMS, "-o", `out${at}.csv`), "--quiet"]));
  expect((await Promise.all(runs)).map(({ code }) => code).sort()).toEqual([0, 0, 0, 2, 2, 2]);
  expect(spent(folder)).toHaveLength(3);
  expect(folder.names().filter((name) => name.includes("lock"))).toEqual([]);
});

it.each([
  ["the lock", 0, 0],
  ["the ledger", 1, 20],
])("a disk without room for %s leaves everything as it was, and says what to do", async (_, limit, charges) => {
  const folder = new Folder();
  ledger(folder, { spent: Array(charges).fill({ rho: "1000000", delta: 1e-12 }) });
  const [names, before] = [folder.names(), readFileSync(folder.at("ledger.json"), "utf8")];
  const { code, stderr } = await folder.run(CHARGED, { before: `ulimit -f ${limit}; ` });
  expect(stderr).toMatch(
    /^standin: The ledger cannot be changed: .*It is unchanged\. Free some space on its disk.*\n$/,
  );
  expect(code).toBe(2);
  expect(folder.names()).toEqual(names);
  expect(readFileSync(folder.at("ledger.json"), "utf8")).toBe(before);
});

it("waits for the lock of a living process, and names it", async () => {
  const folder = new Folder();
  ledger(folder);
  folder.write("ledger.json.lock", JSON.stringify({ pid: process.pid, host: hostname(), nonce: "alive" }));
  const run = folder.start(CHARGED);
  const { code, stderr } = await run.ended;
  expect(code).toBe(2);
  expect(stderr).toMatch(new RegExp(`locked by process ${process.pid} .*Remove .*ledger\\.json\\.lock`));
  expect(spent(folder)).toEqual([]);
});

it("follows a link to the ledger", async () => {
  const folder = new Folder();
  ledger(folder);
  execFileSync("mv", [folder.at("ledger.json"), folder.at("real.json")]);
  execFileSync("ln", ["-s", "real.json", folder.at("ledger.json")]);
  expect((await folder.run(CHARGED)).code).toBe(0);
  expect(JSON.parse(readFileSync(folder.at("real.json"), "utf8")).spent).toHaveLength(1);
});

it("a ledger with two names, or that is not a file, is refused before the table is opened", async () => {
  const folder = new Folder();
  ledger(folder);
  linkSync(folder.at("ledger.json"), folder.at("second.json"));
  const linked = await folder.run(CHARGED);
  expect(linked).toMatchObject({ code: 2, stderr: expect.stringContaining("has 2 names (hard links)") });
  expect(spent(folder)).toEqual([]);
  execFileSync("mkfifo", [folder.at("pipe")]);
  const piped = await folder.run([...synth("--epsilon", "1", "--ledger", "pipe", "--rows", "5"), "--quiet"]);
  expect(piped).toMatchObject({ code: 2, stderr: expect.stringContaining("is not a regular file") });
});
