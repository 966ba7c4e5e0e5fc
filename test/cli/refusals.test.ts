import { execFileSync } from "node:child_process";
import {
  closeSync,
  constants,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  symlinkSync,
  writeSync,
} from "node:fs";
import { describe, expect, it } from "vitest";
import { Folder, PEOPLE, SCHEMA, synth } from "./cli.js";

const PLAN = ["plan", "--schema", "people.schema.json", "--epsilon", "1"];

/** Replaces the table with a named pipe. Returns a function that says how many of its bytes are still there. */
function unreadTable(folder: Folder): { left(): number } {
  rmSync(folder.at("people.csv"));
  execFileSync("mkfifo", [folder.at("people.csv")]);
  const pipe = openSync(folder.at("people.csv"), constants.O_RDWR | constants.O_NONBLOCK);
  writeSync(pipe, PEOPLE);
  return {
    left() {
      const taken = readSync(pipe, Buffer.alloc(2 * PEOPLE.length));
      closeSync(pipe);
      return taken;
    },
  };
}

async function refused(args: readonly string[], words: RegExp, prepare: (folder: Folder) => void = () => {}) {
  const folder = new Folder();
  prepare(folder);
  const before = folder.names();
  const table = unreadTable(folder);
  const { code, stdout, stderr } = await folder.run(args);
  expect(stderr).toMatch(words);
  expect(stderr).toMatch(/^standin: [^\n]+\.?\n$/);
  expect({ code, stdout, left: table.left(), names: folder.names() }).toEqual({
    code: 2,
    stdout: "",
    left: PEOPLE.length,
    names: before,
  });
}

/** The schema with other properties of one field. */
const withField = (name: string, change: object) => (folder: Folder) =>
  folder.write(
    "people.schema.json",
    JSON.stringify({ fields: SCHEMA.fields.map((field) => (field.name === name ? { ...field, ...change } : field)) }),
  );

describe("a refused request exits 2 with one sentence, takes no byte of the table and writes nothing", () => {
  it.each(["0", "-1", "NaN", "Infinity", "-Infinity", "1e-300", "1e9", "1,5", "1e400", "0x10", "", " 1"])(
    "epsilon %j",
    (epsilon) =>
      refused([...synth().filter((arg) => arg !== "--epsilon" && arg !== "8"), `--epsilon=${epsilon}`], /epsilon/),
  );
  it.each(["0", "-1", "1.5", "65", "two", ""])("threads %j", (threads) =>
    refused([...synth(), `--threads=${threads}`], /threads/),
  );
  it.each(["0", "1", "-1e-9", "nan", "1/n", "1/n2"])("delta %j", (delta) =>
    refused([...synth(), `--delta=${delta}`], /delta|δ/),
  );

  const cases: [string, string[], RegExp][] = [
    ["no epsilon", synth().filter((arg) => arg !== "--epsilon" && arg !== "8"), /epsilon is missing/],
    ["epsilon and rho", synth("--rho", "1"), /Both epsilon and rho/],
    ["an option that looks like a value", synth("--epsilon", "-1"), /--epsilon=-1/],
    ["an option without value", [...synth(), "--rows"], /--rows needs a value/],
    ["an option twice", [...synth(), "--epsilon", "1"], /--epsilon was given twice/],
    ["a switch with a value", [...synth(), "--quiet=yes"], /--quiet takes no value/],
    ["a misspelt option", synth("--neighbors", "replace"), /--neighbors.*Did you mean --neighbours\?/],
    ["another command's option", synth("--real", "x.csv"), /--real is not an option of standin synth/],
    ["a misspelt command", ["synht", ...synth().slice(1)], /Did you mean synth\?/],
    ["two tables", [...synth(), "people.csv"], /Only one table/],
    ["no table", synth().filter((arg) => arg !== "people.csv"), /No table/],
    ["a misspelt target", synth("--target", "scoer"), /The target is "scoer".*Did you mean score\?/],
    ["two targets", [...synth("--target", "score"), "--target", "group"], /--target was given twice/],
    [
      "a list of targets",
      synth("--target", "score,group"),
      /names several columns: score,group\. Name one: .*evaluate/,
    ],
    [
      "a relation without its number of rows",
      synth("--neighbours", "replace"),
      /Give the number of rows \(--public-rows\)/,
    ],
    ["a mechanism without its public rows", synth("--mechanism", "pep-pub"), /of the same schema \(--public FILE\)/],
    ["no schema", ["synth", "people.csv", "--epsilon", "1"], /needs --schema/],
    ["a schema that is not there", synth("--schema", "no.json"), /no\.json does not exist/],
    ["replace without declared rows", synth("--neighbours", "replace"), /public-rows/],
    ["declared rows under add-remove", synth("--public-rows", "10"), /add-remove/],
    ["a relation of another name", synth("--neighbours", "substitute"), /add-remove or replace/],
    ["an unknown selection", synth("--selection", "laplace"), /it must be none, max, l1 or aim/],
    ["an unknown mechanism", synth("--mechanism", "privat-gsd"), /private-gsd/],
    ["an unknown search", synth("--search", "descend"), /Did you mean descent\?/],
    ["an unknown estimate", synth("--estimate", "shrink"), /Did you mean shrunk\?/],
    ["three stages", synth("--stages", "3"), /stages is 3/],
    ["half a stage", synth("--stages", "1.5"), /--stages is "1\.5"/],
    ["raw answers in two stages", synth("--estimate", "raw", "--stages", "2"), /groups of codes.*Use --stages 1, or/],
    ["the paper's search in two stages", synth("--search", "paper", "--stages", "2"), /--estimate shrunk/],
    ["stages of a selection", synth("--selection", "max", "--stages", "1"), /not the workload in stages/],
    ["stages of rounds", synth("--rounds", "2", "--stages", "2"), /Leave the stages out/],
    ["two stages of one-ways", synth("--workload", "1-way", "--stages", "2"), /nothing for a second stage/],
    ["an unknown engine", synth("--engine", "gpu"), /--engine is "gpu"; it must be auto, wasm or webgpu/],
    ["an unknown kernel", synth("--gpu-from", "loss=1"), /from 1 elements of "loss"/],
    ["a kernel without a number", synth("--gpu-from", "marginal"), /--gpu-from is "marginal"; it must be/],
    ["no rows", synth("--rows", "0"), /rows is 0/],
    ["half a row", synth("--rows", "1.5"), /rows is 1\.5/],
    ["a seed beyond 32 bits", synth("--seed", "4294967296"), /seed/],
    ["skipped lines that are no number", synth("--skip-lines", "two"), /skip-lines/],
    ["an unknown encoding", synth("--encoding", "klingon"), /klingon/],
    ["a delimiter of two characters", synth("--delimiter", "::"), /delimiter/],
    ["a workload of no way", synth("--workload", "0-way"), /0-way/],
    ["a workload that is neither", synth("--workload", "pairs"), /neither/],
    ["an output on the input", synth("-o", "people.csv"), /same as the table people\.csv/],
    ["an output on the input by another path", synth("-o", "./sub/../people.csv"), /folder|same/],
    ["an output on the schema", synth("-o", "people.schema.json"), /same as the schema/],
    ["a release on the output", synth("--release", "out.csv"), /same as the output/],
    ["a release on the schema", synth("--release", "people.schema.json"), /same as the schema/],
    ["a missing folder", synth("-o", "no/such/out.csv"), /no\/such/],
    ["a release in a missing folder", synth("--release", "no/r.json"), /no, which is not a folder/],
    ["a folder as output", synth("-o", "."), /is a folder/],
    ["a ledger that is not there", synth("--ledger", "no.json"), /does not exist.*"spent":\[\]/],
    ["--from with a table", ["synth", "people.csv", "--from", "r.json"], /--from/],
    [
      "--from with epsilon",
      ["synth", "--from", "r.json", "--epsilon", "1"],
      /--epsilon cannot be combined with --from/,
    ],
    [
      "--from with an estimate",
      ["synth", "--from", "r.json", "--estimate", "raw"],
      /--estimate cannot be combined with --from/,
    ],
    [
      "--from with threads",
      ["synth", "--from", "r.json", "--threads", "2"],
      /--threads cannot be combined with --from/,
    ],
    [
      "--from with a ledger",
      ["synth", "--from", "r.json", "--ledger", "l.json"],
      /--ledger cannot be combined with --from/,
    ],
    ["a release that is not there", ["synth", "--from", "r.json"], /r\.json does not exist/],
  ];
  it.each(cases)("%s", (_, args, words) => refused(args, words));

  it("an output that is a link to itself", () =>
    refused(synth("-o", "loop"), /loop is a link that leads back to itself/, (folder) =>
      symlinkSync("loop", folder.at("loop")),
    ));
  it("an output with too long a name", () => refused(synth("-o", "x".repeat(300)), /name longer than the system/));
  it("a workload with an unknown column", () =>
    refused(synth("--workload", "w.json"), /"grup"/, (folder) => folder.write("w.json", '[["grup", "score"]]')));
  it("a workload that is not JSON", () =>
    refused(synth("--workload", "w.json"), /w\.json is not JSON/, (folder) => folder.write("w.json", "[[")));
  it("a schema that is not JSON", () =>
    refused(synth(), /is not JSON/, (folder) => folder.write("people.schema.json", "{")));
  it("a minimum above the maximum", () =>
    refused(synth(), /"score".*minimum/, withField("score", { constraints: { minimum: 11, maximum: 10 } })));
  it("an empty enum", () => refused(synth(), /"group"/, withField("group", { constraints: { enum: [] } })));
  it("a duplicated enum", () => refused(synth(), /"group"/, withField("group", { constraints: { enum: ["a", "a"] } })));
  it("a schema with facts read from the rows", () =>
    refused(synth(), /read from the rows/, withField("group", { standin: { provenance: "read" } })));
  it("a folder in the temporary file's place", () =>
    refused(synth(), /standin-tmp is a folder|standin-tmp may not/, (folder) =>
      mkdirSync(folder.at(".out.csv.standin-tmp")),
    ));
  it("a workload whose table would not fit in memory", () => {
    const names = ["a", "b", "c", "d", "e"];
    const fields = names.map((name) => ({ name, type: "integer", constraints: { minimum: 0, maximum: 99 } }));
    return refused(synth("--workload", "5-way"), /a × b × c × d × e/, (folder) =>
      folder.write("people.schema.json", JSON.stringify({ fields })),
    );
  });
  it("two readers of standard input", () =>
    refused(["synth", "-", "--schema", "-", "--epsilon", "1"], /cannot both come from standard input/));
});

it("a missing table costs nothing of the ledger", async () => {
  const folder = new Folder();
  const ledger = '{"epsilon": 3, "delta": 1e-8, "neighbours": "add-remove", "unit": "row", "spent": []}';
  folder.write("ledger.json", ledger);
  rmSync(folder.at("people.csv"));
  const { code, stderr } = await folder.run(synth("--epsilon", "1", "--ledger", "ledger.json"));
  expect(code).toBe(2);
  expect(stderr).toMatch(/people\.csv does not exist/);
  expect(folder.names()).toEqual(["ledger.json", "people.schema.json"]);
  expect(readFileSync(folder.at("ledger.json"), "utf8")).toBe(ledger);
});

it("an output on a hard link of the input is refused", async () => {
  const folder = new Folder();
  execFileSync("ln", [folder.at("people.csv"), folder.at("link.csv")]);
  execFileSync("ln", ["-s", folder.at("people.csv"), folder.at("soft.csv")]);
  for (const output of ["link.csv", "soft.csv"]) {
    const { code, stderr } = await folder.run(synth("-o", output));
    expect(code).toBe(2);
    expect(stderr).toMatch(/same as the table/);
  }
});

it("the error about a header without a modelled column names only the schema's columns", async () => {
  const folder = new Folder();
  folder.write("people.csv", "Anna Canary,a-canary-cell,17\nb,a,3\n");
  const { code, stderr } = await folder.run(synth());
  expect(code).toBe(2);
  expect(stderr).toMatch(/group/);
  expect(stderr).not.toMatch(/anary/);
  expect(folder.names()).toEqual(["people.csv", "people.schema.json"]);
});

it("hints at a release's file where a table is given in its place", async () => {
  const folder = new Folder();
  const { code, stderr } = await folder.run(["synth", "--from", "people.csv"]);
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr:
      "standin: This file is not a standin release: it is not JSON. Give the release.json that a run of standin wrote.\n",
  });
});

it("names the trees that a mechanism cannot take, and what makes rows where a model would be too large", async () => {
  const folder = new Folder();
  const number = (name: string, maximum: number) => ({ name, type: "integer", constraints: { minimum: 0, maximum } });
  const refusal = async (fields: object[], mechanism: string) => {
    folder.write("people.schema.json", JSON.stringify({ fields }));
    return (await folder.run([...PLAN, "--mechanism", mechanism])).stderr;
  };
  const trees = [number("age", 99), number("wage", 9999), number("debt", 9999)];
  for (const mechanism of ["aim", "rap", "fem", "mwem", "hdmm"])
    expect(await refusal(trees, mechanism)).toMatch(
      /modelled as trees: "wage", "debt"\. Give them bins .* \(--mechanism private-gsd\)/,
    );
  const wide = Array.from({ length: 9 }, (_, at) => number(`c${at}`, 99));
  expect(await refusal(wide, "hdmm")).toMatch(/ MB are allowed\. Measure smaller .* \(--estimate shrunk\)\.$/m);
  expect(await refusal(wide.slice(0, 4), "pgm")).toMatch(
    /Allow more \(--megabytes \d+\), .* \(--mechanism private-gsd\)/,
  );
  folder.write("people.schema.json", JSON.stringify({ fields: wide }));
  expect((await folder.run([...PLAN, "--mechanism", "hdmm", "--estimate", "shrunk"])).code).toBe(0);
}, 60_000);
