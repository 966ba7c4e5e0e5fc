import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { Folder, synth } from "./cli.js";

const HEADER = "name,group,score\n";
const ROWS = Array.from({ length: 50 }, (_, at) => `p${at},${at % 3 ? "a" : "b"},${at % 11}`);
const table = (...rows: string[]) => `${HEADER}${rows.map((row) => `${row}\n`).join("")}`;

/** Everything a recipient or a bystander can see, numbers masked: they are noisy or durations. */
async function seen(people: string): Promise<object> {
  const folder = new Folder();
  folder.write("people.csv", people);
  const { code, stdout, stderr } = await folder.run(synth("--release", "r.json"));
  const masked = stderr.replace(/\d+([.,]\d+)*(e-?\d+)?/g, "#");
  const release = JSON.parse(readFileSync(folder.at("r.json"), "utf8"));
  return { code, stdout, stderr: masked, names: folder.names(), members: Object.keys(release) };
}

it.each([
  ["no, one and two rows", [table(), table(ROWS[0]), table(ROWS[0], ROWS[1])]],
  ["a number that cannot be read", [table(...ROWS), table("x,a,canary", ...ROWS.slice(1))]],
  ["a row that is too short", [table(...ROWS), table("x", ...ROWS.slice(1))]],
  ["a row that is too long", [table(...ROWS), table("x,a,1,2,3,4,5,6", ...ROWS.slice(1))]],
  ["a quote that never closes", [table(...ROWS), table(...ROWS.slice(1), '"x,a,1')]],
  ["an unlisted category", [table(...ROWS), table("x,canary,1", ...ROWS.slice(1))]],
  ["an empty line", [table(...ROWS), table("", ...ROWS.slice(1))]],
  ["a cell of a megabyte", [table(...ROWS), table(`${"x".repeat(1e6)},a,1`, ...ROWS.slice(1))]],
])("tables that differ by %s look alike from outside", async (_, tables) => {
  const [first, ...others] = await Promise.all(tables.map(seen));
  for (const other of others) expect(other).toEqual(first);
});

it("nothing tells a cell: not the output, the release, or any message", async () => {
  const canaries = ["Anna-Canary", "canary-group", "4711.4711", "canary@example.org"];
  const folder = new Folder();
  folder.write("people.csv", table(...canaries.map((canary) => `${canary},${canary},${canary}`), ...ROWS));
  const { code, stdout, stderr } = await folder.run(synth("--release", "r.json"));
  expect(code).toBe(0);
  const texts = [stdout, stderr, ...["r.json", "out.csv"].map((name) => readFileSync(folder.at(name), "utf8"))];
  for (const text of texts) for (const canary of canaries) expect(text).not.toContain(canary);
});

it("a release holds neither paths nor sizes nor times", async () => {
  const folder = new Folder();
  await folder.run(synth("--release", "r.json"));
  const text = readFileSync(folder.at("r.json"), "utf8");
  expect(text).not.toContain("people");
  expect(text).not.toContain(folder.path);
  expect(Object.keys(JSON.parse(text)).sort()).toEqual(
    ["standin", "mechanism", "neighbours", "epsilon", "delta", "rho", "items", "schema"]
      .concat(["columns", "delimiter", "total", "rows", "search", "guarantee"])
      .sort(),
  );
});
