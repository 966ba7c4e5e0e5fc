// Runs that are killed (SIGKILL) in every round, at two points: while the round is being searched and drawn, and as
// soon as its draws are on disk. Another process resumes. With the same seeds the bytes are those of an uninterrupted
// run.
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, expect, it } from "vitest";
import { toCsv } from "../../src/index.js";
import { people, schema } from "./people.js";

const ROUNDS = 3;
const folder = mkdtempSync(join(tmpdir(), "standin-killed-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const at = (name: string) => join(folder, name);

writeFileSync(at("schema.json"), JSON.stringify(schema));
writeFileSync(at("people.csv"), toCsv(people));
writeFileSync(
  at("run.mjs"),
  `import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { measure, parseCsv, parseRelease, parseSchema, plan, resample, resume, toCsv } from ${JSON.stringify(pathToFileURL("dist/node.js").href)};
const [unfinished, output, stopAt] = process.argv.slice(2);
const stop = async (where) => {
  if (where !== stopAt) return;
  console.log("here");
  await new Promise((resolve) => setTimeout(resolve, 60_000));
};
const schema = parseSchema(JSON.parse(readFileSync("schema.json", "utf8")));
const table = parseCsv(readFileSync("people.csv", "utf8"), schema);
const options = {
  unsafeNoiseKey: new Uint8Array(32).fill(7),
  onRound: async (release) => {
    const done = (release.items.length - 4) / 2;
    await stop("before " + done);
    writeFileSync("temporary.json", JSON.stringify(release));
    renameSync("temporary.json", "unfinished.json");
    await stop("after " + done);
  },
};
const release = unfinished === "-"
  ? await measure(table, plan(schema, { epsilon: 2, selection: "max", rounds: ${ROUNDS} }), { seed: 5, ...options })
  : await resume(table, parseRelease(readFileSync(unfinished, "utf8")), options);
const { table: made } = await resample(release);
writeFileSync(output, JSON.stringify(release) + toCsv(made));
`,
);

/** Runs the script, and kills it when it says that it has reached `stopAt`. */
function run(unfinished: string, output: string, stopAt = "nowhere"): Promise<NodeJS.Signals | number | null> {
  const child = spawn(process.execPath, ["run.mjs", unfinished, output, stopAt], {
    cwd: folder,
    stdio: ["ignore", "pipe", "inherit"],
  });
  child.stdout.on("data", () => child.kill("SIGKILL"));
  return new Promise((resolve) => child.on("close", (code, signal) => resolve(signal ?? code)));
}

it("a run that is killed in every round gives the bytes of one that is not", { timeout: 120_000 }, async () => {
  expect(await run("-", "whole.txt")).toBe(0);
  expect(await run("-", "killed.txt", "after 0")).toBe("SIGKILL");
  for (let round = 1; round < ROUNDS; round++)
    for (const place of ["before", "after"])
      expect(await run("unfinished.json", "killed.txt", `${place} ${round}`)).toBe("SIGKILL");
  expect(await run("unfinished.json", "killed.txt")).toBe(0);
  expect(readFileSync(at("killed.txt"), "utf8")).toBe(readFileSync(at("whole.txt"), "utf8"));
});
