import { execFileSync, spawn } from "node:child_process";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { gunzipSync, gzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { Folder, PEOPLE, synth } from "./cli.js";

const HEADER = /^group,score\n/;
const text = (folder: Folder, name: string) => readFileSync(folder.at(name), "utf8");

it("writes the table, and nothing else, and says the guarantee and why the search ended", async () => {
  const folder = new Folder();
  const { code, stdout, stderr } = await folder.run(synth());
  expect(code).toBe(0);
  expect(stdout).toBe("");
  expect(text(folder, "out.csv")).toMatch(HEADER);
  expect(folder.names()).toEqual(["out.csv", "people.csv", "people.schema.json"]);
  expect(stderr).toMatch(/ε = 8, δ = 1e-9 for one row \(add-remove\)\n$/);
  expect(stderr).toMatch(/^This release's budget adds to that of earlier releases of the same people/m);
  expect(stderr).toMatch(/^The search ended after \d+ sweeps: /m);
});

it("is quiet about its progress when asked, never about the guarantee", async () => {
  const { stderr } = await new Folder().run([...synth(), "--quiet"]);
  expect(stderr).toBe(
    "This release's budget adds to that of earlier releases of the same people; --ledger FILE bounds the sum.\n" +
      "ε = 8, δ = 1e-9 for one row (add-remove)\n",
  );
});

it("names the person as the protected unit where the schema does", async () => {
  const folder = new Folder();
  const schema = JSON.parse(text(folder, "people.schema.json"));
  folder.write("people.schema.json", JSON.stringify({ ...schema, standin: { unit: { maxRows: 3 } } }));
  const { code, stderr } = await folder.run(synth());
  expect(code).toBe(0);
  expect(stderr).toMatch(/ε = 8, δ = 1e-9 for one person \(up to 3 rows\) \(add-remove\)\n$/);
});

it("makes no promise if a fact was read from the rows, even when quiet", async () => {
  const folder = new Folder();
  const schema = JSON.parse(text(folder, "people.schema.json"));
  schema.fields[1].standin = { provenance: "read" };
  folder.write("people.schema.json", JSON.stringify(schema));
  const { code, stderr } = await folder.run([...synth(), "--quiet", "--allow-unreviewed-schema"]);
  expect(code).toBe(0);
  expect(stderr).toMatch(/NOT differentially private: .*group/);
  expect(stderr).not.toMatch(/ε =/);
});

it("says the plan's warnings", async () => {
  const { code, stderr } = await new Folder().run(synth("--delta", "1e-3"));
  expect(code).toBe(0);
  expect(stderr).toMatch(/^Warning: δ = 0\.001 is large/m);
});

it("--release keeps the measured part, and --from makes the same bytes from it, or more rows", async () => {
  const folder = new Folder();
  await folder.run(synth("--release", "r.json"));
  expect(folder.names()).toEqual(["out.csv", "people.csv", "people.schema.json", "r.json"]);
  const again = await folder.run(["synth", "--from", "r.json", "-o", "again.csv"]);
  expect(again.code).toBe(0);
  expect(again.stderr).toMatch(/ε = 8, δ = 1e-9 for one row/);
  expect(text(folder, "again.csv")).toBe(text(folder, "out.csv"));
  const piped = await folder.run(["synth", "--from", "-"], { input: text(folder, "r.json") });
  expect(piped.stdout).toBe(text(folder, "out.csv"));
  await folder.run(["synth", "--from", "r.json", "--rows", "7", "--seed", "3", "-o", "more.csv"]);
  expect(text(folder, "more.csv").trimEnd().split("\n")).toHaveLength(8);
});

it("reads from standard input and writes to standard output, by any of their names", async () => {
  const folder = new Folder();
  for (const [input, output] of [
    ["-", "-"],
    ["/dev/stdin", "/dev/stdout"],
  ]) {
    const args = synth("-o", output, "--rows", "9").map((arg) => (arg === "people.csv" ? input : arg));
    const { code, stdout, stderr } = await folder.run(args, { input: PEOPLE });
    expect(code).toBe(0);
    expect(stdout).toMatch(HEADER);
    expect(stdout.trimEnd().split("\n")).toHaveLength(10);
    expect(stderr).toMatch(/interrupted, its measurements are lost; --release/);
  }
  expect(folder.names()).toEqual(["people.csv", "people.schema.json"]);
});

it("compresses and decompresses .gz tables, schemas and releases", async () => {
  const folder = new Folder();
  folder.write("people.csv.gz", gzipSync(PEOPLE));
  folder.write("people.schema.json.gz", gzipSync(readFileSync(folder.at("people.schema.json"))));
  const args = [
    "synth",
    "people.csv.gz",
    "--schema",
    "people.schema.json.gz",
    "--epsilon",
    "8",
    "--release",
    "r.json.gz",
  ];
  expect((await folder.run([...args, "-o", "out.csv.gz"])).code).toBe(0);
  const made = gunzipSync(readFileSync(folder.at("out.csv.gz"))).toString();
  expect(made).toMatch(HEADER);
  await folder.run(["synth", "--from", "r.json.gz", "-o", "again.csv"]);
  expect(text(folder, "again.csv")).toBe(made);
});

it.each([
  ["cut", gzipSync(PEOPLE).subarray(0, 60), /ends in the middle of its gzip data/],
  ["not gzip", Buffer.from(PEOPLE), /is not whole gzip data/],
])("refuses a .gz file that is %s", async (_, bytes, words) => {
  const folder = new Folder();
  folder.write("people.csv.gz", bytes);
  const { code, stderr } = await folder.run(synth().map((arg) => (arg === "people.csv" ? "people.csv.gz" : arg)));
  expect(code).toBe(2);
  expect(stderr).toMatch(words);
  expect(folder.names()).toEqual(["people.csv", "people.csv.gz", "people.schema.json"]);
});

it("keeps a link a link and a file's permissions", async () => {
  const folder = new Folder();
  mkdirSync(folder.at("elsewhere"));
  folder.write("elsewhere/real.csv", "old\n");
  chmodSync(folder.at("elsewhere/real.csv"), 0o600);
  symlinkSync("elsewhere/real.csv", folder.at("out.csv"));
  expect((await folder.run(synth())).code).toBe(0);
  expect(lstatSync(folder.at("out.csv")).isSymbolicLink()).toBe(true);
  expect(text(folder, "elsewhere/real.csv")).toMatch(HEADER);
  expect(statSync(folder.at("elsewhere/real.csv")).mode & 0o777).toBe(0o600);
});

it("writes directly to a named pipe", async () => {
  const folder = new Folder();
  execFileSync("mkfifo", [folder.at("out.csv")]);
  const { ended } = folder.start(synth("--rows", "20000"));
  let read = "";
  for await (const chunk of spawn("cat", [folder.at("out.csv")]).stdout) read += chunk;
  expect((await ended).code).toBe(0);
  expect(read).toMatch(HEADER);
  expect(read.trimEnd().split("\n")).toHaveLength(20_001);
});

it("a disk that fills up leaves the old output and a whole release to continue from", async () => {
  const folder = new Folder();
  folder.write("out.csv", "old\n");
  // 64 KiB are enough for the release and not for the table.
  const { code, stderr } = await folder.run(synth("--rows", "100000"), { before: "trap '' XFSZ; ulimit -f 64; " });
  expect(code).toBe(2);
  expect(stderr).toMatch(/^standin: out\.csv grew larger than a file may be here\.$/m);
  expect(stderr).toMatch(/standin synth --from out\.csv\.release\.json -o out\.csv/);
  expect(text(folder, "out.csv")).toBe("old\n");
  expect(folder.names()).toEqual(["out.csv", "out.csv.release.json", "people.csv", "people.schema.json"]);
  expect((await folder.run(["synth", "--from", "out.csv.release.json", "-o", "out.csv"])).code).toBe(0);
  expect(text(folder, "out.csv").trimEnd().split("\n")).toHaveLength(100_001);
});

it("a disk that is full from the start leaves nothing", async () => {
  const folder = new Folder();
  folder.write("out.csv", "old\n");
  const { code } = await folder.run(synth(), { before: "trap '' XFSZ; ulimit -f 0; " });
  expect(code).toBe(2);
  expect(text(folder, "out.csv")).toBe("old\n");
  expect(folder.names()).toEqual(["out.csv", "people.csv", "people.schema.json"]);
});

it.runIf(existsSync("/dev/full"))("a device without space is an error, not a fault", async () => {
  const { code, stderr } = await new Folder().run(synth("-o", "/dev/full"));
  expect(code).toBe(2);
  expect(stderr).toMatch(/^standin: \/dev\/full does not fit on its disk, which is full\.$/m);
});

it("when the reader of standard output goes away, the run ends with a sentence", async () => {
  const folder = new Folder();
  const { child, ended } = folder.start(synth("-o", "-", "--rows", "200000"));
  child.stdin.end();
  child.stdout.once("data", () => child.stdout.destroy());
  const { code, stderr } = await ended;
  expect(code).toBe(2);
  expect(stderr).toMatch(/^standin: Standard output was closed by its reader/m);
});

it.each([
  ["has no room", "exec 2>/dev/full; "],
  ["has no reader", "exec 2> >(head -c 1 >/dev/null); sleep .1; "],
])("a run continues if standard error %s", async (_, before) => {
  const folder = new Folder();
  expect((await folder.run(synth(), { before })).code).toBe(0);
  expect(folder.names()).toEqual(["out.csv", "people.csv", "people.schema.json"]);
});

it("removes what a killed run left, and never touches another run's", async () => {
  const folder = new Folder();
  writeFileSync(folder.at(".out.csv.standin-tmp"), "left over");
  expect((await folder.run(synth())).code).toBe(0);
  expect(folder.names()).toEqual(["out.csv", "people.csv", "people.schema.json"]);
});

it("two runs with one output leave one whole table and no other file", async () => {
  const folder = new Folder();
  const ends = await Promise.all([1, 2, 3].map((seed) => folder.run(synth("--seed", String(seed), "--rows", "5000"))));
  expect(ends.map(({ code }) => code)).toContain(0);
  for (const { code, stderr } of ends) if (code !== 0) expect(stderr).toMatch(/Another run is writing out\.csv/);
  expect(text(folder, "out.csv").trimEnd().split("\n")).toHaveLength(5001);
  expect(folder.names().filter((name) => name.endsWith("standin-tmp"))).toEqual([]);
});

it("when the reader of the messages goes away, the run continues", async () => {
  const folder = new Folder();
  const { child, ended } = folder.start(synth("--rows", "50000"));
  child.stderr.once("data", () => child.stderr.destroy());
  expect((await ended).code).toBe(0);
  expect(folder.names()).toEqual(["out.csv", "people.csv", "people.schema.json"]);
});
