// The Rust crate, with the core that was built before the tests. It is skipped without cargo, without a core, and where
// crates cannot be downloaded.
import { existsSync } from "node:fs";
import { beforeAll, expect, it } from "vitest";
import { cargo, missingCargo } from "./rust.js";

const MINUTES = 60_000;
let missing: string | undefined;

beforeAll(() => {
  missing = missingCargo();
  if (!existsSync("dist/standin-core.wasm")) missing ??= "there is no core (npm run core)";
}, 10 * MINUTES);

it("is formatted", ({ skip }) => {
  if (missing) skip(missing);
  if (cargo("fmt", "--version").status !== 0) skip("cargo has no fmt");
  expect(cargo("fmt", "--check")).toEqual({ status: 0, output: "" });
});

it("passes its own tests, and has nothing that clippy finds", { timeout: 20 * MINUTES }, ({ skip }) => {
  if (missing) skip(missing);
  const { status, output } = cargo("test", "--locked");
  expect(output).toMatch(/^test result: ok\. [1-9]/m);
  expect(output).not.toMatch(/^(warning|error)/m);
  expect(status).toBe(0);
});

it("is packed with the two modules, and without its tests", ({ skip }) => {
  if (missing) skip(missing);
  const packed = cargo("package", "--list", "--allow-dirty", "--locked").output.split("\n");
  for (const file of ["README.md", "src/lib.rs", "wasm/engine.wasm", "wasm/standin-core.wasm"])
    expect(packed).toContain(file);
  expect(packed.filter((file) => file.startsWith("tests"))).toEqual([]);
});
