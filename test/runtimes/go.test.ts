// The Go package, with the core that was built before the tests. It is skipped without Go, without a core, and where
// Go's modules cannot be downloaded.
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";

const MINUTES = 60_000;
const GO = process.env.STANDIN_GO ?? "go";
const FOLDER = "bindings/go";
const made = mkdtempSync(join(tmpdir(), "standin-go-"));
let missing: string | undefined;

/** Runs a program of Go's in the package's folder. Returns what it printed, on success or not. */
function run(program: string, ...args: string[]): string {
  const { error, stdout, stderr } = spawnSync(program, args, { cwd: FOLDER, encoding: "utf8" });
  return error ? error.message : stdout + stderr;
}

beforeAll(() => {
  if (spawnSync(GO, ["version"]).status !== 0) missing = `${GO} is no Go; STANDIN_GO can name another`;
  else if (spawnSync(GO, ["mod", "download"], { cwd: FOLDER }).status !== 0) missing = "Go can download no modules";
  else if (!existsSync("dist/standin-core.wasm")) missing = "there is no core (npm run core)";
  else if (!existsSync(join(FOLDER, "internal/core"))) missing = "Go made no code of the core (npm run core)";
}, 10 * MINUTES);
afterAll(() => rmSync(made, { recursive: true, force: true }));

it("is formatted, and has nothing that vet finds", ({ skip }) => {
  if (missing) skip(missing);
  expect(run("gofmt", "-l", ".")).toBe("");
  expect(run(GO, "vet", "./...")).toBe("");
  expect(run(GO, "mod", "tidy", "-diff")).toBe("");
});

it("passes its own tests, including all vectors, its example and README", { timeout: 10 * MINUTES }, ({ skip }) => {
  if (missing) skip(missing);
  expect(run(GO, "test", "-count=1", "./...")).toMatch(/^ok\s/);
});

it("is tested with what this package currently says about mistakes, and to owners", () => {
  execFileSync(process.execPath, [join(FOLDER, "testdata/record.mjs"), made]);
  const recorded = (folder: string, file: string) => JSON.parse(readFileSync(join(folder, file), "utf8"));
  for (const file of ["refusals.json", "owners.json"])
    expect(recorded(made, file)).toEqual(recorded(join(FOLDER, "testdata"), file));
});
