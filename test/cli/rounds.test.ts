import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { Folder, SYNTH, synth, wideFolder } from "./cli.js";

const ROUNDS = 30;
const ADAPTIVE = [...SYNTH, "--selection", "max", "--rounds", String(ROUNDS)];
const released = (folder: Folder, name: string) => JSON.parse(readFileSync(folder.at(name), "utf8"));
const linesOf = (folder: Folder, name: string) => readFileSync(folder.at(name), "utf8").trimEnd().split("\n");

/** What `plan` prints for rounds with a selection. */
async function planned(selection: string, ...more: string[]): Promise<string> {
  const args = ["plan", "--schema", "people.schema.json", "--epsilon", "1", "--selection", selection, ...more];
  return (await wideFolder().run(args)).stdout;
}

it("plan prints a choice and the measurement it leads to once for all rounds", async () => {
  const stdout = await planned("l1", "--rounds", "3", "--per-round", "2");
  expect(stdout).toMatch(/^marginal +a +5 /m);
  expect(stdout).toMatch(/^choice +3 times 2 of 36 by l1 /m);
  expect(stdout).toMatch(/^marginal +6 times one that is chosen +≤ 25 +[\d.]+ +≤ \d+ /m);
  expect(stdout).toMatch(/^sum +18 items /m);
});

it("plan states the rule and the cap of rounds that follow noisy answers", async () => {
  const stdout = await planned("aim");
  expect(stdout).toMatch(/^choice +1 of 36 by aim /m);
  expect(stdout).toMatch(/is spent by a rule\. Rounds annealed as in AIM/);
});

it("reports every round, and leaves only the output at the end", async () => {
  const folder = wideFolder();
  const { code, stderr } = await folder.run(ADAPTIVE);
  expect(code).toBe(0);
  for (let round = 1; round <= ROUNDS; round++) expect(stderr).toContain(`round ${round} of ${ROUNDS}\n`);
  expect(folder.names()).toEqual(["out.csv", "people.csv", "people.schema.json"]);
});

it.each(["-", "pipe.json"])(
  "a release that is written directly (%s) is written once, when it is finished",
  async (to) => {
    const folder = wideFolder();
    const pipe = folder.at("pipe.json");
    execFileSync("mkfifo", [pipe]);
    const read = to === "-" ? undefined : readFile(pipe, "utf8");
    const { code, stdout, stderr } = await folder.run([
      ...synth("--rounds", "3"),
      "--selection",
      "max",
      "--release",
      to,
    ]);
    expect(code).toBe(0);
    expect(stderr).toMatch(/its measurements are lost; --release FILE keeps them/);
    const release = JSON.parse((await read) ?? stdout);
    expect(release.unfinished).toBeUndefined();
    expect(linesOf(folder, "out.csv")).toHaveLength(1 + release.rows);
  },
);

it.each([1, 2, 17, ROUNDS])("a run that is killed in round %i continues with --resume", async (round) => {
  const folder = wideFolder();
  const run = folder.start([...ADAPTIVE, "--rows", "50"]);
  await run.said(new RegExp(`^round ${round} of`, "m"));
  run.child.kill("SIGKILL");
  await run.ended;
  const kept = released(folder, "out.csv.release.json");
  const from = await folder.run(["synth", "--from", "out.csv.release.json", "-o", "out.csv"]);
  // On a machine that is slow to kill, the run may have finished.
  if (kept.unfinished) {
    expect(from).toMatchObject({ code: 2, stderr: expect.stringMatching(/unfinished.*--resume/s) });
    const end = await folder.run(["synth", "people.csv", "--resume", "out.csv.release.json", "-o", "out.csv"]);
    expect(end.code).toBe(0);
    expect(end.stderr).toMatch(/ε = 8, δ = 1e-9 for one row/);
    expect(folder.names()).toEqual(["out.csv", "people.csv", "people.schema.json"]);
  }
  expect(linesOf(folder, "out.csv")).toHaveLength(51);
});

it("SIGINT in a round says how to continue, which keeps what was measured", async () => {
  const folder = wideFolder();
  const run = folder.start([...ADAPTIVE, "--release", "r.json"]);
  await run.said(/^round 5 of/m);
  run.child.kill("SIGINT");
  const end = await run.ended;
  expect(end.code).toBe(130);
  expect(end.stderr).toMatch(/at no cost with: standin synth people\.csv --resume r\.json -o out\.csv\n$/);
  const kept = released(folder, "r.json");
  expect((await folder.run(["synth", "people.csv", "--resume", "r.json", "-o", "out.csv"])).code).toBe(0);
  const whole = released(folder, "r.json");
  expect(whole.unfinished).toBeUndefined();
  expect(whole.items.slice(0, kept.items.length)).toMatchObject(kept.items);
  expect(whole.items.filter(({ kind }: { kind: string }) => kind === "selection")).toHaveLength(ROUNDS);
});

it.each([
  [["synth", "people.csv", "--resume", "r.json", "--epsilon", "1"], /--epsilon cannot be combined with --resume/],
  [
    ["synth", "people.csv", "--resume", "r.json", "--ledger", "l.json"],
    /l\.json does not exist\. Give the ledger that/,
  ],
  [["synth", "people.csv", "--resume", "-", "-o", "out.csv"], /--resume needs a file/],
  [["synth", "people.csv", "--resume", "r.json", "-o", "r.json"], /the same as the release/],
  [["synth", "people.csv", "--resume", "nowhere.json", "-o", "out.csv"], /nowhere\.json/],
  [synth("--selection", "best"), /--selection is "best"/],
  [synth("--rounds", "1.5"), /--rounds is "1.5"/],
])("refuses %j", async (args, message) => {
  const folder = new Folder();
  folder.write("r.json", "{}");
  const { code, stderr } = await folder.run(args);
  expect(stderr).toMatch(message);
  expect(code).toBe(2);
});

it("refuses to resume a finished release", async () => {
  const folder = wideFolder();
  await folder.run([...SYNTH, "--release", "r.json"]);
  const { code, stderr } = await folder.run(["synth", "people.csv", "--resume", "r.json", "-o", "out.csv"]);
  expect(stderr).toMatch(/already fully measured/);
  expect(code).toBe(2);
});

it("a budget whose ε is 0 is read back: from its release, and after a run is killed in a round", async () => {
  const folder = wideFolder();
  const budget = ["--rho", "1e-9", "--delta", ".5"];
  const common = ["synth", "people.csv", "--schema", "people.schema.json", "-o", "out.csv", "--rows", "20"];
  const first = await folder.run([...common, ...budget, "--workload", "1-way", "--release", "r.json"]);
  expect(first).toMatchObject({ code: 0, stderr: expect.stringContaining("ε = 0, δ = 0.5 for one row") });
  expect(released(folder, "r.json")).toMatchObject({ epsilon: 0, guarantee: { epsilon: 0 } });
  const made = linesOf(folder, "out.csv");
  expect(await folder.run(["synth", "--from", "r.json", "-o", "out.csv"])).toMatchObject({ code: 0 });
  expect(linesOf(folder, "out.csv")).toEqual(made);

  const rounds = ["--selection", "max", "--rounds", String(ROUNDS), "--release", "u.json"];
  const run = folder.start([...common, "--rho", "1e-6", "--delta", ".5", ...rounds]);
  await run.said(/^round 2 of/m);
  run.child.kill("SIGINT");
  expect((await run.ended).code).toBe(130);
  expect(released(folder, "u.json")).toMatchObject({ epsilon: 0, unfinished: {} });
  const end = await folder.run(["synth", "people.csv", "--resume", "u.json", "-o", "out.csv"]);
  expect(end).toMatchObject({ code: 0, stderr: expect.stringContaining("ε = 0, δ = 0.5 for one row") });
});
