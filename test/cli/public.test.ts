// Public rows on the command line.
import { linkSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { Folder, SYNTH, wideFolder } from "./cli.js";

const rowsOf = (folder: Folder, name: string) => readFileSync(folder.at(name), "utf8").trimEnd().split("\n");

/** A folder with public rows in which the score says which group a row is in. */
function folderWithPublic(): Folder {
  const folder = new Folder();
  const lines = Array.from({ length: 200 }, (_, at) => `p${at},${at % 2 ? "a" : "b"},${at % 2 ? 1 : 9}`);
  folder.write("public.csv", `name,group,score\n${lines.join("\n")}\n`);
  return folder;
}

it("makes rows from a table and public rows, and more of them from the release and the same public rows", async () => {
  const folder = folderWithPublic();
  const options = ["--public", "public.csv", "--rows", "100", "--seed", "7"];
  const first = await folder.run([...SYNTH, ...options, "--workload", "1-way", "--release", "r.json"]);
  expect(first).toMatchObject({ code: 0 });
  const release = JSON.parse(readFileSync(folder.at("r.json"), "utf8"));
  expect(release.publicTable).toEqual({ rows: 200, fingerprint: expect.stringMatching(/^[0-9a-f]{16}$/) });
  const from = ["synth", "--from", "r.json", "-o", "again.csv"];
  expect(await folder.run(from)).toMatchObject({ code: 2, stderr: expect.stringMatching(/public table of 200 rows/) });
  expect(folder.names()).not.toContain("again.csv");
  expect(await folder.run([...from, "--public", "public.csv"])).toMatchObject({ code: 0 });
  expect(rowsOf(folder, "again.csv")).toEqual(rowsOf(folder, "out.csv"));
});

it("is stated by the plan", async () => {
  const folder = folderWithPublic();
  const plan = ["plan", "--schema", "people.schema.json", "--epsilon", "1", "--public", "public.csv"];
  const text = await folder.run(plan);
  expect(text.stdout).toMatch(/initialised from 200 public rows/);
  const json = JSON.parse((await folder.run([...plan, "--json"])).stdout);
  expect(json.publicTable).toMatchObject({ rows: 200 });
});

it("says how to resume an interrupted run, public rows included", async () => {
  const folder = wideFolder();
  folder.write("public.csv", readFileSync(folder.at("people.csv"), "utf8").replace("\n0", "\n1"));
  const run = folder.start([
    ...SYNTH,
    ...["--selection", "max", "--rounds", "20", "--rows", "20", "--public", "public.csv", "--release", "r.json"],
  ]);
  await run.said(/^round 2 of/m);
  run.child.kill("SIGINT");
  const { stderr } = await run.ended;
  expect(stderr).toMatch(/standin synth people\.csv --resume r\.json --public public\.csv -o out\.csv/);
  const resume = ["synth", "people.csv", "--resume", "r.json", "-o", "out.csv"];
  folder.write("held.csv", "");
  expect(await folder.run(resume)).toMatchObject({ code: 2, stderr: expect.stringMatching(/public table/) });
  const other = [...resume, "--public", "held.csv"];
  expect(await folder.run(other)).toMatchObject({ code: 2, stderr: expect.stringMatching(/held\.csv cannot be used/) });
  expect(await folder.run([...resume, "--public", "public.csv"])).toMatchObject({ code: 0 });
});

it("refuses the private table under any name, and whatever is not a table, before the private one is opened", async () => {
  const folder = folderWithPublic();
  linkSync(folder.at("people.csv"), folder.at("linked.csv"));
  folder.write("wrong.csv", "one,two\n1,2\n");
  folder.write("empty.csv", "name,group,score\n");
  for (const [file, message] of [
    ["people.csv", /is the private table itself/],
    ["linked.csv", /is the private table itself/],
    ["wrong.csv", /The public table wrong\.csv cannot be used/],
    ["empty.csv", /has no rows/],
    ["missing.csv", /missing\.csv/],
  ] as const) {
    const { code, stderr } = await folder.run([...SYNTH, "--public", file]);
    expect({ file, code }).toEqual({ file, code: 2 });
    expect(stderr).toMatch(message);
  }
  expect(folder.names()).not.toContain("out.csv");
});
