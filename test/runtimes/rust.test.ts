// The Rust crate, with the core that was built before the tests. It is skipped without cargo, without a core, and where
// crates cannot be downloaded.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { beforeAll, expect, it } from "vitest";

const MINUTES = 60_000;
const CARGO = process.env.STANDIN_CARGO ?? "cargo";
const FOLDER = "bindings/rust";
let missing: string | undefined;

/** Runs cargo in the crate's folder. Returns its status and what it printed. */
function cargo(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(CARGO, args, { cwd: FOLDER, encoding: "utf8" });
  return { status, output: `${stdout}${stderr}` };
}

beforeAll(() => {
  if (cargo("--version").status !== 0) missing = `${CARGO} is no cargo; STANDIN_CARGO can name another`;
  else if (cargo("fetch", "--locked").status !== 0) missing = "cargo can download no crates";
  else if (!existsSync("dist/standin-core.wasm")) missing = "there is no core (npm run core)";
}, 10 * MINUTES);

it("is formatted", ({ skip }) => {
  if (missing) skip(missing);
  if (cargo("fmt", "--version").status !== 0) skip("cargo has no fmt");
  expect(cargo("fmt", "--check")).toEqual({ status: 0, output: "" });
});

it("passes its own tests, including all vectors and its README", { timeout: 20 * MINUTES }, ({ skip }) => {
  if (missing) skip(missing);
  const { status, output } = cargo("test", "--locked");
  expect({ status, output }).toMatchObject({ status: 0, output: expect.stringMatching(/^test result: ok\. [1-9]/m) });
});

it("has nothing that clippy finds", { timeout: 20 * MINUTES }, ({ skip }) => {
  if (missing) skip(missing);
  if (cargo("clippy", "--version").status !== 0) skip("cargo has no clippy");
  const { status, output } = cargo("clippy", "--locked", "--all-targets", "--", "--deny", "warnings");
  expect(output).toContain("Finished");
  expect(status).toBe(0);
});

it("is packed with the two modules", ({ skip }) => {
  if (missing) skip(missing);
  const { output } = cargo("package", "--list", "--allow-dirty", "--locked");
  for (const file of ["README.md", "src/lib.rs", "wasm/engine.wasm", "wasm/standin-core.wasm"])
    expect(output.split("\n")).toContain(file);
  expect(output).not.toContain("tests/");
});
