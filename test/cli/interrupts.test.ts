import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { type Ended, Folder, PEOPLE, type Running, SYNTH, synth } from "./cli.js";

const INPUTS = ["out.csv", "people.csv", "people.schema.json"];

/** A run that reads from a pipe that stays open, searches for seconds, and would replace an old output. */
function startLongRun(folder: Folder, ...more: string[]): Running {
  const columns = "abcdefgh".split("").map((name) => ({
    name,
    type: "integer",
    constraints: { minimum: 0, maximum: 9 },
  }));
  folder.write("people.schema.json", JSON.stringify({ fields: columns }));
  folder.write("out.csv", "old\n");
  const args = SYNTH.map((arg) => (arg === "people.csv" ? "-" : arg));
  return folder.start([...args, "--search", "paper", "--rows", "20000", ...more]);
}

const giveTable = ({ child }: Running) => child.stdin.end(`a,b,c,d,e,f,g,h\n${"1,2,3,4,5,6,7,8\n".repeat(500)}`);
const oldOutput = (folder: Folder) => expect(readFileSync(folder.at("out.csv"), "utf8")).toBe("old\n");
const interrupted = ({ code, stdout, stderr }: Ended) => {
  expect(code).toBe(130);
  expect(stdout).toBe("");
  expect(stderr).toMatch(/^standin: interrupted\.$/m);
};

it.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)("%s while reading leaves what was there", async (signal) => {
  const folder = new Folder();
  const run = startLongRun(folder);
  await run.said(/^reading$/m);
  run.child.kill(signal);
  interrupted(await run.ended);
  oldOutput(folder);
  expect(folder.names()).toEqual(INPUTS);
});

it("SIGINT while a named pipe has no writer leaves what was there", async () => {
  const folder = new Folder();
  execFileSync("mkfifo", [folder.at("pipe.csv")]);
  const run = folder.start(synth().map((arg) => (arg === "people.csv" ? "pipe.csv" : arg)));
  await run.said(/^reading$/m);
  run.child.kill("SIGINT");
  interrupted(await run.ended);
  expect(folder.names()).toEqual(["people.csv", "people.schema.json", "pipe.csv"]);
});

it("SIGINT while an output pipe has no reader ends the run", async () => {
  const folder = new Folder();
  execFileSync("mkfifo", [folder.at("out.csv")]);
  const run = folder.start(synth());
  await run.said(/^writing$/m);
  run.child.kill("SIGINT");
  interrupted(await run.ended);
});

it("SIGINT while searching keeps the measured part, and --from gives the bytes of an uninterrupted run", async () => {
  const folder = new Folder();
  const run = startLongRun(folder, "--release", "r.json");
  giveTable(run);
  await run.said(/^searching: generation/m);
  run.child.kill("SIGINT");
  const end = await run.ended;
  interrupted(end);
  expect(end.stderr).toMatch(/standin synth --from r\.json -o out\.csv\n$/);
  oldOutput(folder);
  expect(folder.names()).toEqual([...INPUTS, "r.json"]);
  // The search from one release, started by two uninterrupted runs, gives the same bytes.
  const release = JSON.parse(readFileSync(folder.at("r.json"), "utf8"));
  folder.write("short.json", JSON.stringify({ ...release, search: { ...release.search, generations: 300 } }));
  for (const name of ["one.csv", "two.csv"]) await folder.run(["synth", "--from", "short.json", "-o", name]);
  expect(readFileSync(folder.at("one.csv"), "utf8")).toBe(readFileSync(folder.at("two.csv"), "utf8"));
});

it("an interrupted run without --release leaves its measured part next to the output", async () => {
  const folder = new Folder();
  const run = startLongRun(folder);
  giveTable(run);
  await run.said(/^searching: generation/m);
  run.child.kill("SIGTERM");
  const end = await run.ended;
  interrupted(end);
  expect(end.stderr).toMatch(/standin synth --from out\.csv\.release\.json -o out\.csv\n$/);
  oldOutput(folder);
  expect(folder.names()).toEqual(["out.csv", "out.csv.release.json", "people.csv", "people.schema.json"]);
});

it("a run that is killed while it searches leaves only the release, which can be resumed", async () => {
  const folder = new Folder();
  const run = startLongRun(folder);
  giveTable(run);
  await run.said(/^searching: generation/m);
  run.child.kill("SIGKILL");
  expect((await run.ended).signal).toBe("SIGKILL");
  oldOutput(folder);
  expect(folder.names()).toEqual(["out.csv", "out.csv.release.json", "people.csv", "people.schema.json"]);
  JSON.parse(readFileSync(folder.at("out.csv.release.json"), "utf8"));
});

it("a run that is killed while it writes leaves one temporary file, which the next run removes", async () => {
  const folder = new Folder();
  folder.write("out.csv", "old\n");
  const run = folder.start(synth("--rows", "3000000"));
  await run.said(/^writing$/m);
  while (!folder.names().includes(".out.csv.standin-tmp")) await sleep(5);
  run.child.kill("SIGKILL");
  expect((await run.ended).signal).toBe("SIGKILL");
  oldOutput(folder);
  expect(folder.names()).toEqual([
    ".out.csv.standin-tmp",
    "out.csv",
    "out.csv.release.json",
    "people.csv",
    "people.schema.json",
  ]);
  const { code, stderr } = await folder.run(synth());
  expect(code).toBe(0);
  expect(stderr).toMatch(/^out\.csv\.release\.json, the measured part of an earlier run, will be replaced\.$/m);
  expect(folder.names()).toEqual(INPUTS);
});

it("SIGKILL while reading leaves what was there", async () => {
  const folder = new Folder();
  const run = startLongRun(folder, "--release", "r.json");
  await run.said(/^reading$/m);
  run.child.kill("SIGKILL");
  await run.ended;
  oldOutput(folder);
  expect(folder.names()).toEqual(INPUTS);
});

it("SIGINT while writing leaves the old output", async () => {
  const folder = new Folder();
  folder.write("out.csv", "old\n");
  const run = folder.start(synth("--rows", "3000000"));
  await run.said(/^writing$/m);
  run.child.kill("SIGINT");
  interrupted(await run.ended);
  oldOutput(folder);
  expect(folder.names()).toEqual(["out.csv", "out.csv.release.json", "people.csv", "people.schema.json"]);
});

it("a signal at any moment leaves the old output or the new one whole", async () => {
  const folder = new Folder();
  for (let delay = 40; delay <= 400; delay += 40) {
    folder.write("out.csv", "old\n");
    const run = folder.start(synth("--rows", "2000"));
    setTimeout(() => run.child.kill("SIGINT"), delay);
    await run.ended;
    const output = readFileSync(folder.at("out.csv"), "utf8");
    if (output !== "old\n") expect(output.trimEnd().split("\n")).toHaveLength(2001);
    const others = folder.names().filter((name) => !INPUTS.includes(name));
    expect(["", "out.csv.release.json"]).toContain(others.join());
    if (others.length) JSON.parse(readFileSync(folder.at("out.csv.release.json"), "utf8"));
  }
});

it("a refused header ends the run even if the input stays open", async () => {
  const folder = new Folder();
  const run = folder.start(SYNTH.map((arg) => (arg === "people.csv" ? "-" : arg)));
  run.child.stdin.write(PEOPLE.replace("group", "grup"));
  run.child.stdin.write("x,a,1\n".repeat(100_000));
  const { code, stderr } = await run.ended;
  expect(code).toBe(2);
  expect(stderr).toMatch(/group/);
});
